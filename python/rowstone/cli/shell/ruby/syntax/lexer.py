"""Lexer of the shell's Ruby.

Text is `str` in which bytes that are no UTF-8 stand as surrogates, so that ``"\\x00\\xff"`` keeps its bytes. The lexer
never fails on a wrong character: it returns an ``error`` token, so that the rest of a pasted block is still read as one
statement before the parser refuses it. Only text that is not closed raises `Incomplete`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from rowstone.cli.shell.errors import Incomplete, SyntaxMistake
from rowstone.cli.shell.ruby.syntax.escapes import ESCAPE, meaning_of, single_quoted
from rowstone.cli.shell.ruby.syntax.tokens import KEYWORDS, Token, progress_of
from rowstone.cli.shell.values import bytes_of

_OPERATORS = (
    "<=>", "===", "...", "**=", "||=", "&&=", "<<=", ">>=",
    "=>", "==", "!=", "=~", "!~", "<=", ">=", "::", "**", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "&&", "||",
    "..", "<<", ">>", "->", "&.",
    "=", "<", ">", "+", "-", "*", "/", "%", "!", ",", ".", ";", "(", ")", "[", "]", "{", "}", ":", "?", "&", "|", "^",
)  # fmt: skip

_TYPOGRAPHIC = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u00a0": "a blank"}
_WORD = re.compile(r"[^\W\d]\w*", re.ASCII)
_NON_ASCII_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
_VARIABLE = re.compile(r"@@?[^\W\d]\w*|\$(?:[^\W\d]\w*|[0-9]+|[!@&~_,/.;<>\"'+`*$?:])", re.ASCII)
_OPERATOR_SYMBOL = re.compile(r":(\[\]=?|<=>|===?|=~|!=|\*\*|[+\-!~]@|<<|>>|<=|>=|[+\-*/%<>&|^!~])")
_HEREDOC = re.compile(r"<<([-~]?)(?:([\"'`])([^\"'`\n]+)\2|([A-Za-z_]\w*))")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_LITERAL_KINDS = {"w": "words", "W": "words", "i": "words", "I": "words", "r": "regex", "s": "symbol", "x": "command"}
_COMMAND_MESSAGE = "commands of the operating system (`...`, %x) do not belong to the shell's Ruby"


def tokens_of(text: str, names: Collection[str] = (), first_line: int = 1) -> list[Token]:
    """All tokens of ``text``, an ``end`` last.

    ``names`` are the variables that exist: after one of them ``-1`` and ``[0]`` go on with the expression, after any
    other word they begin an argument.

    Raises:
        Incomplete: A string is not closed.
    """
    lexer = _Lexer(text, set(names), first_line)
    try:
        lexer.run(None)
    except Incomplete as more:
        raise Incomplete(progress_of(lexer.outermost).depth, more.quote) from None
    return [*lexer.outermost, Token("end", None, lexer.line, spaced=True)]


class _Lexer:
    def __init__(self, text: str, names: set[str], line: int) -> None:
        self._text = text
        self._place = 0
        self.line = line
        self._names = names
        self.outermost: list[Token] = []
        self._tokens = self.outermost
        self._resume = 0
        self._problem: str | None = None
        self._behind_heredocs: int | None = None

    # --- the loop

    def run(self, closing: str | None) -> None:
        """Read tokens up to an unmatched ``closing`` brace, which is consumed, or to the end of the text."""
        depth = 0
        while True:
            spaced = self._skip_blanks()
            if self._place >= len(self._text):
                if closing:
                    raise Incomplete(0, '"')
                return
            if closing and depth == 0 and self._text[self._place] == closing:
                self._place += 1
                return
            token = self._token(spaced)
            depth += token.is_operator("{") - token.is_operator("}")
            self._note_names(token)
            self._tokens.append(token)

    def _skip_blanks(self) -> bool:
        """Skip blanks, comments and escaped ends of lines; return whether there were any."""
        text, begin = self._text, self._place
        while self._place < len(text):
            character = text[self._place]
            if character in " \t\r\f\v":
                self._place += 1
            elif character == "\\" and text.startswith(("\\\n", "\\\r\n"), self._place):
                self._place = text.index("\n", self._place) + 1
                self.line += 1
            elif character == "\\" and self._place + 1 == len(text):
                raise Incomplete(0)
            elif character == "#":
                end = text.find("\n", self._place)
                self._place = len(text) if end < 0 else end
            elif self._at_line_start() and re.match(r"=begin(?=\s)", text[self._place : self._place + 7]):
                self._skip_long_comment()
            else:
                break
        return self._place > begin or begin == 0

    def _at_line_start(self) -> bool:
        return self._place == 0 or self._text[self._place - 1] == "\n"

    def _skip_long_comment(self) -> None:
        end = re.compile(r"^=end\b[^\n]*\n?", re.MULTILINE).search(self._text, self._place)
        if end is None:
            raise Incomplete(0, "=")
        self.line += self._text.count("\n", self._place, end.end())
        self._place = end.end()

    def _note_names(self, token: Token) -> None:
        """Remember variables as they are assigned, for the decision whether a sign begins an argument."""
        before = self._tokens[-1] if self._tokens else None
        if before is None:
            return
        assigns = token.kind == "operator" and token.value.endswith("=") and token.value not in ("==", "!=", "<=", ">=")
        if before.kind == "identifier" and (assigns or token.is_operator(",", "|", ")") or token.is_keyword("in")):
            index = len(self._tokens) - 1
            if assigns or token.is_keyword("in") or self._in_parameters(index):
                self._names.add(before.value)

    def _in_parameters(self, index: int) -> bool:
        """Whether the name at ``index`` stands among the parameters of a block or method, or of an assignment."""
        for before in reversed(self._tokens[max(0, index - MOST_PARAMETERS) : index + 1]):
            if before.kind != "identifier" and not before.is_operator(",", "*", "&"):
                break
        else:
            return index < MOST_PARAMETERS
        return before.is_operator("|", "(") or before.is_keyword("for", "def") or before.kind == "newline"

    # --- one token

    def _make(self, kind: str, value: object, end: int, spaced: bool, flags: str = "") -> Token:
        text, line = self._text, self.line
        self.line += text.count("\n", self._place, end)
        self._place = end
        if self._problem is not None:
            kind, value, self._problem = "error", self._problem, None
        after = text[end : end + 1]
        return Token(kind, value, line, spaced, after == "" or after in " \t\r\n", flags)

    def _token(self, spaced: bool) -> Token:
        text, place = self._text, self._place
        character = text[place]
        if character == "\n":
            return self._newline(spaced)
        if character in "'\"`":
            return self._quoted(character, character, spaced)
        if match := _NUMBER.match(text, place):
            return self._number(match, spaced)
        if match := _WORD.match(text, place) or _NON_ASCII_WORD.match(text, place):
            return self._word(match, spaced)
        if match := _VARIABLE.match(text, place):
            kind = "global" if character == "$" else "instance"
            return self._make(kind, match.group(), match.end(), spaced)
        if character == ":" and (token := self._symbol(spaced)):
            return token
        begins_value = self._begins_value(spaced)
        if begins_value and (token := self._literal(spaced)):
            return token
        return self._operator(spaced)

    def _newline(self, spaced: bool) -> Token:
        end = self._place + 1
        token = self._make("newline", "\n", end, spaced)
        if self._behind_heredocs is not None:
            self.line += self._text.count("\n", end, self._behind_heredocs)
            self._place, self._behind_heredocs = self._behind_heredocs, None
        return token

    def _begins_value(self, spaced: bool) -> bool:
        """Whether a sign such as ``/``, ``%``, ``?`` or ``<<`` begins a literal here, or else is an operator."""
        if not self._tokens:
            return True
        before = self._tokens[-1]
        if before.kind == "identifier" and before.value not in self._names and spaced:
            after = self._text[self._place + 1 : self._place + 2]
            return after not in (" ", "\t", "\n", "", "=")
        return not before.ends_value()

    def _literal(self, spaced: bool) -> Token | None:
        text, place = self._text, self._place
        character = text[place]
        if character == "/":
            return self._regex("/", "/", place + 1, spaced)
        if character == "%" and (match := re.compile(r"%([wWiIqQrsx]?)([^\w\s])").match(text, place)):
            return self._percent(match[1], match[2], match.end(), spaced)
        if character == "?" and (match := re.compile(r"\?(\\?[^\s\\])(?!\w)").match(text, place)):
            parts, end = self._parts_of(match.start(1), match.end(1))
            return self._make("string", parts, end, spaced)
        if character == "<" and (match := _HEREDOC.match(text, place)):
            return self._heredoc(match, spaced)
        return None

    def _operator(self, spaced: bool) -> Token:
        text, place = self._text, self._place
        for sign in _OPERATORS:
            if text.startswith(sign, place):
                return self._make("operator", sign, place + len(sign), spaced)
        character = text[place]
        if character in _TYPOGRAPHIC:
            message = (
                f"typographic character {character} (U+{ord(character):04X}): type {_TYPOGRAPHIC[character]} instead,"
                " as text that was pasted from a page often holds it"
            )
        else:
            message = f"unexpected character {character!r}"
        return self._make("error", message, place + 1, spaced)

    def _word(self, match: re.Match[str], spaced: bool) -> Token:
        text, end = self._text, match.end()
        if self._has_mark(end):
            end += 1
        word = text[match.start() : end]
        follows_dot = bool(self._tokens) and self._tokens[-1].is_operator(".", "&.", "::") and not spaced
        if self._is_label(end):
            return self._make("label", word, end + 1, spaced)
        if follows_dot or (self._tokens and self._tokens[-1].is_keyword("def") and word != "self"):
            kind = "constant" if word[0].isupper() else "identifier"
        elif word in KEYWORDS:
            kind = "keyword"
        else:
            kind = "constant" if word[0].isupper() else "identifier"
        return self._make(kind, word, end, spaced)

    def _has_mark(self, end: int) -> bool:
        """Whether the ``?`` or ``!`` at ``end`` belongs to the name before it, and is no operator."""
        text = self._text
        if not text.startswith(("?", "!"), end):
            return False
        return not text.startswith(("=", "~"), end + 1) or text.startswith(("==", "=~", "=>"), end + 1)

    def _is_label(self, end: int) -> bool:
        """Whether a name that ends here is a key: ``name: value``. In ``a ? b : c`` a blank stands before the colon."""
        text = self._text
        if not text.startswith(":", end) or text.startswith("::", end):
            return False
        if not self._tokens:
            return False
        before = self._tokens[-1]
        return not before.is_operator("?", ".", "&.", "::")

    def _number(self, match: re.Match[str], spaced: bool) -> Token:
        text, end = match.group().replace("_", "").lower(), match.end()
        if text.startswith(("0x", "0b", "0o")):
            return self._make("number", int(text, 0), end, spaced)
        if "." in text or "e" in text:
            return self._make("number", float(text), end, spaced)
        if len(text) > MOST_DIGITS:
            return self._make("error", f"a number has at most {MOST_DIGITS} digits", end, spaced)
        if len(text) > 1 and text[0] == "0":
            if set(text) & {"8", "9"}:
                return self._make("error", "Invalid octal digit", end, spaced)
            return self._make("number", int(text, 8), end, spaced)
        return self._make("number", int(text), end, spaced)

    def _symbol(self, spaced: bool) -> Token | None:
        text, place = self._text, self._place
        before = self._tokens[-1] if self._tokens else None
        if text.startswith("::", place):
            return None
        if match := re.compile(r":([^\W\d]\w*[?!=]?)").match(text, place):
            name, end = match[1], match.end()
            if name[-1] == "=" and text[end : end + 1] in ("=", "~", ">"):
                name, end = name[:-1], end - 1
            return self._make("symbol", (name,), end, spaced)
        quote = text[place + 1 : place + 2]
        if quote in ("'", '"') and quote and not (before is not None and before.ends_value() and not spaced):
            parts, end = self._string_parts(quote, quote, place + 2)
            return self._make("symbol", parts, end, spaced)
        if (before is None or not before.ends_value()) and (match := _OPERATOR_SYMBOL.match(text, place)):
            return self._make("symbol", (match[1],), match.end(), spaced)
        return None

    # --- strings

    def _quoted(self, quote: str, closing: str, spaced: bool) -> Token:
        parts, end = self._string_parts(quote, closing, self._place + 1)
        if quote == "`":
            return self._make("error", _COMMAND_MESSAGE, end, spaced)
        if len(parts) == 1 and isinstance(parts[0], str) and self._is_label(end):
            return self._make("label", parts[0], end + 1, spaced)
        return self._make("string", parts, end, spaced)

    def _string_parts(self, quote: str, closing: str, begin: int) -> tuple[tuple[object, ...], int]:
        """The parts of a string that begins at ``begin``, and the place behind its end."""
        if quote == "'":
            end = self._end_of_plain(closing, begin, "'")
            return (single_quoted(self._text[begin:end], closing),), end + 1
        return self._template(closing, None, begin, escapes=True)

    def _end_of_plain(self, closing: str, place: int, shown: str, opening: str = "") -> int:
        text, depth = self._text, 0
        while place < len(text):
            character = text[place]
            if character == "\\":
                place += 2
                continue
            if opening and opening != closing and character == opening:
                depth += 1
            elif character == closing:
                if depth == 0:
                    return place
                depth -= 1
            place += 1
        raise Incomplete(0, shown)

    def _template(
        self, closing: str, opening: str | None, place: int, *, escapes: bool
    ) -> tuple[tuple[object, ...], int]:
        """The parts of text with ``#{...}`` up to ``closing``; a regex keeps its escapes."""
        text, data, parts, depth = self._text, bytearray(), list[object](), 0
        shown = '"' if escapes else "/"
        while True:
            if place >= len(text):
                if not closing:
                    break
                raise Incomplete(0, shown)
            character = text[place]
            if text.startswith("#{", place):
                parts += [data.decode(errors="surrogateescape"), self._expression(place + 2)]
                data.clear()
                place = self._resume
            elif character == "\\":
                place = self._escape(data, place, closing, escapes)
            elif character == closing and depth == 0:
                break
            else:
                depth += (opening is not None and character == opening) - (depth > 0 and character == closing)
                data += bytes_of(character)
                place += 1
        parts.append(data.decode(errors="surrogateescape"))
        return tuple(part for part in parts if part != "") or ("",), place + 1

    def _escape(self, data: bytearray, place: int, closing: str, escapes: bool) -> int:
        text = self._text
        if not escapes:
            escaped = text[place : place + 2]
            data += bytes_of("/" if escaped == r"\/" else escaped)
            return place + 2
        match = ESCAPE.match(text, place)
        if match is None:
            data += b"\\"
            return place + 1
        try:
            data += meaning_of(match)
        except SyntaxMistake as error:
            self._problem = str(error)
        return match.end()

    def _expression(self, place: int) -> tuple[Token, ...]:
        """The tokens of ``#{...}``; `_resume` is the place behind it."""
        outer = self._place, self.line, self._tokens
        self.line += self._text.count("\n", self._place, place)
        self._place, self._tokens = place, []
        self.run("}")
        tokens = (*self._tokens, Token("end", None, self.line, spaced=True))
        self._resume = self._place
        self._place, self.line, self._tokens = outer
        return tokens

    def _parts_of(self, begin: int, end: int) -> tuple[tuple[object, ...], int]:
        data = bytearray()
        if self._text[begin] == "\\":
            self._escape(data, begin, "", True)
        else:
            data += bytes_of(self._text[begin:end])
        return (data.decode(errors="surrogateescape"),), end

    def _percent(self, letter: str, opening: str, begin: int, spaced: bool) -> Token:
        closing = _CLOSING.get(opening, opening)
        kind = _LITERAL_KINDS.get(letter, "string")
        if kind == "regex":
            return self._regex(closing, opening, begin, spaced)
        if kind == "words" or letter in ("q", "s"):
            end = self._end_of_plain(closing, begin, "]" if kind == "words" else "'", opening)
            inside = self._text[begin:end]
            if kind == "words":
                flags = "symbols" if letter in "iI" else ""
                return self._make("words", tuple(inside.split()), end + 1, spaced, flags)
            return self._make(kind, (single_quoted(inside, closing),), end + 1, spaced)
        parts, end = self._template(closing, opening if opening != closing else None, begin, escapes=True)
        if kind == "command":
            return self._make("error", _COMMAND_MESSAGE, end, spaced)
        return self._make(kind, parts, end, spaced)

    def _regex(self, closing: str, opening: str, begin: int, spaced: bool) -> Token:
        parts, end = self._template(closing, opening if opening != closing else None, begin, escapes=False)
        flags = re.compile(r"[imxounse]*").match(self._text, end)
        letters = flags.group() if flags else ""
        return self._make("regex", parts, end + len(letters), spaced, letters)

    def _heredoc(self, match: re.Match[str], spaced: bool) -> Token:
        text, name = self._text, match[3] or match[4]
        begin = self._behind_heredocs
        if begin is None:
            newline = text.find("\n", match.end())
            if newline < 0:
                raise Incomplete(0, match[2] or '"')
            begin = newline + 1
        indent = r"[ \t]*" if match[1] else ""
        terminator = re.compile(rf"^{indent}{re.escape(name)}\r?$\n?", re.MULTILINE).search(text, begin)
        if terminator is None:
            raise Incomplete(0, match[2] or '"')
        body = text[begin : terminator.start()]
        if match[1] == "~":
            body = _without_margin(body)
        parts: tuple[object, ...] = (body,)
        if match[2] != "'":
            inner = _Lexer(body, self._names, self.line + 1)
            parts, _ = inner._template("", None, 0, escapes=True)
            self._problem = inner._problem
        self._behind_heredocs = terminator.end()
        if match[2] == "`":
            return self._make("error", _COMMAND_MESSAGE, match.end(), spaced)
        return self._make("string", parts, match.end(), spaced)


MOST_DIGITS = 4_000
"""Digits of a number: Python refuses to read more than 4,300."""

MOST_PARAMETERS = 50
"""Names before a comma that may be parameters or targets of an assignment."""


def _without_margin(body: str) -> str:
    lines = body.split("\n")
    margins = [len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()]
    margin = min(margins, default=0)
    return "\n".join(line[margin:] if line.strip() else line.lstrip(" \t") for line in lines)
