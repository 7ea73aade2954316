"""What a run will come to, before anybody is asked: calls, tokens and dollars, from rehearsals of a few episodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import fmean
from time import perf_counter
from types import MappingProxyType

from palaver_agents.names import parse_agent
from palaver_agents.providers import facts
from palaver_agents.providers.endpoint import Price
from palaver_gamemasters.game import AnyGame
from palaver_gamemasters.rollout import Plan
from palaver_protocols.errors import PalaverError
from palaver_protocols.messages import EpisodeStarted, LogEntry, Usage
from palaver_protocols.runs import RunConfig
from palaver_protocols.seating import team_of

from .longest import NOTHING_WRITTEN, Longest, longest_answers
from .rehearsal import Cast, Load, Rehearsal, rehearse
from .remarks import cut_off

__all__ = ["NO_LOGS", "Estimate", "Share", "calls_at_most", "estimate_run"]

NO_LOGS: Mapping[str, Sequence[LogEntry]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Share:
    """One agent's share in a run. ``most`` is what it comes to when every episode takes all the turns that it may.

    ``is_model`` is False for scripts and recordings, which use no tokens and cost nothing.
    """

    about: Load
    most: Load
    price: Price | None
    is_model: bool = True

    @property
    def is_priced(self) -> bool:
        """Whether its cost is known."""
        return not self.is_model or self.price is not None

    def cost_usd(self, load: Load) -> float | None:
        """Return what a load costs (US dollars), or None where no price is known. Nothing comes from a cache."""
        if not self.is_model:
            return 0.0
        tokens = Usage(input_tokens=round(load.input_tokens), output_tokens=round(load.output_tokens))
        return self.price.of(tokens) if self.price else None

    def __add__(self, other: "Share") -> "Share":
        """Add the same agent's shares in two runs up."""
        return replace(self, about=self.about + other.about, most=self.most + other.most)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one run comes to, or several together: estimates can be added up.

    ``shares`` are the agents', in order of appearance. ``calls_at_most`` bounds the calls of models. ``played`` is how
    many episodes were played for it, of which every message had ``characters`` on average; ``players`` are the scripts
    that stood in. ``problems`` say why a run could not be estimated: its calls are in the bound alone; ``warnings``
    what will not go as one would like (:mod:`.remarks`). ``longest`` bounds what models write (:mod:`.longest`).
    """

    shares: Mapping[str, Share]
    calls_at_most: int
    played: int = 0
    characters: float = 0.0
    players: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    longest: Longest = NOTHING_WRITTEN

    @property
    def about(self) -> Load:
        """All agents together."""
        return sum((share.about for share in self.shares.values()), Load())

    @property
    def calls(self) -> float:
        """The calls of models. What scripts and recordings say is no call."""
        return sum(share.about.calls for share in self.shares.values() if share.is_model)

    @property
    def most(self) -> Load:
        """All agents together, when every episode takes all its turns."""
        return sum((share.most for share in self.shares.values()), Load())

    @property
    def cost_usd(self) -> float:
        """US dollars, without the agents of :attr:`unpriced`."""
        return sum(share.cost_usd(share.about) or 0.0 for share in self.shares.values())

    @property
    def most_usd(self) -> float:
        """US dollars when every episode takes all its turns, without the agents of :attr:`unpriced`."""
        return sum(share.cost_usd(share.most) or 0.0 for share in self.shares.values())

    @property
    def is_priced(self) -> bool:
        """Whether anything is known of the cost: some model has a price, or no model is asked."""
        models = [share for share in self.shares.values() if share.is_model]
        return not models or any(share.is_priced for share in models)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """The models whose price is not known."""
        return tuple(name for name, share in self.shares.items() if not share.is_priced)

    def __add__(self, other: "Estimate") -> "Estimate":
        """Add the estimates of two runs up."""
        shares = dict(self.shares)
        for name, share in other.shares.items():
            shares[name] = shares[name] + share if name in shares else share
        played = self.played + other.played
        characters = self.played * self.characters + other.played * other.characters
        return Estimate(
            shares,
            self.calls_at_most + other.calls_at_most,
            played,
            characters / played if played else 0.0,
            tuple(dict.fromkeys((*self.players, *other.players))),
            tuple(dict.fromkeys((*self.problems, *other.problems))),
            tuple(dict.fromkeys((*self.warnings, *other.warnings))),
            self.longest + other.longest,
        )


def estimate_run(
    game: AnyGame,
    config: RunConfig,
    planned: Plan,
    environ: Mapping[str, str],
    *,
    sample: int = 3,
    patience_s: float = 1.5,
    logs: Mapping[str, Sequence[LogEntry]] = NO_LOGS,
) -> Estimate:
    """Estimate what a run will come to. Asks nobody.

    Args:
        game: the rules.
        config: the run.
        planned: the run worked out. It may hold fewer episodes than the configuration asks for; a few will do.
        environ: the environment, with what ``.env`` adds to it: it may name a file of prices.
        sample: how many episodes are played for it; more where there are more variants: one of each.
        patience_s: after so many seconds no more is played, and the rest of an episode is extrapolated.
        logs: what was said already in episodes that go on; their turn limits count what is left.

    Raises:
        UsageError: the user's file of providers makes no sense.
    """
    agents = {name: parse_agent(name) for name in planned.agents}
    known = {name: facts(agent, environ) for name, agent in agents.items()}
    prices = {name: known[name].price for name in agents}
    cast = Cast(game, prices)
    deadline = perf_counter() + patience_s
    played: list[Rehearsal] = []
    turns = 0
    problems: tuple[str, ...] = ()
    try:
        for opening in _sampled(planned.openings, sample):
            limit = planned.turn_limit_of(opening)
            episode = rehearse(game, opening, cast, limit, deadline, log=logs.get(opening.episode_id, ()))
            if played and not episode.is_over:
                break
            played.append(episode)
            turns += limit
    except Exception as error:  # whatever a game or its script does, a dry run goes on
        problems = (" ".join(str(error).split()) if isinstance(error, PalaverError) else f"{game.name}: {error!r}",)
        played = []
    # Where some episodes take more turns than others, what was played stands for so many turns, not episodes.
    times = _all_turns(config, planned) / turns if played else 0.0
    frozen = _frozen(config)
    shares = {}
    for name, agent in agents.items():
        done = [episode.load_of(name, frozen) for episode in played]
        rest = [episode.load_of(name, frozen, extrapolated=True) for episode in played]
        unfinished = [left for left, episode in zip(rest, played, strict=True) if not episode.is_over]
        about, most = sum([*done, *unfinished], Load()) * times, sum([*done, *rest], Load()) * times
        if agent.kind == "model":
            shares[name] = Share(about, most, prices[name])
        else:
            shares[name] = Share(Load(about.calls), Load(most.calls), None, is_model=False)
    said = [characters for episode in played for characters in episode.characters]
    mean = fmean(said) if said else 0.0
    bound, warnings = calls_at_most(config, planned), cut_off(config, planned, environ)
    longest = longest_answers(config, planned, bound, known)
    return Estimate(shares, bound, len(played), mean, tuple(cast.heard), problems, warnings, longest)


def _sampled(openings: Sequence[EpisodeStarted], sample: int) -> list[EpisodeStarted]:
    """Choose episodes to rehearse: the first of each variant, and then whichever come first."""
    firsts = {opening.variant: opening for opening in reversed(openings)}
    others = (opening for opening in openings if opening is not firsts[opening.variant])
    return [*reversed(firsts.values()), *islice(others, max(0, sample - len(firsts)))]


def calls_at_most(config: RunConfig, planned: Plan) -> int:
    """Return how many calls of models a run can take, tries not counted; frozen turns and scripts take none."""
    seats = planned.openings[0].seats.values()
    turns = max(0, _all_turns(config, planned) - config.episodes * _frozen(config))
    a_turn = max(_calls_a_turn(filler.agent) for fillers in seats for filler in fillers)
    leavers = [filler.agent for fillers in seats for filler in fillers[:-1]]
    summaries = sum(min(1, _calls_a_turn(agent)) for agent in leavers) if config.handoff == "summary" else 0
    return turns * a_turn + config.episodes * summaries


def _all_turns(config: RunConfig, planned: Plan) -> int:
    """Return how many turns the whole run can take."""
    return sum(planned.turn_limits.values()) or config.episodes * planned.turn_limit


def _calls_a_turn(agent: str) -> int:
    """Return how many calls a seat's word can take: a lead may consult all of its members in every round."""
    team = team_of(agent)
    if team is None:
        return int(parse_agent(agent).kind == "model")
    lead = _calls_a_turn(team.lead)
    return team.rounds * (lead + sum(map(_calls_a_turn, team.members))) + lead


def _frozen(config: RunConfig) -> int:
    """Return how many turns of every episode are frozen: they were paid for in another run."""
    return config.prefix.turns if config.prefix else 0
