from promptlint.measure.moved import moved, request_units, unknown
from promptlint.measure.shot import Shot
from promptlint.request import Block, Message, Request
from promptlint.worlds.world import World


def _shot(system: str, *texts: str) -> Shot:
    messages = tuple(
        Message("assistant" if index % 2 else "user", (Block(text),))
        for index, text in enumerate(texts)
    )
    return Shot(World(), (Request(system=(Block(system),), messages=messages),))


BASE = _shot("Session: 1a2b3c4d. Folder: /srv/shop, host alpha", "hi")


def _unknown(after: Shot, *known: Shot) -> list[tuple[str, str]]:
    regions = [region for shot in known for region in moved(BASE, shot)]
    found = unknown(moved(BASE, after), regions, request_units(BASE.request))
    return [(region.before, region.after) for region in found]


def test_the_newest_user_message_and_added_messages_move_nothing() -> None:
    assert _unknown(_shot(BASE.request.system_text, "hello")) == []
    assert _unknown(_shot(BASE.request.system_text, "hi", "ok", "go on")) == []


def test_what_moves_by_itself_is_subtracted() -> None:
    other = _shot("Session: 9f8e7d6c. Folder: /srv/shop, host alpha", "hi")
    both = _shot("Session: 77aa66bb. Folder: /data/shop, host alpha", "hi")
    assert _unknown(both, other) == [("srv", "data")]
    assert _unknown(other, other) == []


def test_a_move_of_which_a_word_is_left_is_not_known() -> None:
    folder = _shot("Session: 1a2b3c4d. Folder: /data/shop, host alpha", "hi")
    machine = _shot("Session: 1a2b3c4d. Folder: /data/shop, host beta", "hi")
    assert _unknown(machine, folder) == [("alpha", "beta")]
