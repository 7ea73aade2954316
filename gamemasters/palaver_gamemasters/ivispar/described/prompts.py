"""What describers and the mover are told of their task. The wording is ours."""

from collections.abc import Mapping

from palaver_gamemasters.texts import filled, prompt_of
from palaver_protocols.transcript import USER, Message

from ..board import Board
from ..observation import choices
from .options import DescribedOptions

__all__ = ["MOVER", "describers_of", "tasks"]

MOVER = "mover"


def describers_of(options: DescribedOptions) -> tuple[str, ...]:
    """Name the describers."""
    if options.describers == 1:
        return ("describer",)
    return tuple(f"describer_{number}" for number in range(1, options.describers + 1))


def tasks(board: Board, options: DescribedOptions) -> dict[str, Message]:
    """Return the task of each seat."""
    describers = describers_of(options)
    many = len(describers) > 1
    told = {**choices(board, options), "moves": str(options.moves)}
    told["share"] = _filled("share", {"rest": f"the other describer{'s' * (len(describers) > 2)}"}) if many else ""
    told["seers"] = "The describers see it, each of them some of the objects" if many else "The describer sees it"
    said = {}
    for seat in (MOVER, *describers):
        others = _partners([other for other in (MOVER, *describers) if other != seat])
        prompt = "mover" if seat == MOVER else "describer"
        said[seat] = Message.text_from(USER, _filled(prompt, {**told, "others": others}), (seat,))
    return said


def _partners(others: list[str]) -> str:
    if len(others) == 1:
        return f"a partner, the {others[0]},"
    return f"your partners, {', '.join(others[:-1])} and {others[-1]},"


def _filled(name: str, told: Mapping[str, str]) -> str:
    return filled(prompt_of(__package__, name), told)
