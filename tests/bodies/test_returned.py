from typing import Any

import pytest

from promptlint.bodies import BodyError, requests_from_returned
from promptlint.request import Block, Message, Request, Tool

TOOL: dict[str, Any] = {"type": "function", "function": {"name": "read"}}
READ = (Tool("read", TOOL),)
USER = {"role": "user", "content": "Hi"}
HI = (Message("user", (Block("Hi"),)),)


def one(value: Any) -> Request:
    (request,) = requests_from_returned(value)
    return request


def tuple_of(*items: Any) -> dict[str, Any]:
    return {"tuple": [*items]}


def test_a_text_is_one_system_block() -> None:
    assert one("Base.") == Request(system=(Block("Base."),))


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"role": "system", "content": "Base."}, USER], "tools": [TOOL]},
        {"instructions": "Base.", "input": "Hi", "tools": [TOOL]},
        {"system_instruction": "Base.", "contents": "Hi", "tools": [{"name": "read"}]},
        {"system": "Base.", "messages": [USER], "tools": [TOOL]},
        {"system": "Base.", "input": "Hi", "tools": [TOOL]},
    ],
)
def test_bodies(body: dict[str, Any]) -> None:
    assert one(body) == Request(system=(Block("Base."),), tools=READ, messages=HI, joiner="\n")


def test_a_system_next_to_openai_messages() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    request = one(
        {"system": "Base.", "messages": [USER, {"role": "assistant", "tool_calls": [call]}]}
    )
    assert request.messages[1].tool_calls[0].name == "read"
    assert request.unknown_fields == ()


@pytest.mark.parametrize(
    ("system", "blocks", "joiner"),
    [
        ("Base.", [Block("Base.")], "\n"),
        (None, [], "\n"),
        (["Base.", "", "Memory."], [Block("Base."), Block("Memory.")], "\n\n"),
        (tuple_of("Base.", "Memory."), [Block("Base."), Block("Memory.")], "\n\n"),
        (
            {"base": "Base.", "memory": "Memory."},
            [Block("Base.", "base"), Block("Memory.", "memory")],
            "\n\n",
        ),
        ([tuple_of("base", "Base.")], [Block("Base.", "base")], "\n\n"),
        (
            [{"type": "text", "text": "Base.", "cache_control": {"type": "ephemeral"}}],
            [Block("Base.", mark="")],
            "\n",
        ),
    ],
)
def test_every_form_of_a_system_prompt(system: Any, blocks: list[Block], joiner: str) -> None:
    expected = Request(system=tuple(blocks), tools=READ, joiner=joiner)

    assert one({"system": system, "tools": [TOOL]}) == expected
    assert one({"system": system, "tools": tuple_of(TOOL)}) == expected
    assert one(tuple_of(system, [TOOL])) == expected


def test_parts_and_messages_together() -> None:
    request = one({"system": {"base": "Base."}, "messages": [USER]})
    assert request == Request(system=(Block("Base.", "base"),), messages=HI)


@pytest.mark.parametrize(
    "parts",
    [
        {"base": "Base.", "memory": "Memory.", "skills": ""},
        [["base", "Base."], ["memory", "Memory."]],
        [tuple_of("base", "Base."), tuple_of("memory", "Memory.")],
        tuple_of(tuple_of("base", "Base."), tuple_of("memory", "Memory.")),
    ],
)
def test_named_parts(parts: Any) -> None:
    request = one(parts)
    assert request == Request(system=(Block("Base.", "base"), Block("Memory.", "memory")))
    assert request.system_text == "Base.\n\nMemory."


def test_a_part_may_be_called_system() -> None:
    request = one({"system": "Base.", "memory": "Memory."})
    assert [block.name for block in request.system] == ["system", "memory"]


def test_a_tuple_of_texts_is_its_parts() -> None:
    assert one(tuple_of("Base.", "Memory.")) == Request(system=(Block("Base."), Block("Memory.")))


def test_messages() -> None:
    assert one([{"role": "system", "content": "Base."}, USER]).messages == HI
    assert one(USER).messages == HI
    assert one([{"type": "text", "text": "Base."}]).system == (Block("Base."),)


@pytest.mark.parametrize("wrap", [lambda items: {"sequence": items}, lambda items: items])
def test_several_requests(wrap: Any) -> None:
    turns = [{"system": "One"}, {"messages": [USER]}]
    first, second = requests_from_returned(wrap(turns))
    assert first.system_text == "One"
    assert second.messages == HI


def test_an_iterator_may_yield_any_form() -> None:
    turns: list[Any] = ["One", {"base": "Two"}, tuple_of("Three", "Four")]
    requests = requests_from_returned({"sequence": turns})
    assert [request.system_text for request in requests] == ["One", "Two", "Three\n\nFour"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "the builder returned None: return the prompt"),
        (b"text", "the builder returned bytes: write a five-line adapter .*"),
        (3, "the builder returned a number: .* five-line adapter .*"),
        ("", "the builder returned an empty prompt"),
        (" \n", "the builder returned an empty prompt"),
        ({"messages": []}, "the builder returned an empty prompt"),
        ({"base": "", "memory": ""}, "the builder returned an empty prompt"),
        ({"sequence": []}, "the builder returned no request at all"),
        ({"sequence": ["One", ""]}, "the builder returned an empty prompt"),
        ([], "the builder returned an empty list"),
        ({}, "the builder returned an object with no field: .*"),
        ({"text": "x", "size": 3}, "the builder returned an object with text, size: .*adapter.*"),
        (["a", "b"], "the builder returned a list of texts: return a tuple .*"),
        ([1, "a"], "the builder returned a list of a number, a text: .*adapter.*"),
        (tuple_of("a", 1), r"the builder returned a tuple of \(a text, a number\): .*adapter.*"),
        (tuple_of(), r"the builder returned a tuple of \(\): .*adapter.*"),
        ({"unsupported": "builtins.bytes"}, "the builder returned an object of type bytes, .*"),
        (
            {"system": "x", "tools": [{"unsupported": "langchain.Tool"}]},
            r"the returned object\.tools\[0\] is of type langchain\.Tool, .*adapter.*",
        ),
        ({"system": "x", "tools": {"read": {}}}, "tools: a list is needed, not an object"),
        ({"system": 3, "tools": []}, "system: content is a text or a list, not a number"),
    ],
)
def test_what_is_no_prompt(value: Any, message: str) -> None:
    with pytest.raises(BodyError, match=rf"\A{message}\Z"):
        requests_from_returned(value)


def test_unknown_fields_are_not_lost() -> None:
    request = one({"system": [{"type": "text", "text": "x", "tone": 1}], "mood": 1})
    assert request.unknown_fields == ("system[0].tone", "mood")
