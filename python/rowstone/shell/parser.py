"""Statements of a text: recursive descent over the tokens of `lexer`.

The part of Ruby that is known: commands with or without parentheses, methods, texts, numbers, symbols, arrays, hashes
(at the end of a call without braces), constants and what is inside them (``A::B``), variables, arithmetic, comparisons.
Nothing is ever handed to Python's ``eval``.
"""

from __future__ import annotations

from rowstone.shell import nodes
from rowstone.shell.errors import Incomplete, SyntaxMistake
from rowstone.shell.escapes import Source
from rowstone.shell.lexer import Token, tokens_of
from rowstone.shell.values import Symbol

_LITERALS = {"true": True, "false": False, "nil": None}
_LEVELS = (("||", "or"), ("&&", "and"), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
_OPENING = {"(": ")", "[": "]", "{": "}"}
_BEYOND = frozenset(
    [
        "if",
        "unless",
        "while",
        "until",
        "for",
        "do",
        "begin",
        "def",
        "class",
        "module",
        "end",
        "case",
        "when",
        "then",
        "else",
        "elsif",
        "return",
        "yield",
        "lambda",
        "proc",
        "loop",
        "rescue",
        "ensure",
        "super",
        "self",
    ]
)


def parse(text: str) -> list[nodes.Node]:
    """The statements of ``text``.

    Raises:
        Incomplete: It ends in the middle of one. SyntaxMistake: It is no statement.
    """
    return _Parser(tokens_of(text)).statements()


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    # --- tokens

    @property
    def _token(self) -> Token:
        return self._tokens[self._place]

    def _next(self) -> Token:
        token = self._token
        if token.kind == "end":
            raise Incomplete(self._depth)
        self._place += 1
        return token

    def _take(self, *signs: str) -> bool:
        if self._token.is_sign(*signs):
            self._place += 1
            return True
        return False

    def _skip_newlines(self) -> None:
        while self._token.kind == "newline":
            self._place += 1

    def _refuse(self, token: Token) -> SyntaxMistake:
        shown = {"end": "end-of-file", "newline": "end of line"}.get(token.kind)
        return SyntaxMistake(f"syntax error, unexpected {shown or repr(str(token.value))}")

    def _close(self, sign: str) -> None:
        self._skip_newlines()
        if self._token.kind == "end":
            raise Incomplete(self._depth)
        if not self._take(sign):
            raise self._refuse(self._token)
        self._depth -= 1

    # --- statements

    def statements(self) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        while True:
            while self._token.kind == "newline" or self._token.is_sign(";"):
                self._place += 1
            if self._token.kind == "end":
                return found
            found.append(self._statement())
            if self._token.kind not in ("newline", "end") and not self._token.is_sign(";"):
                raise self._refuse(self._token)

    def _statement(self) -> nodes.Node:
        names = self._assigned()
        if names is None:
            return self._expression()
        operator = self._next().value[:-1] or None
        self._skip_newlines()
        value = self._statement()
        if self._token.is_sign(","):
            items = [value]
            while self._take(","):
                self._skip_newlines()
                items.append(self._expression())
            value = nodes.Array(tuple(items))
        return nodes.Assign(names, value, operator)

    def _assigned(self) -> tuple[str, ...] | None:
        """The names before a ``=``, where the statement is an assignment; else nothing is consumed."""
        place, names = self._place, []
        while self._tokens[place].kind in ("word", "constant"):
            names.append(self._tokens[place].value)
            place += 1
            if self._tokens[place].is_sign("=") or (
                len(names) == 1 and self._tokens[place].is_sign("+=", "-=", "*=", "/=")
            ):
                self._place = place
                return tuple(names)
            if not self._tokens[place].is_sign(","):
                return None
            place += 1
        return None

    # --- expressions

    def _expression(self) -> nodes.Node:
        if self._token.kind == "word" and self._token.value == "not":
            self._next()
            return nodes.Unary("!", self._expression())
        return self._binary(0)

    def _binary(self, level: int) -> nodes.Node:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._is_operator(level):
            operator = str(self._next().value)
            self._skip_newlines()
            left = nodes.Binary(operator, left, self._binary(level + 1))
        return left

    def _is_operator(self, level: int) -> bool:
        token = self._token
        return token.kind in ("sign", "word") and token.value in _LEVELS[level]

    def _unary(self) -> nodes.Node:
        if self._take("-"):
            operand = self._unary()
            if isinstance(operand, nodes.Literal) and isinstance(operand.value, (int, float)):
                return nodes.Literal(-operand.value)
            return nodes.Unary("-", operand)
        if self._take("!"):
            return nodes.Unary("!", self._unary())
        self._take("+")
        return self._postfix(self._primary())

    def _postfix(self, node: nodes.Node) -> nodes.Node:
        while True:
            token = self._token
            if token.is_sign("."):
                self._next()
                self._skip_newlines()
                node = self._method(node)
            elif token.is_sign("::"):
                self._next()
                node = self._scoped(node)
            elif token.is_sign("[") and not token.spaced:
                self._open()
                key = self._expression()
                self._close("]")
                node = nodes.Index(node, key)
            else:
                return node

    def _method(self, target: nodes.Node) -> nodes.Node:
        name = self._next()
        if name.kind not in ("word", "constant"):
            raise self._refuse(name)
        return nodes.Call(target, name.value, self._arguments(name))

    def _scoped(self, target: nodes.Node) -> nodes.Node:
        name = self._next()
        if name.kind == "constant" and not (self._token.is_sign("(") and not self._token.spaced):
            return nodes.Scoped(target, name.value)
        if name.kind not in ("word", "constant"):
            raise self._refuse(name)
        return nodes.Call(target, name.value, self._arguments(name))

    def _open(self) -> None:
        self._next()
        self._depth += 1
        self._skip_newlines()

    def _primary(self) -> nodes.Node:
        token = self._next()
        if token.kind in ("number", "text"):
            return self._text(token) if token.kind == "text" else nodes.Literal(token.value)
        if token.kind == "template":
            return self._text(token)
        if token.kind == "symbol":
            return nodes.Literal(Symbol(token.value))
        if token.kind == "words":
            return nodes.Array(tuple(map(nodes.Literal, token.value)))
        if token.kind == "word":
            return self._word(token)
        if token.kind == "constant":
            return self._constant(token)
        if token.is_sign(*_OPENING):
            self._place -= 1
            self._open()
            return self._bracketed(token.value)
        raise self._refuse(token)

    def _word(self, token: Token) -> nodes.Node:
        if token.value in _LITERALS:
            return nodes.Literal(_LITERALS[token.value])
        if token.value in _BEYOND:
            raise SyntaxMistake(f"'{token.value}': the shell knows commands and values, not all of Ruby")
        if self._token.is_sign("(") and not self._token.spaced:
            return nodes.Call(None, token.value, self._arguments(token))
        if self._begins_argument():
            return nodes.Call(None, token.value, self._arguments(token))
        return nodes.Name(token.value)

    def _constant(self, token: Token) -> nodes.Node:
        if self._token.is_sign("(") and not self._token.spaced:
            return nodes.Call(None, token.value, self._arguments(token))
        return nodes.Constant(token.value)

    def _text(self, token: Token) -> nodes.Node:
        """Texts that stand side by side are one."""
        parts: list[nodes.Node] = []
        while True:
            for part in token.value if token.kind == "template" else [token.value]:
                if isinstance(part, Source):
                    parts.append(_inside(part))
                else:
                    parts.append(nodes.Literal(part))
            if self._token.kind not in ("text", "template"):
                break
            token = self._next()
        if all(isinstance(part, nodes.Literal) for part in parts):
            return nodes.Literal("".join(part.value for part in parts))
        return nodes.Interpolated(tuple(parts))

    def _bracketed(self, opening: str) -> nodes.Node:
        if opening == "{":
            pairs = self._pairs("}")
            self._close("}")
            return nodes.Hash(tuple(pairs))
        if opening == "(":
            inside = self._statement()
            self._close(")")
            return inside
        items = self._items("]")
        self._close("]")
        return nodes.Array(tuple(items))

    # --- lists

    def _begins_argument(self) -> bool:
        """Whether a value begins here, so that the word before it is called with it."""
        token = self._token
        if token.kind in ("number", "text", "template", "symbol", "words", "word", "constant"):
            return not (token.kind == "word" and token.value in ("and", "or"))
        if token.is_sign("[", "(", "{"):
            return token.spaced
        after = self._tokens[self._place + 1] if token.kind == "sign" else token
        if token.is_sign("-", "!"):
            return token.spaced and not after.spaced and after.kind != "end"
        return False

    def _arguments(self, name: Token) -> tuple[nodes.Node, ...]:
        if self._token.is_sign("(") and not self._token.spaced:
            self._open()
            items = self._items(")")
            self._close(")")
            return tuple(items)
        return tuple(self._items(None)) if self._begins_argument() else ()

    def _items(self, closing: str | None) -> list[nodes.Node]:
        """Values up to ``closing``, or without it to the end of the statement; pairs become one hash at the end."""
        items: list[nodes.Node] = []
        pairs: list[tuple[nodes.Node, nodes.Node]] = []
        while closing is None or not self._is_closing(closing):
            key = self._labelled() or self._expression()
            if isinstance(key, tuple):
                pairs.append(key)
            elif self._take("=>"):
                self._skip_newlines()
                pairs.append((key, self._expression()))
            elif pairs:
                raise SyntaxMistake("syntax error, a value stands behind key => value")
            else:
                items.append(key)
            if closing is not None:
                self._skip_newlines()
            if not self._take(","):
                break
            self._skip_newlines()
            if closing is None and self._token.kind == "end":
                raise Incomplete(self._depth)
        return [*items, nodes.Hash(tuple(pairs))] if pairs else items

    def _is_closing(self, sign: str) -> bool:
        self._skip_newlines()
        if self._token.kind == "end":
            raise Incomplete(self._depth)
        return self._token.is_sign(sign)

    def _pairs(self, closing: str) -> list[tuple[nodes.Node, nodes.Node]]:
        items = self._items(closing)
        if not items:
            return []
        if len(items) == 1 and isinstance(items[0], nodes.Hash):
            return list(items[0].pairs)
        raise SyntaxMistake("syntax error, a hash holds key => value pairs")

    def _labelled(self) -> tuple[nodes.Node, nodes.Node] | None:
        """The pair that ``name: value`` is."""
        token, after = self._token, self._tokens[min(self._place + 1, len(self._tokens) - 1)]
        if token.kind not in ("word", "constant", "text") or not after.is_sign(":") or after.spaced:
            return None
        self._place += 2
        self._skip_newlines()
        return nodes.Literal(Symbol(token.value)), self._expression()


def _inside(source: Source) -> nodes.Node:
    try:
        [statement] = parse(source.text)
    except (Incomplete, ValueError):
        raise SyntaxMistake(f"syntax error in #{{{source.text}}}") from None
    return statement
