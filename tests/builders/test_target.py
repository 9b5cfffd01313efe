from pathlib import Path

import pytest

from promptlint.builders.error import BuilderError, FailureKind
from promptlint.builders.target import parse_target


def test_a_module_and_a_function(tmp_path: Path) -> None:
    target = parse_target("package.module:function", tmp_path)
    assert (target.module, target.path) == ("package.module", None)
    assert target.attributes == ("function",)


def test_a_file_is_relative_to_the_base(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "agent.py").write_text("")
    target = parse_target("lib/agent.py:AGENT.prompt.build", tmp_path)
    assert target.path == tmp_path / "lib" / "agent.py"
    assert target.attributes == ("AGENT", "prompt", "build")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("module", "write it as module:function or path.py:function"),
        ("module:", "write it as module:function or path.py:function"),
        (":build", "write it as module:function or path.py:function"),
        ("module:a-b", "'a-b' is no attribute name"),
        ("module:a..b", "'' is no attribute name"),
        ("my-module:build", "'my-module' is no module name"),
    ],
)
def test_unreadable_targets(tmp_path: Path, text: str, cause: str) -> None:
    with pytest.raises(BuilderError) as caught:
        parse_target(text, tmp_path)
    assert str(caught.value) == f"{text}: {cause}"
    assert caught.value.kind is FailureKind.TARGET


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuilderError) as caught:
        parse_target("none.py:build", tmp_path)
    assert str(caught.value) == f"none.py:build: no file {tmp_path}/none.py"
    assert caught.value.kind is FailureKind.NOT_FOUND
