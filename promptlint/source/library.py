"""Functions of the standard library and builtins whose result follows from their arguments."""

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind
from promptlint.source import (
    buffers,
    clock,
    control,
    documents,
    facts,
    objects,
    sequences,
    texts,
)
from promptlint.source.alternatives import either
from promptlint.source.arguments import Arguments
from promptlint.source.classes import FIELD
from promptlint.source.frames import Frame
from promptlint.source.pieces import Mark, Volatile, concatenate, volatiles
from promptlint.source.values import (
    NONE,
    Constant,
    DictValue,
    External,
    FunctionValue,
    ListValue,
    Method,
    Partial,
    Text,
    Unknown,
    Value,
    literal,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

Handler: TypeAlias = Callable[["Interpreter", Arguments, ast.AST, Frame], Value]


def _test(
    _interpreter: "Interpreter", arguments: Arguments, _node: ast.AST, _frame: Frame
) -> Value:
    return Text(tuple(p for v in arguments.positional for p in control.deciding(v)), "bool")


def _unknown(
    _interpreter: "Interpreter", _arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    return Unknown("", frame.place(node))


def _asked(
    _interpreter: "Interpreter", _arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """What the user types: in each round of a conversation it is the user's message."""
    return Unknown("input()", frame.place(node), user=frame.rounds, called=True)


def _getattr(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    if len(arguments.positional) < 2:
        return Unknown("", frame.place(node))
    name = literal(arguments.positional[1])
    if name is None:
        return Unknown("attribute", frame.place(node))
    value = interpreter.attribute(arguments.positional[0], name, node, frame)
    default = arguments.get(2)
    return value if default is None or not isinstance(value, Unknown) else either(value, default)


def _super(
    _interpreter: "Interpreter", _arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    function = frame.function
    if function is None or not function.node.args.args:
        return Unknown("super()", frame.place(node))
    own = frame.names.get(function.node.args.args[0].arg, NONE)
    return Method(own, objects.SUPER)


def _dumps(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    value = arguments.positional[0] if arguments.positional else NONE
    pieces = interpreter.pieces(facts.by_key(value), node, frame)
    if facts.unsorted_json(interpreter, value, arguments, node, frame):
        pieces = concatenate(((Mark(str(frame.place(node))),), pieces))
    return Text(pieces)


def _loads(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    value = arguments.positional[0] if arguments.positional else NONE
    pieces = interpreter.pieces(value, node, frame)
    moving = tuple(volatiles(pieces))
    return Text(moving, "decoded") if moving else DictValue({}, open=True, decoded=True)


def _path(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    return documents.path_of(interpreter, arguments.positional, node, frame)


def _environment(
    _interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    found = documents.environment(arguments.get(0, "key"), node, frame)
    default = arguments.get(1, "default")
    return found if default is None or isinstance(found, Text) else either(found, default)


def _clock(frame: Frame, node: ast.AST, detail: str) -> Text:
    piece = Volatile(
        CauseKind.CLOCK, "timestamp", Axis.SECOND, detail, frame.place(node), frame.stage
    )
    return Text((piece,), "datetime")


def _strftime(
    _interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    template = literal(arguments.positional[0]) if arguments.positional else None
    moment = arguments.get(1)
    if moment is not None and not (isinstance(moment, Text) and tuple(volatiles(moment.pieces))):
        return Unknown("strftime()", frame.place(node))
    own = moment if isinstance(moment, Text) else _clock(frame, node, "time.strftime")
    return own if template is None else texts.at_axis(own, clock.of_format(template), template)


def _moment(
    _interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """A time made of another: only one made of the clock is the time now."""
    first = arguments.get(0)
    moving = tuple(volatiles(first.pieces)) if isinstance(first, Text) else ()
    return Text(moving, "datetime") if moving else Unknown("moment", frame.place(node))


def _partial(
    _interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    if not arguments.positional:
        return Unknown("", frame.place(node))
    callee, *positional = arguments.positional
    return Partial(callee, tuple(positional), tuple(arguments.keywords.items()))


def _memoised(
    _interpreter: "Interpreter", arguments: Arguments, _node: ast.AST, _frame: Frame
) -> Value:
    """`lru_cache(function)`, and `lru_cache(maxsize=1)`, which is called with a function later."""
    function = arguments.get(0, "user_function")
    if isinstance(function, FunctionValue):
        return replace(function, memoised=True)
    return External("functools.cache")


def _completed(
    _interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """`CompletedProcess(args, returncode, stdout)`: its output is the text handed to it."""
    output = arguments.get(2, "stdout")
    return output if isinstance(output, Text) else Unknown("process", frame.place(node))


def _future(
    _interpreter: "Interpreter", _arguments: Arguments, _node: ast.AST, _frame: Frame
) -> Value:
    return ListValue([], form="future")


def _field(_interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    entries: dict[str, Value] = {FIELD: NONE, **arguments.keywords}
    if arguments.positional and arguments.positional[0] != Constant(...):
        entries.setdefault("default", arguments.positional[0])
    return DictValue(entries, frame.place(node))


def _namespace(
    _interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    return DictValue(dict(arguments.keywords), frame.place(node))


def _open(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    return documents.opened(interpreter, arguments, node, frame)


HANDLERS: dict[str, Handler] = {
    **sequences.HANDLERS,
    **buffers.HANDLERS,
    **dict.fromkeys(("any", "all", "bool"), _test),
    **dict.fromkeys(("isinstance", "issubclass", "hasattr", "callable"), _unknown),
    **dict.fromkeys(("input", "click.prompt", "typer.prompt", "rich.prompt.Prompt.ask"), _asked),
    "getattr": _getattr,
    "super": _super,
    "open": _open,
    "io.open": _open,
    "codecs.open": _open,
    "aiofiles.open": _open,
    "json.dumps": _dumps,
    "orjson.dumps": _dumps,
    **dict.fromkeys(
        ("json.loads", "json.load", "orjson.loads", "yaml.safe_load", "yaml.load", "tomllib.load"),
        _loads,
    ),
    **dict.fromkeys(("pathlib.Path", "pathlib.PurePath", "os.path.join", "anyio.Path"), _path),
    "os.environ.get": _environment,
    "os.getenv": _environment,
    "time.strftime": _strftime,
    "datetime.datetime.fromtimestamp": _moment,
    "datetime.datetime.utcfromtimestamp": _moment,
    "datetime.date.fromtimestamp": _moment,
    "datetime.datetime.combine": _moment,
    "functools.partial": _partial,
    **dict.fromkeys(("functools.cache", "functools.lru_cache"), _memoised),
    "subprocess.CompletedProcess": _completed,
    **dict.fromkeys(("concurrent.futures.Future", "asyncio.Future"), _future),
    **dict.fromkeys(
        [
            "dataclasses.field",
            "pydantic.Field",
            "pydantic.fields.Field",
            "pydantic.PrivateAttr",
            "attrs.field",
            "attr.field",
            "attr.ib",
            "msgspec.field",
        ],
        _field,
    ),
    "types.SimpleNamespace": _namespace,
}
