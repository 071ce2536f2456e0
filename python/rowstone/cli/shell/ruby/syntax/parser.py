"""Statement parser: recursive descent over the tokens of `lexer`; `expressions` has the rest."""

from __future__ import annotations

from collections.abc import Collection

from rowstone.cli.shell.errors import Incomplete, SyntaxMistake
from rowstone.cli.shell.ruby.syntax import nodes
from rowstone.cli.shell.ruby.syntax.expressions import Expressions
from rowstone.cli.shell.ruby.syntax.lexer import tokens_of
from rowstone.cli.shell.ruby.syntax.nodes import Node
from rowstone.cli.shell.ruby.syntax.stream import MOST_NESTED
from rowstone.cli.shell.ruby.syntax.tokens import Token, progress_of, words

_NOTHING = nodes.Literal(None)
_BEYOND = words("BEGIN END alias class module redo super undef")
_ENDS_BODY = words("else elsif end ensure in rescue then when")


def parse(text: str, names: Collection[str] = (), first_line: int = 1) -> list[Node]:
    """Parse the statements of ``text``, whose first line is ``first_line``; ``names`` are known variables.

    Raises:
        Incomplete: It ends in the middle of one. SyntaxMistake: It is no statement, or `BeyondSubset` one of Ruby that
            the shell does not have.
    """
    tokens = tokens_of(text, names, first_line)
    try:
        return Parser(tokens, set(names)).statements()
    except Incomplete:
        progress = progress_of(tokens)
        raise Incomplete(progress.depth, continues=progress.continues or progress.depth == 0) from None
    except RecursionError:
        raise SyntaxMistake("syntax error, nested too deeply", first_line) from None


def missing(text: str, names: Collection[str] = ()) -> Incomplete | None:
    """The missing end of ``text``, as ``irb`` counts brackets and blocks; None if it is complete.

    A block with a mistake in it is complete at its ``end``, not at the mistake: what follows the mistake is never run
    on its own.
    """
    try:
        progress = progress_of(tokens_of(text, names))
    except Incomplete as more:
        return more
    return None if progress.is_complete else Incomplete(progress.depth, continues=progress.continues)


class Parser(Expressions):
    """Parses the statements of a script."""

    def statements(self) -> list[Node]:
        """All statements up to the end."""
        found: list[Node] = []
        while True:
            self._skip_separators()
            if self._token.kind == "end":
                return found
            found.append(self.statement())
            if self._token.kind not in ("newline", "end") and not self._token.is_operator(";"):
                raise self._unexpected()

    def interpolated(self, tokens: tuple[Token, ...]) -> Node:
        """The expression in ``#{...}``."""
        inner = Parser(tokens, self._names)
        inner._nested = self._nested + 1
        if inner._nested > MOST_NESTED:
            raise SyntaxMistake(f"syntax error, more than {MOST_NESTED} levels of nesting", tokens[0].line)
        try:
            return _sequence(inner.statements())
        except Incomplete:
            raise SyntaxMistake("syntax error in #{...}", tokens[0].line) from None

    def body(self, *closing: str) -> Node:
        """Statements up to an operator of ``closing`` or a keyword that ends a body; neither is consumed."""
        found: list[Node] = []
        while True:
            self._skip_separators()
            token = self._token
            if token.kind == "end" or token.is_operator(*closing) or token.is_keyword(*_ENDS_BODY):
                return _sequence(found)
            found.append(self.statement())
            token = self._token
            ends = token.kind in ("newline", "end") or token.is_operator(";", *closing)
            if not ends and not token.is_keyword(*_ENDS_BODY):
                raise self._unexpected()

    def statement(self) -> Node:
        """A statement with ``and``, ``or`` and its modifiers."""
        with self._deeper():
            node = self._multiple_assignment() or self._logical()
            if isinstance(node, nodes.Assign) and self._token.is_operator(","):
                node = nodes.Assign(node.target, self._listed(node.value))
        while True:
            token = self._take_keyword("if", "unless", "while", "until", "rescue")
            if token is None:
                return node
            node = self._modified(node, token)

    def _logical(self) -> Node:
        left = self.expression()
        while token := self._take_keyword("and", "or"):
            self._skip_newlines()
            left = nodes.Logical("&&" if token.value == "and" else "||", left, self.expression())
        return left

    def _modified(self, node: Node, token: Token) -> Node:
        condition = self._logical()
        if token.value == "if":
            return nodes.If(condition, node, _NOTHING)
        if token.value == "unless":
            return nodes.If(condition, _NOTHING, node)
        if token.value == "rescue":
            return nodes.Begin(node, (nodes.Rescue((), None, condition),), None, None)
        return nodes.While(condition, node, token.value == "until", isinstance(node, nodes.Begin))

    # --- assignments of several

    def _multiple_assignment(self) -> Node | None:
        """``a, *b = values``, where the statement is one; else nothing is consumed."""
        if not self._looks_like_targets():
            return None
        place = self._place
        names = set(self._names)
        try:
            targets = self._targets()
        except (SyntaxMistake, Incomplete):
            targets = None
        is_single = targets is not None and len(targets) == 1 and not isinstance(targets[0], (nodes.Splat, tuple))
        if targets is None or is_single or not self._take("="):
            self._place, self._names = place, names
            return None
        if len(targets) == 1 and isinstance(targets[0], tuple):
            targets = targets[0]
        self._declare(targets)
        self._skip_newlines()
        value = self.statement_value()
        return nodes.MultipleAssign(targets, value)

    def _looks_like_targets(self) -> bool:
        """Whether this statement begins with ``(``, or has a comma or ``*`` outside brackets, and then ``=``."""
        depth, several = 0, self._token.is_operator("(")
        for token in self._tokens[self._place :]:
            if token.is_operator("(", "[", "{"):
                depth += 1
            elif token.is_operator(")", "]", "}"):
                depth -= 1
            elif depth > 0 and token.kind != "end":
                continue
            elif token.is_operator("="):
                return several
            elif token.is_operator(",", "*"):
                several = True
            elif token.kind not in ("identifier", "instance", "global") and not token.is_operator("."):
                return False
            if depth < 0:
                return False
        return False

    def statement_value(self) -> Node:
        """The right side of an assignment to several."""
        if self._take("*"):
            return self._listed(nodes.Splat(self.expression()))
        value = self.expression()
        return self._listed(value) if self._token.is_operator(",") else value

    def _listed(self, first: Node) -> Node:
        items = [first]
        while self._take(","):
            self._skip_newlines()
            items.append(nodes.Splat(self.expression()) if self._take("*") else self.expression())
        return nodes.ArrayLiteral(tuple(items))

    def _targets(self) -> tuple[Node, ...] | None:
        found: list[Node] = []
        while True:
            if self._take("*"):
                token = self._token
                if token.kind == "identifier":
                    self._place += 1
                    found.append(nodes.Splat(nodes.Name(token.value, token.line)))
                else:
                    found.append(nodes.Splat(None))
            elif self._take("("):
                inner = self._targets()
                if inner is None or not self._take(")"):
                    return None
                found.append(inner)
            else:
                target = self._target()
                if target is None:
                    return None
                found.append(target)
            if not self._take(","):
                return tuple(found)

    def _target(self) -> Node | None:
        token = self._token
        if token.kind not in ("identifier", "instance", "global"):
            return None
        self._place += 1
        node: Node = nodes.Name(token.value, token.line)
        if token.kind != "identifier":
            node = nodes.Variable(token.value, token.line)
        while True:
            if self._token.is_operator("[") and not self._token.spaced:
                node = self._element(node, self._token)
            elif self._token.is_operator(".") and self._peek().kind == "identifier":
                self._place += 1
                name = self._next()
                node = nodes.Call(node, name.value, (), None, name.line)
            else:
                return node

    # --- what begins with a keyword

    def construct(self, token: Token) -> Node:
        """The construct that a keyword begins, which is consumed."""
        if token.value in _BEYOND:
            raise self._beyond(token)
        method = _CONSTRUCTS.get(token.value)
        if method is None:
            self._place -= 1
            raise self._unexpected()
        with self._deeper():
            node: Node = method(self, token)
        return node

    def _if(self, token: Token) -> Node:
        with self._inside():
            condition = self._condition()
            then = self.body()
            otherwise: Node = _NOTHING
            if token.value != "unless" and (branch := self._take_keyword("elsif")):
                otherwise = self._if(branch)
            else:
                if self._take_keyword("else"):
                    otherwise = self.body()
                self._need_keyword("end")
        if token.value == "unless":
            return nodes.If(condition, otherwise, then)
        return nodes.If(condition, then, otherwise)

    def _condition(self) -> Node:
        condition = self.statement()
        self._skip_separators()
        self._take_keyword("then")
        return condition

    def _while(self, token: Token) -> Node:
        with self._without_do():
            condition = self._logical()
        self._begin_loop()
        with self._inside():
            body = self.body()
            self._need_keyword("end")
        return nodes.While(condition, body, token.value == "until")

    def _begin_loop(self) -> None:
        if not self._take_keyword("do") and self._token.kind != "newline" and not self._token.is_operator(";"):
            raise self._unexpected()

    def _for(self, token: Token) -> Node:
        targets = self._targets()
        if targets is None:
            raise self._unexpected()
        self._declare(targets)
        self._need_keyword("in")
        with self._without_do():
            values = self.expression()
        self._begin_loop()
        with self._inside():
            body = self.body()
            self._need_keyword("end")
        return nodes.For(targets, values, body, token.line)

    def _case(self, token: Token) -> Node:
        with self._inside():
            at_once = self._token.kind == "newline" or self._token.is_operator(";") or self._token.is_keyword("when")
            subject = None if at_once else self.statement()
            self._skip_separators()
            branches: list[tuple[tuple[Node, ...], Node]] = []
            while self._take_keyword("when"):
                values, _ = self._argument_list(None)
                self._skip_separators()
                self._take_keyword("then")
                branches.append((values, self.body()))
            if self._token.is_keyword("in"):
                raise self._beyond(self._token, "pattern matching ('case ... in')")
            if not branches:
                raise self._unexpected()
            otherwise = self.body() if self._take_keyword("else") else _NOTHING
            self._need_keyword("end")
        return nodes.Case(subject, tuple(branches), otherwise)

    def _begin(self, token: Token) -> Node:
        with self._inside():
            node = self.body_with_rescue(always=True)
            self._need_keyword("end")
        return node

    def body_with_rescue(self, *, always: bool = False) -> Node:
        """Statements with ``rescue``, ``else`` and ``ensure``, up to ``end``; ``always`` makes a `Begin` of them."""
        body = self.body()
        rescues: list[nodes.Rescue] = []
        while self._take_keyword("rescue"):
            rescues.append(self._rescue())
        otherwise = self.body() if self._take_keyword("else") else None
        ensure = self.body() if self._take_keyword("ensure") else None
        if not (always or rescues or otherwise is not None or ensure is not None):
            return body
        return nodes.Begin(body, tuple(rescues), otherwise, ensure)

    def _rescue(self) -> nodes.Rescue:
        kinds: list[Node] = []
        target: Node | None = None
        while not (self._token.kind in ("newline", "end") or self._token.is_operator(";", "=>")):
            if self._token.is_keyword("then"):
                break
            kinds.append(nodes.Splat(self._ternary()) if self._take("*") else self._ternary())
            if not self._take(","):
                break
            self._skip_newlines()
        if self._take("=>"):
            target = self._target()
            if target is None:
                raise self._unexpected()
            self._declare(target)
        self._skip_separators()
        self._take_keyword("then")
        return nodes.Rescue(tuple(kinds), target, self.body())

    def _def(self, token: Token) -> Node:
        name = self._next()
        if name.is_keyword("self") and self._take("."):
            name = self._next()
        if name.kind not in ("identifier", "constant", "keyword"):
            raise self._beyond(name, "the definition of an operator")
        if self._token.is_operator(".", "="):
            raise self._beyond(self._token, "the definition of a method of an object")
        with self._inside(), self._scope(is_method=True):
            if self._take("("):
                parameters = self.parameters(")")
                self._need(")")
            else:
                parameters = self.parameters("")
            if self._token.is_operator("="):
                raise self._beyond(self._token, "a definition without 'end'")
            self._declare_parameters(parameters)
            body = self.body_with_rescue()
            self._need_keyword("end")
        return nodes.Definition(name.value, parameters, body)

    def _jump(self, token: Token) -> Node:
        value: Node = _NOTHING
        if self._begins_argument() or self._token.is_operator("{", "(", "["):
            value = self.expression()
            if self._token.is_operator(","):
                value = self._listed(value)
        return nodes.Jump(token.value, value)

    def _yield(self, token: Token) -> Node:
        call = self._call(None, token)
        return nodes.Yield(call.arguments, token.line)

    # --- parameters

    def parameters(self, closing: str) -> nodes.Parameters:
        """Parameters up to ``closing``, which is not consumed, or to the end of the line."""
        required: list[str | nodes.Parameters] = []
        optional: list[tuple[str, Node]] = []
        keywords: list[tuple[str, Node | None]] = []
        rest: str | None = None
        block: str | None = None
        behind = 0
        while True:
            if closing:
                self._skip_newlines()
            token = self._token
            if token.is_operator(closing, ";") or token.kind in ("newline", "end") or token.is_keyword("do"):
                break
            if self._take("*"):
                rest = self._next().value if self._token.kind == "identifier" else "*"
            elif self._take("&"):
                block = self._next().value
            elif self._take("**"):
                raise self._beyond(token, "'**' among parameters")
            elif self._take("("):
                required.append(self.parameters(")"))
                behind += rest is not None or bool(optional)
                self._need(")")
            elif token.kind == "label":
                keywords.append(self._keyword_parameter(closing))
            elif token.kind == "identifier":
                self._place += 1
                if self._take("="):
                    optional.append((token.value, self._default()))
                else:
                    required.append(token.value)
                    behind += rest is not None or bool(optional)
            else:
                raise self._unexpected()
            if not self._take(","):
                break
        if closing == "|" and self._take(";"):
            while self._token.kind == "identifier":
                self._names.add(self._next().value)
                self._take(",")
        return nodes.Parameters(tuple(required), tuple(optional), rest, behind, tuple(keywords), block)

    def _default(self) -> Node:
        """A default value: a ``|`` behind it ends the parameters."""
        return self._binary(7)

    def _keyword_parameter(self, closing: str) -> tuple[str, Node | None]:
        name = self._next()
        if self._token.is_operator(",", closing) or self._token.kind in ("newline", "end"):
            return name.value, None
        return name.value, self._default()


def _sequence(statements: list[Node]) -> Node:
    if not statements:
        return _NOTHING
    return statements[0] if len(statements) == 1 else nodes.Sequence(tuple(statements))


_CONSTRUCTS = {
    "if": Parser._if,
    "unless": Parser._if,
    "while": Parser._while,
    "until": Parser._while,
    "for": Parser._for,
    "case": Parser._case,
    "begin": Parser._begin,
    "def": Parser._def,
    "return": Parser._jump,
    "break": Parser._jump,
    "next": Parser._jump,
    "retry": Parser._jump,
    "yield": Parser._yield,
}
