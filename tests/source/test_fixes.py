"""A fixed file is clean, and otherwise byte for byte the same."""

from pathlib import Path

import pytest

from promptlint.source.clock import date_only
from promptlint.source.fixes import applied, fixes
from promptlint.source.reader import read_source

RULES = 'RULES = "Ask before you delete a file. " * 80\n'

SAFE = {
    "join of a set": (
        'def system_prompt(names):\n    return "Use: " + ", ".join(set(names)) + RULES\n',
        'def system_prompt(names):\n    return "Use: " + ", ".join(sorted(set(names))) + RULES\n',
    ),
    "list of a set": (
        'def system_prompt():\n    names = {"b", "a"}\n    return f"{list(names)}\\n{RULES}"\n',
        'def system_prompt():\n    names = {"b", "a"}\n    return f"{sorted(names)}\\n{RULES}"\n',
    ),
    "loop over a set": (
        'def system_prompt(names: set[str]):\n    text = ""\n    for name in names:  # each\n'
        '        text += f"- {name}\\n"\n    return text + RULES\n',
        'def system_prompt(names: set[str]):\n    text = ""\n'
        "    for name in sorted(names):  # each\n"
        '        text += f"- {name}\\n"\n    return text + RULES\n',
    ),
    "comprehension over a set": (
        'def system_prompt(é: set[str]):\n    return "é".join(n for n in  é ) + RULES\n',
        'def system_prompt(é: set[str]):\n    return "é".join(n for n in  sorted(é) ) + RULES\n',
    ),
    "entries of a folder": (
        "import os\ndef system_prompt():\n"
        '    return " ".join(e.name for e in os.scandir("skills")) + RULES\n',
        "import os\ndef system_prompt():\n"
        '    return " ".join(e.name for e in '
        'sorted(os.scandir("skills"), key=lambda entry: entry.name)) + RULES\n',
    ),
    "listing": (
        'import os\ndef system_prompt():\n    return " ".join(os.listdir("skills")) + RULES\n',
        "import os\ndef system_prompt():\n"
        '    return " ".join(sorted(os.listdir("skills"))) + RULES\n',
    ),
}

LEFT = {
    "a walk, which reads back what it handed out": (
        "import os\ndef system_prompt():\n    text = ''\n"
        "    for base, folders, names in os.walk('skills'):\n"
        "        text += ' '.join(names)\n    return text + RULES\n"
    ),
    "a listing that is awaited": (
        "async def system_prompt(root):\n"
        "    return ' '.join([p.name async for p in root.iterdir()]) + RULES\n"
    ),
    "the first of a listing": (
        "from pathlib import Path\ndef system_prompt(root):\n"
        '    return next(Path(root).glob("*.md")).read_text() + RULES\n'
    ),
    "a set with None": (
        'def system_prompt():\n    names = {None, "a", "b"}\n'
        '    return " ".join(str(name) for name in names) + RULES\n'
    ),
    "objects in a set": (
        'def system_prompt(items: set):\n    return " ".join(str(i) for i in items) + RULES\n'
    ),
    "keywords that may say how keys are sorted": (
        "import json\ndef system_prompt(options):\n    config = json.loads(open('c').read())\n"
        "    return json.dumps({**config, **options}, **options) + RULES\n"
    ),
    "an argument with a star": (
        'def system_prompt():\n    return ", ".join(*[{"q", "w"}]) + RULES\n'
    ),
}

UNSAFE = {
    "words around the time": (
        "from datetime import datetime\n\n\ndef system_prompt():\n"
        "    return datetime.now().strftime('Today is %A, %d %B %Y, %H:%M UTC.') + RULES\n",
        "from datetime import datetime\n\n\ndef system_prompt():\n"
        "    return datetime.now().strftime('Today is %A, %d %B %Y') + RULES\n",
    ),
    "strftime": (
        "from datetime import datetime\n\n\ndef system_prompt():\n"
        "    return datetime.now().strftime('%Y-%m-%d %H:%M') + RULES\n",
        "from datetime import datetime\n\n\ndef system_prompt():\n"
        "    return datetime.now().strftime('%Y-%m-%d') + RULES\n",
    ),
    "the format of an f-string": (
        "from datetime import datetime\n\n\ndef system_prompt():\n"
        "    return f'It is {datetime.now():%Y-%m-%d %H:%M}. ' + RULES\n",
        "from datetime import datetime\n\n\ndef system_prompt():\n"
        "    return f'It is {datetime.now():%Y-%m-%d}. ' + RULES\n",
    ),
    "a time that is given to be formatted": (
        "import time\n\n\ndef system_prompt():\n"
        "    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()) + RULES\n",
        "import time\n\n\ndef system_prompt():\n"
        "    return time.strftime('%Y-%m-%d', time.gmtime()) + RULES\n",
    ),
    "isoformat": (
        "import datetime as dt\n\n\ndef system_prompt():\n"
        "    return dt.datetime.now(dt.timezone.utc).isoformat() + RULES\n",
        "import datetime as dt\n\n\ndef system_prompt():\n"
        "    return dt.datetime.now(dt.timezone.utc).date().isoformat() + RULES\n",
    ),
}


def fixed(source: str, *, unsafe: bool) -> str:
    path = Path("/nowhere/app.py")
    reading = read_source([path], root=path.parent, sources={path: source})
    edits = fixes(source, "app.py", reading.layouts, reading.facts)
    return applied(source, edits, unsafe=unsafe)


@pytest.mark.parametrize("name", LEFT)
def test_what_a_sort_could_break_is_left_as_it_is(name: str) -> None:
    assert fixed(RULES + LEFT[name], unsafe=False) == RULES + LEFT[name]


@pytest.mark.parametrize("separator", ["\x0c", "\x0b", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_what_ends_a_line_of_code_counts_as_one(separator: str) -> None:
    before, after = SAFE["join of a set"]
    head = f'NOTE = """a{separator}b"""\n'
    assert fixed(head + RULES + before, unsafe=False) == head + RULES + after


@pytest.mark.parametrize("name", SAFE)
def test_a_safe_fix_sorts_and_changes_nothing_else(name: str) -> None:
    before, after = SAFE[name]
    assert fixed(RULES + before, unsafe=False) == RULES + after
    assert fixed(RULES + after, unsafe=False) == RULES + after


@pytest.mark.parametrize("name", UNSAFE)
def test_an_unsafe_fix_is_made_only_when_asked_for(name: str) -> None:
    before, after = UNSAFE[name]
    assert fixed(RULES + before, unsafe=False) == RULES + before
    assert fixed(RULES + before, unsafe=True) == RULES + after
    assert fixed(RULES + after, unsafe=True) == RULES + after


@pytest.mark.parametrize(
    ("template", "cut"),
    [
        ("%Y-%m-%d %H:%M", "%Y-%m-%d"),
        ("%A, %B %d, %Y at %I:%M %p", "%A, %B %d, %Y"),
        ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%d"),
        ("%H:%M", None),
        ("%c", None),
    ],
)
def test_a_format_is_cut_to_the_date(template: str, cut: str | None) -> None:
    assert date_only(template) == cut
