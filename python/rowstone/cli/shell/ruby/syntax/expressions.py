"""Expressions: operators by their precedence, calls with and without parentheses, literals, blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rowstone.cli.shell.errors import SyntaxMistake
from rowstone.cli.shell.ruby.syntax import nodes
from rowstone.cli.shell.ruby.syntax.nodes import Node
from rowstone.cli.shell.ruby.syntax.stream import TokenStream
from rowstone.cli.shell.ruby.syntax.tokens import Token, words
from rowstone.cli.shell.values import Symbol

_LITERALS = {"true": True, "false": False, "nil": None, "__FILE__": "(hbase)"}

_PRECEDENCE = {
    "..": 1, "...": 1,
    "||": 2, "&&": 3,
    "<=>": 4, "==": 4, "===": 4, "!=": 4, "=~": 4, "!~": 4,
    "<": 5, "<=": 5, ">": 5, ">=": 5,
    "|": 6, "^": 6, "&": 7, "<<": 8, ">>": 8,
    "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
    "**": 12,
}  # fmt: skip
_OF_UNARY_MINUS = 11
_NEGATED = {"!=": "==", "!~": "=~"}

_ASSIGNMENTS = words("= += -= *= /= %= **= ||= &&= <<= >>= |= &= ^=")
_ARGUMENT_KINDS = words("constant error global identifier instance label number regex string symbol words")
_ARGUMENT_KEYWORDS = words("__FILE__ __LINE__ begin case defined? false nil not self true yield")


class Expressions(TokenStream, ABC):
    """The half of the parser that knows expressions; `parser.Parser` adds statements."""

    @abstractmethod
    def body(self, *closing: str) -> Node:
        """Statements up to an operator of ``closing`` or a keyword that ends a body."""

    @abstractmethod
    def body_with_rescue(self, *, always: bool = False) -> Node:
        """Statements with ``rescue`` and ``ensure``, up to ``end``."""

    @abstractmethod
    def construct(self, token: Token) -> Node:
        """The construct that a keyword begins."""

    @abstractmethod
    def interpolated(self, tokens: tuple[Token, ...]) -> Node:
        """The expression in ``#{...}``."""

    @abstractmethod
    def parameters(self, closing: str) -> nodes.Parameters:
        """Parameters up to ``closing``."""

    def expression(self) -> Node:
        """An expression with assignments and ``not``, without ``and``, ``or`` and modifiers."""
        if self._take_keyword("not"):
            return nodes.Not(self.expression())
        token = self._token
        node = self._ternary()
        sign = self._token
        if sign.kind == "operator" and sign.value in _ASSIGNMENTS and self._is_assignable(node):
            return self._assignment(node, token)
        return node

    def _is_assignable(self, node: Node) -> bool:
        match node:
            case nodes.Name() | nodes.Variable() | nodes.Constant():
                return True
            case nodes.Call(target=target, arguments=arguments, block=None):
                return target is not None and (node.name == "[]" or (not arguments and node.name.isidentifier()))
        return False

    def _assignment(self, target: Node, first: Token) -> Node:
        sign = self._next()
        self._declare(target)
        self._skip_newlines()
        if self._take("*"):
            value: Node = nodes.ArrayLiteral((nodes.Splat(self.expression()),))
        else:
            value = self.expression()
        if self._take_keyword("rescue"):
            value = nodes.Begin(value, (nodes.Rescue((), None, self.expression()),), None, None)
        if sign.value == "=":
            return nodes.Assign(target, value)
        return nodes.OperatorAssign(target, sign.value[:-1], value, first.line)

    def _declare(self, target: Node) -> None:
        match target:
            case nodes.Name(name):
                self._names.add(name)
            case nodes.Splat(value):
                self._declare(value)
            case tuple():
                for item in target:
                    self._declare(item)

    # --- operators

    def _ternary(self) -> Node:
        condition = self._binary(0)
        if not self._take("?"):
            return condition
        self._skip_newlines()
        then = self._branch()
        self._skip_newlines()
        token = self._token
        if token.kind == "symbol" and len(token.value) == 1 and isinstance(token.value[0], str):
            # `a ? b :c` is read as a symbol.
            self._place += 1
            otherwise: Node = nodes.Name(token.value[0], token.line)
            if token.value[0][0].isupper():
                otherwise = nodes.Constant(token.value[0], token.line)
            return nodes.If(condition, then, self._postfix(otherwise))
        self._need(":")
        self._skip_newlines()
        return nodes.If(condition, then, self._branch())

    def _branch(self) -> Node:
        with self._deeper():
            return self.expression()

    def _binary(self, least: int) -> Node:
        left = self._unary()
        while True:
            token = self._token
            level = _PRECEDENCE.get(token.value, -1) if token.kind == "operator" else -1
            if level < max(least, 0) or level == -1:
                return left
            self._place += 1
            if token.value in ("..", "..."):
                left = self._range(left, token)
                continue
            self._skip_newlines()
            # `**` binds to the right, all others to the left.
            right = self._binary(level if token.value == "**" else level + 1)
            left = self._combined(token, left, right)

    def _combined(self, token: Token, left: Node, right: Node) -> Node:
        sign = token.value
        if sign in ("&&", "||"):
            return nodes.Logical(sign, left, right)
        if sign in _NEGATED:
            return nodes.Not(nodes.Call(left, _NEGATED[sign], (right,), None, token.line))
        return nodes.Call(left, sign, (right,), None, token.line)

    def _range(self, first: Node, token: Token) -> Node:
        if self._token.kind in ("newline", "end") or self._token.is_operator(")", "]"):
            last = None
        else:
            last = self._binary(_PRECEDENCE[".."] + 1)
        return nodes.RangeLiteral(first, last, token.value == "...")

    def _unary(self) -> Node:
        token = self._token
        if self._take("-"):
            following = self._token
            if following.kind == "number" and not following.spaced and not self._peek().is_operator("**"):
                self._place += 1
                return self._postfix(nodes.Literal(-following.value))
            with self._deeper():
                return nodes.Call(self._binary(_OF_UNARY_MINUS), "-@", (), None, token.line)
        if self._take("+"):
            with self._deeper():
                return self._binary(_OF_UNARY_MINUS)
        if self._take("!"):
            with self._deeper():
                return nodes.Not(self._unary())
        if self._take_keyword("defined?"):
            with self._deeper():
                return nodes.Defined(self._unary())
        if token.is_operator("&"):
            raise self._unexpected()
        return self._postfix(self._primary())

    # --- postfix: methods, constants inside, elements

    def _postfix(self, node: Node) -> Node:
        while True:
            token = self._token
            if token.kind == "newline" and self._goes_on_with_dot():
                self._skip_newlines()
                token = self._token
            if token.is_operator(".", "&."):
                self._place += 1
                self._skip_newlines()
                node = self._method(node, is_safe=token.value == "&.")
            elif token.is_operator("::") and not (token.spaced and not token.before_space):
                self._place += 1
                node = self._scoped(node)
            elif token.is_operator("[") and (not token.spaced or self._is_value(node)):
                node = self._element(node, token)
            else:
                return node

    def _goes_on_with_dot(self) -> bool:
        distance = 1
        while self._peek(distance).kind == "newline":
            distance += 1
        return self._peek(distance).is_operator(".", "&.")

    def _is_value(self, node: Node) -> bool:
        """Whether ``node`` is a variable, so that a token after a space does not start an argument."""
        return isinstance(node, nodes.Variable) or (isinstance(node, nodes.Name) and node.name in self._names)

    def _element(self, target: Node, token: Token) -> Node:
        self._place += 1
        with self._inside():
            arguments, _ = self._argument_list("]")
        return nodes.Call(target, "[]", arguments, None, token.line)

    def _method(self, target: Node, *, is_safe: bool) -> Node:
        name = self._token
        if name.is_operator("("):  # proc.(x)
            return self._call(target, Token("identifier", "call", name.line), is_safe=is_safe)
        if name.kind not in ("identifier", "constant", "keyword", "label"):
            raise self._unexpected()
        if name.kind == "label":
            raise SyntaxMistake(f"syntax error, unexpected ':' after '{name.value}'", name.line)
        self._place += 1
        return self._call(target, name, is_safe=is_safe)

    def _scoped(self, target: Node) -> Node:
        name = self._next()
        if name.kind == "constant" and not (self._token.is_operator("(") and not self._token.spaced):
            return nodes.Scoped(target, name.value, name.line)
        if name.kind not in ("constant", "identifier", "keyword"):
            self._place -= 1
            raise self._unexpected()
        return self._call(target, name)

    def _call(self, target: Node | None, name: Token, *, is_safe: bool = False) -> Node:
        """A call whose name is consumed: its arguments and its block."""
        arguments: tuple[Node, ...] = ()
        block: Node | None = None
        if self._token.is_operator("(") and not self._token.spaced:
            self._place += 1
            with self._inside():
                arguments, block = self._argument_list(")")
        elif self._begins_argument():
            with self._without_do():
                arguments, block = self._argument_list(None)
            if self._token.is_operator("{"):  # It belongs to the last argument, if to anything.
                return nodes.Call(target, name.value, arguments, block, name.line, is_safe)
        block = self._block() or block
        return nodes.Call(target, name.value, arguments, block, name.line, is_safe)

    def _begins_argument(self) -> bool:
        """Whether a value starts here: the first argument of a call without parentheses."""
        token = self._token
        if token.kind in _ARGUMENT_KINDS:
            return True
        if token.kind == "keyword":
            return token.value in _ARGUMENT_KEYWORDS
        if token.is_operator("[", "("):
            return token.spaced
        if token.is_operator("->"):
            return True
        if token.is_operator("-", "*", "&", "::", "!", "**"):
            return token.spaced and not token.before_space
        return False

    def _argument_list(self, closing: str | None) -> tuple[tuple[Node, ...], Node | None]:
        """Arguments up to ``closing``, which is consumed, or to the end of the statement; pairs become one hash."""
        items: list[Node] = []
        pairs: list[tuple[Node | None, Node]] = []
        block: Node | None = None
        while not (closing and self._closes(closing)):
            if self._take("&"):
                block = nodes.BlockPass(self.expression())
            elif self._take("*"):
                items.append(nodes.Splat(self._ternary()))
            elif pair := self._pair():
                pairs.append(pair)
            else:
                line = self._token.line
                value = self._value()
                if self._take("=>"):
                    self._skip_newlines()
                    pairs.append((value, self._value()))
                elif pairs:
                    raise SyntaxMistake("syntax error, unexpected value behind key => value", line)
                else:
                    items.append(value)
            if closing:
                self._skip_newlines()
            if not self._take(","):
                break
            self._skip_newlines()
        if closing:
            self._need(closing)
        return (*items, nodes.HashLiteral(tuple(pairs))) if pairs else tuple(items), block

    def _value(self) -> Node:
        with self._deeper():
            return self.expression()

    def _closes(self, sign: str) -> bool:
        self._skip_newlines()
        return self._token.is_operator(sign)

    def _pair(self) -> tuple[Node | None, Node] | None:
        """``name: value`` or ``**hash``."""
        if self._take("**"):
            return None, self._ternary()
        token = self._token
        if token.kind != "label":
            return None
        self._place += 1
        self._skip_newlines()
        return nodes.Literal(Symbol(token.value)), self._value()

    # --- blocks

    def _block(self) -> nodes.Block | None:
        """The block after a call, if there is one."""
        if self._token.is_operator("{"):
            return self._block_until("}")
        if not self._no_do and self._token.is_keyword("do"):
            return self._block_until("end")
        return None

    def _block_until(self, closing: str, parameters: nodes.Parameters | None = None) -> nodes.Block:
        self._next()
        with self._inside(), self._scope():
            is_lambda = parameters is not None
            if parameters is None:
                self._skip_newlines()
                parameters = self._block_parameters()
            else:
                self._declare_parameters(parameters)
            if closing == "}":
                body = self.body("}")
                self._need("}")
            else:
                body = self.body_with_rescue()
                self._need_keyword("end")
        return nodes.Block(parameters, body, is_lambda)

    def _block_parameters(self) -> nodes.Parameters:
        if self._take("||") or not self._take("|"):
            return nodes.Parameters()
        parameters = self.parameters("|")
        self._need("|")
        self._declare_parameters(parameters)
        return parameters

    def _lambda(self) -> nodes.Block:
        if self._take("("):
            parameters = self.parameters(")")
            self._need(")")
        else:
            parameters = self.parameters("{")
        if self._token.is_operator("{"):
            return self._block_until("}", parameters)
        if self._token.is_keyword("do"):
            return self._block_until("end", parameters)
        raise self._unexpected()

    def _declare_parameters(self, parameters: nodes.Parameters) -> None:
        for item in parameters.required:
            if isinstance(item, nodes.Parameters):
                self._declare_parameters(item)
            else:
                self._names.add(item)
        self._names.update(name for name, _ in (*parameters.optional, *parameters.keywords))
        self._names.update(name for name in (parameters.rest, parameters.block) if name)

    # --- primaries

    def _primary(self) -> Node:
        token = self._next()
        match token.kind:
            case "number":
                return nodes.Literal(token.value)
            case "string":
                return self._string(token)
            case "symbol":
                return self._symbol(token)
            case "regex":
                return nodes.RegexLiteral(self._parts(token), token.flags)
            case "words":
                words = map(Symbol, token.value) if token.flags else iter(token.value)
                return nodes.ArrayLiteral(tuple(map(nodes.Literal, words)))
            case "identifier":
                return self._word(token)
            case "constant":
                return self._constant(token)
            case "instance" | "global":
                return nodes.Variable(token.value, token.line)
            case "keyword":
                return self._keyword(token)
            case "operator":
                return self._bracketed(token)
        self._place -= 1
        raise self._unexpected()

    def _keyword(self, token: Token) -> Node:
        if token.value in _LITERALS:
            return nodes.Literal(_LITERALS[token.value])
        if token.value == "__LINE__":
            return nodes.Literal(token.line)
        if token.value == "self":
            return nodes.Self()
        return self.construct(token)

    def _word(self, token: Token) -> Node:
        is_variable = token.value in self._names
        has_parentheses = self._token.is_operator("(") and not self._token.spaced
        if is_variable and not has_parentheses and not self._is_called_all_the_same():
            return nodes.Name(token.value, token.line)
        if token.value in ("lambda", "proc") and (self._token.is_operator("{") or self._token.is_keyword("do")):
            block = self._block_until("}" if self._token.is_operator("{") else "end")
            return nodes.Block(block.parameters, block.body, token.value == "lambda")
        call = self._call(None, token)
        if isinstance(call, nodes.Call) and not call.arguments and call.block is None and not has_parentheses:
            return nodes.Name(token.value, token.line)
        return call

    def _is_called_all_the_same(self) -> bool:
        """Whether a value follows the name of a variable: ``list = list 't.*'`` calls the command."""
        token = self._token
        return token.spaced and token.kind in ("constant", "identifier", "instance", "number", "string")

    def _constant(self, token: Token) -> Node:
        following = self._token
        if following.is_operator("(") and not following.spaced:
            return self._call(None, token)
        if following.kind == "string" and following.spaced:  # Integer '5'
            return self._call(None, token)
        return nodes.Constant(token.value, token.line)

    def _string(self, token: Token) -> Node:
        """Parse a string; adjacent strings are joined."""
        parts = list(self._parts(token))
        while self._token.kind == "string":
            parts += self._parts(self._next())
        if all(isinstance(part, nodes.Literal) and isinstance(part.value, str) for part in parts):
            return nodes.Literal("".join(part.value for part in parts))
        return nodes.Template(tuple(parts))

    def _symbol(self, token: Token) -> Node:
        parts = self._parts(token)
        if all(isinstance(part, nodes.Literal) and isinstance(part.value, str) for part in parts):
            return nodes.Literal(Symbol("".join(part.value for part in parts)))
        return nodes.Template(parts, "symbol")

    def _parts(self, token: Token) -> tuple[Node, ...]:
        return tuple(nodes.Literal(part) if isinstance(part, str) else self.interpolated(part) for part in token.value)

    def _bracketed(self, token: Token) -> Node:
        if token.value == "[":
            with self._inside():
                items, block = self._argument_list("]")
            if block is not None:
                raise SyntaxMistake("syntax error, a block stands in an array", token.line)
            return nodes.ArrayLiteral(items)
        if token.value == "{":
            return self._hash(token)
        if token.value == "(":
            with self._inside():
                inside = self.body(")")
                self._need(")")
            return inside
        if token.value == "->":
            with self._inside(), self._scope():
                return self._lambda()
        if token.value == "::" and self._token.kind == "constant":
            return nodes.Constant(self._next().value, token.line)
        if token.value in ("..", "..."):
            raise self._beyond(token, "a range without a beginning")
        self._place -= 1
        raise self._unexpected()

    def _hash(self, token: Token) -> Node:
        pairs: list[tuple[Node | None, Node]] = []
        with self._inside():
            while not self._closes("}"):
                if pair := self._pair():
                    pairs.append(pair)
                else:
                    key = self._value()
                    self._skip_newlines()
                    if not self._take("=>"):
                        if self._token.kind == "end":
                            raise self._unexpected()
                        raise SyntaxMistake("syntax error, a hash holds key => value pairs", token.line)
                    self._skip_newlines()
                    pairs.append((key, self._value()))
                self._skip_newlines()
                if not self._take(","):
                    break
            self._need("}")
        return nodes.HashLiteral(tuple(pairs))
