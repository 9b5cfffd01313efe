"""The commands: one file each, imported only when it is called."""

import importlib
import sys
from collections.abc import Sequence

import click

import promptlint
from promptlint.cli.exit_codes import COULD_NOT_CHECK

_COMMANDS = ("check", "report", "replay", "record", "template", "rule", "config")


class _Lazy(click.Group):
    """A group that imports a command's file when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(f"promptlint.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(promptlint.__version__, prog_name="promptlint")
def promptlint_command() -> None:
    """The layout linter for system prompts: what moves in front of what a cache could reuse."""


def run(arguments: Sequence[str]) -> int:
    """Run the command that these arguments name."""
    try:
        result = promptlint_command.main(arguments, prog_name="promptlint", standalone_mode=False)
    except click.ClickException as error:
        error.show(sys.stderr)
        return COULD_NOT_CHECK
    except (click.Abort, KeyboardInterrupt):
        sys.stderr.write("promptlint: interrupted\n")
        return COULD_NOT_CHECK
    return result if isinstance(result, int) else 0
