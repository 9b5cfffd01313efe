"""Import statements: names of the tree are bound lazily, all others by their dotted name."""

import ast
from typing import TYPE_CHECKING

from promptlint.source.frames import Frame
from promptlint.source.values import External, Imported, ModuleValue

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter


def module(interpreter: "Interpreter", node: ast.Import, frame: Frame) -> bool:
    """`import a.b as c`."""
    for alias in node.names:
        name = alias.name if alias.asname else alias.name.partition(".")[0]
        path = interpreter.tree.find(frame.module.path, name, 0)
        frame.bind(alias.asname or name, ModuleValue(path) if path else External(name))
    return False


def names(interpreter: "Interpreter", node: ast.ImportFrom, frame: Frame) -> bool:
    """`from a import b as c`; a star binds every public name."""
    path = interpreter.tree.find(frame.module.path, node.module or "", node.level)
    for alias in node.names:
        if path is None:
            base = f"{node.module}." if node.module else ""
            frame.bind(alias.asname or alias.name, External(base + alias.name))
        elif alias.name != "*":
            frame.bind(alias.asname or alias.name, Imported(path, alias.name))
        elif path.is_file() and (found := interpreter.module_frame(path)) is not None:
            for name, value in found.names.items():
                if not name.startswith("_"):
                    frame.names[name] = value
    return False
