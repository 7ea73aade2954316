"""The ``palaver`` command: which commands there are, and how errors leave the house.

Commands are imported when they are called, so that ``palaver --help`` is quick. What they raise ends here, as one line
that names the thing and the mend: exit code 2 for wrong usage or bad input, 1 for a run that ended with errors or a bus
that failed, 130 after Ctrl-C.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

__all__ = ["cli", "main"]

COMMANDS = {
    "list": ("listing:list_", "what there is: games, agents, suites"),
    "run": ("run:run", "play a game, or a suite from a file"),
    "resume": ("run:resume", "go on with a run that was stopped; only what is owed is played"),
    "view": ("view:view", "read the dialogue of an episode"),
    "score": ("score:score", "score the episodes of a run again, from their transcripts"),
    "replay": ("replay:replay", "play recorded replies through a game, without agents"),
    "serve": ("serve:serve", "run an agent or a game master as a service of its own"),
    "schema": ("schema:schema", "print the JSON Schema or the AsyncAPI of the messages"),
}

EPILOG = """\b
Examples:
  palaver run maze --agents scripted -n 20
  palaver run maze --agents openai/gpt-4.1,openai/gpt-4.1-mini -n 50 --out runs/mixed
  palaver run maze --agents vllm/Qwen/Qwen3-8B@http://gpu:8000 --set setting=solo-full
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


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    sys.exit(_exit_code(list(sys.argv[1:] if args is None else args)))


def _exit_code(args: list[str]) -> int:
    try:
        code: Any = cli.main(args=args, prog_name="palaver", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        return _complain(error.format_message() + _see_help(error), 2)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:  # whoever read our output has heard enough
        sys.stderr.close()
        return 0
    except Exception as error:
        return _explain(error)
    return code if isinstance(code, int) else 0


def _explain(error: BaseException) -> int:
    """Say what went wrong if it is one of ours; let a bug of ours show itself whole."""
    from palaver_protocols.errors import PalaverError, ProtocolError, UsageError

    cause = error
    while isinstance(cause, BaseExceptionGroup):
        cause = next((each for each in cause.exceptions if isinstance(each, PalaverError)), cause.exceptions[0])
    if not isinstance(cause, PalaverError):
        raise error
    return _complain(str(cause), 2 if isinstance(cause, UsageError | ProtocolError) else 1)


def _complain(message: str, code: int) -> int:
    click.echo(f"palaver: {' '.join(message.split())}", err=True)
    return code


def _see_help(error: click.ClickException) -> str:
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "palaver"
    return f" (see `{path} --help`)"
