"""The ``palaver`` command: which commands there are.

A command is imported when it is called, so that ``palaver --help`` is quick. What it raises becomes one line and an
exit code in :mod:`.exits`.
"""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any

import click

from .exits import INTERRUPTED, UNREAD, UnreadError, explain, misused
from .lazily import LazyGroup

__all__ = ["cli", "exit_code", "main"]

COMMANDS = {
    "list": ("listing:list_", "what there is: games, agents, suites"),
    "run": ("run:run", "play a game, or a suite from a file"),
    "resume": ("run:resume", "go on with a run that was stopped; only what is owed is played"),
    "play": ("play:play", "take a seat yourself, at this terminal"),
    "handoff": ("handoff:handoff", "let another agent take over a seat of an episode"),
    "view": ("view:view", "look at runs in a browser, or read a dialogue here"),
    "score": ("score:score", "score the episodes of a run again, from their transcripts"),
    "calibrate": ("calibrate:calibrate", "try a grader on episodes whose errors are known"),
    "report": ("report:report", "one page of tables, plots and statistics, to open anywhere"),
    "transcribe": ("transcribing.command:transcribe", "episodes as pages, in columns: player, game master, player"),
    "import": ("importing.command:import_", "read results of clembench as runs of ours, and score them again"),
    "export": ("exporting.command:export", "write runs for others: tables, Inspect, a site"),
    "replay": ("replay:replay", "play recorded replies through a game, without agents"),
    "serve": ("serve:serve", "serve an agent, a game master, a recorder or a gateway on a bus"),
    "admin": ("doors.admin:admin", "let strangers' agents onto a bus, and turn them out"),
    "check-agent": ("conformance.command:check_agent", "find out whether an agent speaks the protocol"),
    "submit": ("handing:submit", "hand a run to the services on a bus"),
    "status": ("handing:status", "watch the services on a bus, and their runs"),
    "pause": ("handing:pause", "stop a run for a while, and let it go on"),
    "cancel": ("handing:cancel", "stop a run that was handed over"),
    "audit": ("audit:audit", "show that no seat of a run was sent what only another may see"),
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


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"palaver {version('palaver')}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    commands_elsewhere=COMMANDS,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
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
