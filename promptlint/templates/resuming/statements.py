"""A template's statements changed so that its rendering can be watched and resumed."""

from collections.abc import Collection, Iterable, Iterator
from typing import TypeGuard

from jinja2 import nodes

from promptlint.templates.resuming.record import COMPARISONS

_FLIPPED = {"eq": "eq", "ne": "ne", "gt": "lt", "gteq": "lteq", "lt": "gt", "lteq": "gteq"}
_UNWATCHED = (nodes.Block, nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)


def can_be_watched(template: nodes.Template) -> bool:
    """Whether a template is all in one place."""
    return next(template.find_all(_UNWATCHED), None) is None


def watch(template: nodes.Template) -> None:
    """Hand the outer loops, and comparisons of attributes, to the environment."""
    stored = {name.name for name in template.find_all(nodes.Name) if name.ctx == "store"}
    called = _loaded(template.find_all(nodes.Macro))
    spaces = set(_namespaces(template))
    for number, loop in enumerate(list(_outer_loops(template.body))):
        _stop_early(loop, spaces)
        around = sorted(stored & (_loaded(loop.body) | called) - {"loop"})
        variables = [nodes.Name(name, "load") for name in around]
        loop.iter = _call("rounds", nodes.Const(number), loop.iter, *variables)
    for parent in [template, *template.find_all(nodes.Node)]:
        _hand_over_comparisons(parent, spaces)


def _outer_loops(body: Iterable[nodes.Node]) -> Iterator[nodes.For]:
    """The loops that print right into the text, each at most once in a rendering."""
    for node in body:
        if isinstance(node, nodes.For):
            if not (node.recursive or node.test or node.else_):
                yield node
        elif isinstance(node, nodes.If):
            yield from _outer_loops([*node.body, *node.elif_, *node.else_])


def _loaded(body: Iterable[nodes.Node]) -> set[str]:
    """The names of the variables that are looked at."""
    return {
        name.name
        for node in body
        for name in [*node.find_all(nodes.Name), *([node] if isinstance(node, nodes.Name) else [])]
        if name.ctx == "load"
    } | {ref.name for node in body for ref in node.find_all(nodes.NSRef)}


def _stop_early(loop: nodes.For, spaces: Collection[str]) -> None:
    """Leave a loop whose rounds do nothing any more, once it has met all new messages.

    Its rounds only name values and write to namespaces behind one test, whose first condition
    is an attribute of a namespace: it stays as it is while the test fails.
    """
    *names, last = loop.body
    if not all(map(_only_names, names)) or not isinstance(last, nodes.If):
        return
    if last.elif_ or last.else_ or last.find(nodes.Output):
        return
    first = last.test
    while isinstance(first, nodes.And):
        first = first.left
    own = {name.name for name in loop.find_all(nodes.Name) if name.ctx == "store"}
    if not _is_attribute(first, set(spaces) - own):
        return
    over = nodes.And(nodes.Not(first), _call("has_seen_new"))
    loop.body.append(nodes.If(over, [nodes.Break()], [], [], lineno=loop.lineno))


def _only_names(node: nodes.Node) -> bool:
    """Whether a statement only gives names to values, for the round alone."""
    if not all(map(_leaves_no_trace, node.find_all(nodes.Call))):
        return False
    if isinstance(node, nodes.If):
        return all(map(_only_names, [*node.body, *node.elif_, *node.else_]))
    return isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name)


def _leaves_no_trace(call: nodes.Call) -> bool:
    """Whether a call does nothing but return. A macro may write; a cycler or a joiner goes on."""
    match call.node:
        case nodes.Name(name=name):
            return bool(name == "raise_exception")
        case nodes.Getattr(attr=method):
            return hasattr(str, method) or hasattr(dict, method)
        case _:
            return False


def _namespaces(template: nodes.Template) -> Iterator[str]:
    """The variables that hold a namespace."""
    for node in template.find_all(nodes.Assign):
        made = node.node.node if isinstance(node.node, nodes.Call) else None
        if isinstance(made, nodes.Name) and made.name == "namespace":
            yield from (name.name for name in [node.target] if isinstance(name, nodes.Name))


def _hand_over_comparisons(parent: nodes.Node, spaces: Collection[str]) -> None:
    for name, value in parent.iter_fields():
        if isinstance(value, nodes.Compare):
            setattr(parent, name, _comparison(value, spaces))
        elif isinstance(value, list):
            setattr(parent, name, [_comparison(item, spaces) for item in value])


def _comparison(node: nodes.Node, spaces: Collection[str]) -> nodes.Node:
    """A comparison with a namespace's attribute as a call of the environment."""
    if not isinstance(node, nodes.Compare) or len(node.ops) != 1:
        return node
    operation = node.ops[0].op
    if operation not in COMPARISONS:
        return node
    one, other = node.expr, node.ops[0].expr
    for owner, with_what, name in ((one, other, operation), (other, one, _FLIPPED[operation])):
        if _is_attribute(owner, spaces):
            facts = (nodes.Const(owner.attr), nodes.Const(name))
            return _call("compare", owner.node, *facts, with_what)
    return node


def _is_attribute(node: nodes.Node, spaces: Collection[str]) -> TypeGuard[nodes.Getattr]:
    """Whether this is an attribute of a namespace."""
    return (
        isinstance(node, nodes.Getattr)
        and isinstance(node.node, nodes.Name)
        and node.node.name in spaces
    )


def _call(name: str, *arguments: nodes.Node) -> nodes.Call:
    return nodes.Call(nodes.EnvironmentAttribute(name), list(arguments), [], None, None)
