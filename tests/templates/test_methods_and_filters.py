"""Every method of str and every filter of jinja keeps provenance or gives it up as UNKNOWN.

An input's text never becomes the template's own. New methods and filters fail here first.
"""

import json
from datetime import datetime
from typing import Any

import pytest
from jinja2.filters import FILTERS

from promptlint.templates import UNKNOWN, TemplateRender, render_template, trace
from promptlint.templates.environment import ChatEnvironment
from promptlint.templates.traced_data import leaves_of
from promptlint.templates.written import as_json

NOW = datetime(2031, 7, 9)
ARGUMENTS = {
    "text": "ab Cd\nef",
    "number": 1234,
    "real": 2.5,
    "flag": True,
    "words": ["one", "two", "one"],
    "record": {"key": "val", "other": 7},
    "html": "<i>a & b</i> http://example.com",
}


def rendered(expression: str) -> TemplateRender:
    return render_template("{{ " + expression + " }}", messages=[], arguments=ARGUMENTS, now=NOW)


def own_text(render: TemplateRender) -> str:
    """What counts as the template's own text."""
    return "".join(render.text[run.start : run.end] for run in render.runs if run.leaf is None)


# An expression for each public method of str, and what of its text is the template's own.
METHODS = {
    "capitalize": ("text.capitalize()", ""),
    "casefold": ("text.casefold()", ""),
    "center": ("text.center(12, '*')", "****"),
    "count": ("text.count('a')", ""),
    "encode": ("text.encode()", ""),
    "endswith": ("text.endswith('ef')", ""),
    "expandtabs": ("text.expandtabs()", ""),
    "find": ("text.find('Cd')", ""),
    "format": ("'<{}|{:>5}>'.format(text, number)", "<|>"),
    "format_map": ("'<{text}>'.format_map({'text': text})", "<>"),
    "index": ("text.index('Cd')", ""),
    "isalnum": ("text.isalnum()", ""),
    "isalpha": ("text.isalpha()", ""),
    "isascii": ("text.isascii()", ""),
    "isdecimal": ("text.isdecimal()", ""),
    "isdigit": ("text.isdigit()", ""),
    "isidentifier": ("text.isidentifier()", ""),
    "islower": ("text.islower()", ""),
    "isnumeric": ("text.isnumeric()", ""),
    "isprintable": ("text.isprintable()", ""),
    "isspace": ("text.isspace()", ""),
    "istitle": ("text.istitle()", ""),
    "isupper": ("text.isupper()", ""),
    "join": ("'-'.join([text, text])", "-"),
    "ljust": ("text.ljust(10, '*')", "**"),
    "lower": ("text.lower()", ""),
    "lstrip": ("text.lstrip('a')", ""),
    "maketrans": ("text.maketrans(text, text)", ""),
    "partition": ("text.partition(' ')|join('-')", "--"),
    "removeprefix": ("text.removeprefix('a')", ""),
    "removesuffix": ("text.removesuffix('f')", ""),
    "replace": ("'(x)'.replace('x', text)", "()"),
    "rfind": ("text.rfind('Cd')", ""),
    "rindex": ("text.rindex('Cd')", ""),
    "rjust": ("text.rjust(10, '*')", "**"),
    "rpartition": ("text.rpartition(' ')|join('-')", "--"),
    "rsplit": ("text.rsplit()|join('-')", "--"),
    "rstrip": ("text.rstrip('f')", ""),
    "split": ("text.split()|join('-')", "--"),
    "splitlines": ("text.splitlines()|join('-')", "-"),
    "startswith": ("text.startswith('a')", ""),
    "strip": ("text.strip('af')", ""),
    "swapcase": ("text.swapcase()", ""),
    "title": ("text.title()", ""),
    "translate": ("text.translate({97: 'x'})", ""),
    "upper": ("text.upper()", ""),
    "zfill": ("text.zfill(12)", ""),
}

# An expression for each filter of jinja, and what of its text is the template's own.
FILTER_EXAMPLES = {
    "abs": ("number|abs", ""),
    "attr": ("(text|attr('upper'))()", ""),
    "batch": ("(words|batch(2)|first)|join('-')", "-"),
    "capitalize": ("[text]|capitalize", "[]"),
    "center": ("number|center(8)", "    "),
    "count": ("text|count", ""),
    "d": ("missing|d(text)", ""),
    "default": ("''|default(text, true)", ""),
    "dictsort": ("(record|dictsort|first)|join('-')", "-"),
    "e": ("html|e", ""),
    "escape": ("html|escape", ""),
    "filesizeformat": ("number|filesizeformat", ""),
    "first": ("text|first", ""),
    "float": ("number|float", ""),
    "forceescape": ("html|forceescape", ""),
    "format": ("'<%s|%5d|%%>'|format(text, number)", "<||%>"),
    "groupby": ("(words|groupby('0')|first).list|join('-')", "-"),
    "indent": ("text|indent(2)", "  "),
    "int": ("real|int", ""),
    "items": ("(record|items|first)|join('-')", "-"),
    "join": ("words|join('-')", "--"),
    "last": ("text|last", ""),
    "length": ("words|length", ""),
    "list": ("text|list|last", ""),
    "lower": ("text|lower", ""),
    "map": ("words|map('upper')|join('-')", "--"),
    "max": ("words|max", ""),
    "min": ("words|min", ""),
    "pprint": ("record|pprint", ""),
    "random": ("[text]|random", ""),
    "reject": ("words|reject('equalto', 'two')|join('-')", "-"),
    "rejectattr": ("([record]|rejectattr('missing')|first).key", ""),
    "replace": ("'(x)'|replace('x', text)", "()"),
    "reverse": ("text|reverse", ""),
    "round": ("real|round", ""),
    "safe": ("'<' + (html|safe)", "&lt;"),
    "select": ("words|select('equalto', 'two')|join('-')", ""),
    "selectattr": ("([record]|selectattr('key')|first).key", ""),
    "slice": ("(words|slice(2)|first)|join('-')", "-"),
    "sort": ("words|sort|join('-')", "--"),
    "string": ("record|string", ""),
    "striptags": ("html|striptags", ""),
    "sum": ("[number, number]|sum", ""),
    "title": ("text|title", ""),
    "tojson": ("record|tojson", ""),
    "trim": ("text|trim('a')", ""),
    "truncate": ("text|truncate(6, true, '..', 0)", ".."),
    "unique": ("words|unique|join('-')", "-"),
    "upper": ("text|upper", ""),
    "urlencode": ("html|urlencode", ""),
    "urlize": ("html|urlize", ""),
    "wordcount": ("text|wordcount", ""),
    "wordwrap": ("text|wordwrap(3)", ""),
    "xmlattr": ("record|xmlattr", ""),
}

OPERATORS = {
    "+": ("'<' + text + '>'", "<>"),
    "~": ("'<' ~ number ~ words ~ '>'", "<>"),
    "%": ("'%s-%.1f-%r-%%' % (text, real, text)", "---%"),
    "% mapping": ("'%(a)s-' % {'a': text}", "-"),
    "% width": ("'%*d' % (6, number)", ""),
    "*": ("text * 2", ""),
    "slice": ("text[::-2]", ""),
    "index": ("words[1][0]", ""),
    "arithmetic": ("(number + 1) // 2 * 3 - real", ""),
    "reflected": ("2 ** number % 7 + 1", ""),
    "comparison": ("text == number", ""),
    "flag": ("flag", ""),
    "none": ("none or record.missing_key_is_undefined", ""),
    "condition": ("text if flag is true and flag is boolean and flag is not integer", ""),
    "format attribute": ("'{0.key}{0[other]}'.format(record)", ""),
    "format conversion": ("'{!r}'.format(text)", ""),
    "format of an input": ("(text ~ '{}').format(1)", "1"),
    "bytes": ("text.encode().decode()", ""),
    "method of a number": ("real.hex()", ""),
    "list index": ("words.index('two')", ""),
    "own list": ("['a', text]", "['a', ]"),
    "own json": ("{'a': number, 'b': text}|tojson", '{"a": , "b": }'),
}


def test_every_method_of_str_has_an_example() -> None:
    assert set(METHODS) == {name for name in dir(str) if not name.startswith("_")}


def test_every_filter_has_an_example() -> None:
    assert set(FILTER_EXAMPLES) == set(FILTERS) == set(ChatEnvironment().filters)


@pytest.mark.parametrize(
    ("expression", "own"),
    [
        pytest.param(*example, id=f"{kind} {name}")
        for kind, examples in (
            ("method", METHODS),
            ("filter", FILTER_EXAMPLES),
            ("operator", OPERATORS),
        )
        for name, example in examples.items()
    ],
)
def test_only_literals_are_the_template_s_own(expression: str, own: str) -> None:
    render = rendered(expression)
    assert own_text(render) == own
    assert render.exact == all(run.leaf != UNKNOWN for run in render.runs)


def leaves(expression: str) -> list[tuple[str, object, int | None]]:
    render = rendered(expression)
    return [(render.text[run.start : run.end], run.leaf, run.offset) for run in render.runs]


def test_numbers_and_flags_of_an_input_are_traced() -> None:
    assert leaves("number") == [("1234", ("arguments", "number"), None)]
    assert leaves("flag") == [("True", ("arguments", "flag"), None)]
    assert leaves("number + real") == [("1236.5", ("arguments",), None)]


@pytest.mark.parametrize("filter_name", ["title", "capitalize", "lower", "upper", "string"])
def test_filters_that_change_characters_in_place_keep_offsets(filter_name: str) -> None:
    assert [offset for _, _, offset in leaves(f"text|{filter_name}")] == [0]


def test_counters_of_the_template_are_its_own() -> None:
    source = "{% for word in words %}{{ loop.index }}{% endfor %}"
    render = render_template(source, messages=[], arguments=ARGUMENTS, now=NOW)
    assert own_text(render) == render.text == "123"


def test_json_keeps_offsets_where_nothing_is_escaped() -> None:
    leaf = ("arguments", "record")
    assert leaves("record|tojson") == [
        ('{"key": "', leaf, None),
        ("val", (*leaf, "key"), 0),
        ('", "other": ', leaf, None),
        ("7", (*leaf, "other"), None),
        ("}", leaf, None),
    ]


JSON_OPTIONS: list[dict[str, Any]] = [
    {},
    {"indent": 2},
    {"indent": "\t"},
    {"separators": (",", ":")},
    {"sort_keys": True},
    {"ensure_ascii": True, "indent": 0},
]


@pytest.mark.parametrize("options", JSON_OPTIONS, ids=repr)
def test_json_is_that_of_python(options: dict[str, Any]) -> None:
    value = {"z": [], "a": [{}, {"ü": [1, -0.5, None, True]}, "<\"'\\\n\u2028😀>"], "b": {"": ""}}
    text = as_json(trace(value, ("tools", 0)), **options)
    assert text == json.dumps(value, **{"ensure_ascii": False, **options})
    assert {leaf[:2] for leaf in leaves_of(text) if leaf} == {("tools", 0)}
    assert None not in set(leaves_of(text))


def test_json_escapes_stay_with_their_text() -> None:
    assert leaves("text|tojson") == [('"ab Cd\\nef"', ("arguments", "text"), None)]


def test_python_repr_is_traced() -> None:
    assert [text for text, _, _ in leaves("record")] == [
        "{'key': '",
        "val",
        "', 'other': ",
        "7",
        "}",
    ]
