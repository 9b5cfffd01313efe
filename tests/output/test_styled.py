import re
from io import StringIO

import pytest

from promptlint.output.styled import write_lines

_LINES = [(("error[x]", "bold red"), (": [INST] :smile: [red]", "bold")), (("plain", ""),)]
_TEXT = "error[x]: [INST] :smile: [red]\nplain\n"


class _Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def _written(file: StringIO) -> str:
    write_lines(_LINES, file)
    return file.getvalue()


def test_a_file_has_the_text_alone() -> None:
    assert _written(StringIO()) == _TEXT


def test_a_terminal_has_styles_around_the_same_text() -> None:
    written = _written(_Terminal())
    assert written.startswith("\x1b[31m\x1b[1merror[x]\x1b[0m")
    assert re.sub(r"\x1b\[\d+m", "", written) == _TEXT


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_can_be_kept_plain(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert _written(_Terminal()) == _TEXT


def test_styles_can_be_had_in_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in _written(StringIO())
