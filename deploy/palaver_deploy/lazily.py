"""Groups of commands that are imported when they are called, so that ``--help`` is quick."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from .exits import UnreadError

__all__ = ["LazyGroup"]


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and knows its help line without.

    Args:
        commands_elsewhere: by command, where it is (``MODULE:NAME`` in this package) and its help line; they are listed
            in this order, after those that the group has itself.
    """

    def __init__(self, *words: Any, commands_elsewhere: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(*words, **settings)
        self._elsewhere = commands_elsewhere

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands, in the order in which a newcomer needs them."""
        return [*self.commands, *self._elsewhere]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self._elsewhere:
            return super().get_command(ctx, cmd_name)
        module, _, name = self._elsewhere[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"palaver_deploy.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or say which one was perhaps meant."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            close = get_close_matches(args[0], known, n=1)
            ctx.fail(f"There is no command {args[0]!r}." + (f" Did you mean {close[0]!r}?" if close else ""))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a reader of its output who leaves is our business, not click's nor rich's."""
        try:
            return super().invoke(ctx)
        except (BrokenPipeError, SystemExit) as error:
            if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
                raise UnreadError from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help lines without importing anything."""
        here = [(name, command.get_short_help_str(100)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*here, *((name, line) for name, (_, line) in self._elsewhere.items())])
