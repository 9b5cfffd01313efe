"""A reading that is used again while nothing that it looked at has changed."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from promptlint.config_tables import NO_ROWS, OwnRows
from promptlint.source.disk import Disk
from promptlint.source.modules import Tree
from promptlint.source.reading import SourceReading
from promptlint.source.scan import scan

WORTH_KEEPING = 4
"""Files with a prompt: to read fewer takes no longer than to look for what was kept of them."""


def read_or_reuse(
    paths: Sequence[Path], *, root: Path, folder: Callable[[], Path], own: OwnRows = NO_ROWS
) -> SourceReading:
    """What `read_source` says, out of `folder` where all that it depends on is as it was.

    Files are compared by content. The folder is asked for where there is enough to read; one
    that cannot be written to costs time, no answer.
    """
    tree = Tree(Disk(root.resolve()), {})
    mentions = scan(tree, paths, own)
    if not mentions:
        return SourceReading((), (), tuple(tree.errors), 0)
    if len(mentions) < WORTH_KEEPING:
        from promptlint.source.reader import read_mentions

        return read_mentions(tree, mentions, own)
    from promptlint.source import kept

    file = folder() / kept.name_of(tree, mentions, own)
    known = kept.load(file)
    if known is not None and tree.disk.is_as(known.answers):
        return known.reading
    from promptlint.source.reader import read_mentions

    reading = read_mentions(tree, mentions, own)
    with suppress(OSError):
        kept.store(file, kept.Kept(tree.disk.answers(), reading))
    return reading
