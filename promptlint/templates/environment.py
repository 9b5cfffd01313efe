"""The jinja environment of chat templates, set up as transformers 5 sets its own up.

Source: `transformers/utils/chat_template_utils.py`, version 5.24.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import chain
from types import BuiltinMethodType, MethodType
from typing import Any, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from promptlint.templates.deadline import check_deadline


class RaisedByTemplateError(jinja2.TemplateError):
    """The template called `raise_exception`."""


class GenerationTag(Extension):
    """`{% generation %}`, which marks what the assistant wrote: it prints its body."""

    tags = {"generation"}  # noqa: RUF012 - jinja declares it so

    def parse(self, parser: Parser) -> nodes.Node:
        """The block as a call that gives its body back."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller: Macro) -> str:
        return caller()


class RestrictedDict:
    """The `dict` of a template, which does not hand out the class itself."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """A new dict."""
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any) -> dict[Any, Any]:
        """`dict.fromkeys`."""
        return dict.fromkeys(*args)


class RestrictedNamespace(Namespace):
    """The `namespace` of a template, which refuses names that start with an underscore."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        self, *mappings = args  # as jinja does, so that `self=` can be an attribute
        attributes = dict(*mappings, **kwargs)
        for name in attributes:
            _check_name(name)
        Namespace.__init__(self, attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_name(name)
        super().__setitem__(name, value)


def _check_name(name: Any) -> None:
    if isinstance(name, str) and name.startswith("_"):
        message = f"a namespace cannot have the attribute {name!r}"
        raise jinja2.exceptions.SecurityError(message)


METHODS = (MethodType, BuiltinMethodType)
"""The methods of an object, written in Python or in C."""
_DICT_METHODS = frozenset(dir(dict))
_TEXT_METHODS = frozenset(name for name in dir(str) if name[0] != "_") - {"format", "format_map"}
_STATES = frozenset({RestrictedNamespace, LoopContext})
_PLAIN = frozenset({bool, int, str})


class ChatCodeGenerator(CodeGenerator):
    """Calls what a template has of its environment without the sandbox's checks."""

    def visit_Call(  # noqa: N802 - jinja's name
        self, node: nodes.Call, frame: Frame, forward_caller: bool = False
    ) -> None:
        """Write the code of a call."""
        if not isinstance(node.node, nodes.EnvironmentAttribute):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")


class ChatEnvironment(ImmutableSandboxedEnvironment):
    """The environment that a model's engine would render the template with.

    Each round of a loop and each call of a macro checks the deadline, so that no
    template runs for ever.
    """

    code_generator_class = ChatCodeGenerator

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols]
        )
        self.filters["tojson"] = _tojson
        self.globals["raise_exception"] = _raise_exception
        self.globals["dict"] = RestrictedDict()
        self.globals["namespace"] = RestrictedNamespace
        self.check_deadline = check_deadline

    def _generate(
        self, source: nodes.Template, name: Any, filename: Any, defer_init: bool = False
    ) -> str:
        blocks: Iterator[nodes.For | nodes.Macro]
        blocks = chain(source.find_all(nodes.For), source.find_all(nodes.Macro))
        for block in list(blocks):
            check = nodes.Call(nodes.EnvironmentAttribute("check_deadline"), [], [], None, None)
            block.body.insert(0, nodes.ExprStmt(check, lineno=block.lineno))
        return super()._generate(source, name, filename, defer_init)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """`obj.attribute`. What the sandbox allows of plain data is answered without its checks."""
        kind = type(obj)
        if kind is dict and attribute in obj and attribute not in _DICT_METHODS:
            return obj[attribute]
        if kind is str and attribute in _TEXT_METHODS:
            return getattr(obj, attribute)
        if kind in _STATES and not attribute.startswith("_"):
            value = getattr(obj, attribute, None)
            if type(value) in _PLAIN:
                return value
        return super().getattr(obj, attribute)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """A call. The methods of texts that `getattr` hands out are safe without more checks."""
        if isinstance(__obj, METHODS) and isinstance(__obj.__self__, str):
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return __obj(*args, **kwargs)
        return super().call(__context, __obj, *args, **kwargs)

    def context(self, template: jinja2.Template, variables: Mapping[str, Any]) -> Context:
        """The variables of one rendering. There is no loader, so nothing is kept for imports."""
        return self.context_class(
            self, {**self.globals, **variables}, template.name, template.blocks
        )

    def clock(self, now: datetime) -> Callable[[str], str]:
        """The `strftime_now` of templates, at a given time."""
        return now.strftime


def _raise_exception(message: Any) -> NoReturn:
    raise RaisedByTemplateError(str(message))


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    options: dict[str, Any] = {"ensure_ascii": ensure_ascii, "indent": indent}
    return json.dumps(value, separators=separators, sort_keys=sort_keys, **options)
