"""The ``palaver`` command: which commands there are.

A command is imported when it is called, so that ``palaver --help`` is quick. What it raises becomes one line and an
exit code in :mod:`.exits`.
"""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from .exits import INTERRUPTED, UNREAD, UnreadError, explain, misused

__all__ = ["cli", "exit_code", "main"]

COMMANDS = {
    "list": ("listing:list_", "what there is: games, agents, suites"),
    "run": ("run:run", "play a game, or a suite from a file"),
    "resume": ("run:resume", "go on with a run that was stopped; only what is owed is played"),
    "handoff": ("handoff:handoff", "let another agent take over a seat of an episode"),
    "view": ("view:view", "read the dialogue of an episode"),
    "score": ("score:score", "score the episodes of a run again, from their transcripts"),
    "calibrate": ("calibrate:calibrate", "try a grader on episodes whose errors are known"),
    "report": ("report:report", "one page of tables, plots and statistics, to open anywhere"),
    "transcribe": ("transcribing.command:transcribe", "episodes as pages, in columns: player, game master, player"),
    "import": ("importing.command:import_", "read results of clembench as runs of ours, and score them again"),
    "export": ("exporting.command:export", "write runs as results of clembench"),
    "replay": ("replay:replay", "play recorded replies through a game, without agents"),
    "serve": ("serve:serve", "serve an agent, a game master or a recorder on a bus"),
    "submit": ("handing:submit", "hand a run to the services on a bus"),
    "status": ("handing:status", "watch the services on a bus, and their runs"),
    "cancel": ("handing:cancel", "stop a run that was handed over"),
    "schema": ("schema:schema", "print the JSON Schema or the AsyncAPI of the messages"),
}

EPILOG = """\b
Examples:
  palaver run maze --agents scripted -n 20
  palaver run maze --agents openai/gpt-4.1,openai/gpt-4.1-mini -n 50 --out runs/mixed
  palaver run maze --agents vllm/Qwen/Qwen3-8B@http://gpu:8000 --set setting=solo-full
  palaver run collaboration-gap-pair --agents openai/gpt-4.1 --dry-run
  palaver list agents
"""


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and knows its help line without."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands, in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"palaver_deploy.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or say which one was perhaps meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = get_close_matches(args[0], COMMANDS, n=1)
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
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"palaver {version('palaver')}")
        ctx.exit()


@click.group(
    cls=LazyGroup, invoke_without_command=True, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Say the version.")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Let language-model agents play collaborative games, and measure how well they work together."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line and exit."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # no name of a file, and no terminal, ends a command
    sys.exit(exit_code(sys.argv[1:]))


def exit_code(args: Sequence[str]) -> int:
    """Run one command; return its exit code, with all that it had to say said."""
    try:
        code: Any = cli.main(list(args), prog_name="palaver", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return misused(error)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (BrokenPipeError, UnreadError):
        _discard_the_rest()
        return UNREAD
    except Exception as error:
        return explain(error)
    return code if isinstance(code, int) else 0


def _discard_the_rest() -> None:
    """Let the interpreter flush what nobody reads any more without complaint."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
