import codecs
import gzip
import json
from pathlib import Path

import pytest

from promptlint.captures.read import CaptureError, read_captures

BODY = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def body(text: str) -> dict[str, object]:
    return {"model": "m", "messages": [{"role": "user", "content": text}]}


def texts(*paths: Path) -> list[str]:
    return [r.request.messages[0].text for r in read_captures(paths).requests]


def test_one_body_a_file(tmp_path: Path) -> None:
    for name in ("b.json", "a.json"):
        (tmp_path / name).write_text(json.dumps(body(name), indent=2))
    assert texts(tmp_path / "b.json", tmp_path / "a.json") == ["b.json", "a.json"]
    (tmp_path / "notes.txt").write_text("not a capture")
    assert texts(tmp_path) == ["a.json", "b.json"]


def test_the_files_of_a_folder_stand_as_people_number_them(tmp_path: Path) -> None:
    names = [*(f"{number}.json" for number in range(1, 13)), "a2.json", "a10.json"]
    for name in names:
        (tmp_path / name).write_text(json.dumps(body(name)))
    assert texts(tmp_path) == names


def test_a_list_of_bodies(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    file.write_text(json.dumps([body("1"), body("2")]))
    captures = read_captures([file])
    assert [r.request.messages[0].text for r in captures.requests] == ["1", "2"]
    assert captures.requests[1].place.path == f"{file}[2]"


@pytest.mark.parametrize("name", ["log.jsonl", "log.json"])
def test_one_body_a_line(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(json.dumps(body("1")) + "\n\n" + json.dumps(body("2")) + "\n")
    captures = read_captures([file])
    assert [r.request.messages[0].text for r in captures.requests] == ["1", "2"]
    assert str(captures.requests[1].place) == f"{file}:3"


def test_gzip_and_line_separators_inside_text(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl.gz"
    line = json.dumps(body("one\u2028two\x85three"), ensure_ascii=False)
    file.write_bytes(gzip.compress(f"\ufeff{line}\r\n{line}".encode()))
    assert texts(file) == ["one\u2028two\x85three"] * 2


def test_a_line_with_usage_time_and_session(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    usage = {"prompt_tokens": 5}
    lines = [
        {"request": body("later"), "usage": usage, "time": "2026-11-29T10:00:01Z", "session": "s"},
        {"request": body("earlier"), "time": 1795946400},
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    earlier, later = read_captures([file]).requests
    assert earlier.request.messages[0].text == "earlier"
    assert (earlier.usage, earlier.session, earlier.time) == (None, None, 1795946400.0)
    assert (later.usage, later.session, later.time) == (usage, "s", 1795946401.0)
    assert later.body == body("later")


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        (1795000000, 1795000000.0),
        (1795000000000, 1795000000.0),
        (1795000000123.0, 1795000000.123),
        ("2026-11-18T12:26:40+01:00", 1795001200.0),
    ],
)
def test_a_time_is_seconds_milliseconds_or_a_text(
    tmp_path: Path, time: float | str, seconds: float
) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(json.dumps({"request": BODY, "time": time}))
    (captured,) = read_captures([file]).requests
    assert captured.time == seconds


def test_a_broken_line_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    broken = [
        '{"messages": [',
        "[1, 2]",
        '{"prompt": "no messages"}',
        '{"messages": [{"role": 3}]}',
        json.dumps({"request": BODY, "time": "yesterday"}),
        json.dumps({"request": BODY, "time": [1]}),
        json.dumps({"request": BODY, "time": 1e300}),
        json.dumps({"request": BODY, "time": float("nan")}),
        json.dumps({"request": BODY, "time": 10**400}),
        json.dumps({"request": BODY, "time": "0001-01-01T00:00:00+14:00"}),
        "[" * 100_000,
        "1" * 5000,
    ]
    file.write_text("\n".join([json.dumps(BODY), *broken, json.dumps(BODY)]))
    captures = read_captures([file])
    assert len(captures.requests) == 2
    assert len(captures.problems) == len(broken)
    for number, problem in enumerate(captures.problems, start=2):
        assert problem.startswith(f"{file}:{number}: ")
        assert "\n" not in problem
    assert "no valid JSON" in captures.problems[0]
    assert "an entry is an object" in captures.problems[1]
    assert "'yesterday', no ISO 8601 time" in captures.problems[4]


def test_a_broken_document_names_the_line_of_the_fault(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text('{\n  "messages": [],\n  oops\n}')
    assert read_captures([file]).problems == (
        f"{file}:3: no valid JSON: Expecting property name enclosed in double quotes",
    )


def test_files_that_are_no_text_are_problems(tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b"{}" * 1000)[:20])
    (tmp_path / "plain.json.gz").write_bytes(b"{}")
    problems = read_captures([tmp_path]).problems
    assert len(problems) == 3
    assert "no UTF-8 text: byte 0" in problems[0]
    assert all("no valid gzip" in problem for problem in problems[1:])


def test_a_path_that_does_not_exist_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match=r"gone\.jsonl: No such file"):
        read_captures([tmp_path / "gone.jsonl"])


def test_an_empty_file_has_no_requests(tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text("\n")
    assert read_captures([file]).requests == ()


LINE = json.dumps(BODY).encode()


@pytest.mark.parametrize(
    ("name", "broken", "fault"),
    [
        ("a.jsonl", codecs.BOM_UTF8 + LINE + b'\n"\xff"\n' + LINE, "2: no UTF-8 text: byte 1"),
        (
            "a.log",
            b'{"messages": [\n' + LINE + b"\n" + LINE,
            "1: no valid JSON: Expecting value at column 15",
        ),
        ("a.log", b'{"messages": ["\xff"]}\n' + LINE + b"\n" + LINE, "1: no UTF-8 text: byte 15"),
        ("a.log", LINE + b"\n" + LINE + b"\noops", "3: no valid JSON: Expecting value at column 1"),
    ],
)
def test_one_broken_line_loses_no_other(
    tmp_path: Path, name: str, broken: bytes, fault: str
) -> None:
    file = tmp_path / name
    file.write_bytes(broken)
    found = read_captures([file])
    assert [captured.body for captured in found.requests] == [BODY, BODY]
    (problem,) = found.problems
    assert problem.startswith(f"{file}:{fault}")


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.log.gz"])
@pytest.mark.parametrize(("lost", "kept"), [(4, [1, 2, 3]), (12, [1, 2])])
def test_a_cut_gzip_file_keeps_its_lines(
    tmp_path: Path, name: str, lost: int, kept: list[int]
) -> None:
    file = tmp_path / name
    packed = gzip.compress(LINE + b"\n") + gzip.compress(LINE + b"\n" + LINE, compresslevel=0)
    file.write_bytes(packed[:-lost])
    found = read_captures([file])
    assert [captured.place.line for captured in found.requests] == kept
    assert found.problems == (f"{file}:3: no valid gzip: it ends too early",)


def test_a_padded_gzip_file_of_several_members_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(gzip.compress(LINE + b"\n") + gzip.compress(LINE) + b"\0" * 9000)
    found = read_captures([file])
    assert (len(found.requests), found.problems) == (2, ())


def test_lines_end_at_line_feeds_alone(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    text = json.dumps({"messages": [{"role": "user", "content": "a\u2028b"}]}, ensure_ascii=False)
    file.write_bytes(codecs.BOM_UTF8 + f"{text}\r\n\n{text}".encode())
    found = read_captures([file])
    assert [captured.place.line for captured in found.requests] == [1, 3]
    assert found.requests[1].request.messages[0].text == "a\u2028b"
