"""What is being played, folded from gists: cards, totals, and what is known of each run. Pure, and O(1) a commit.

No game is loaded for it and nothing that is said is read, so that a thousand episodes cost next to nothing. The same
fold serves whoever was there from the beginning and whoever comes late and makes the gists of the logs.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Literal

from palaver_protocols.gist import Gist

from .cards import Card, Key, Primary, Rates, RunTally, leaves_of, one_agent, seat_now

__all__ = ["Index", "Told"]

FRESH_S = 120.0
"""How long an episode that has ended stays among the cards."""
FRESH = 500
"""How many of those, at most."""
REMEMBERED = 5_000
"""Ended episodes whose cards are remembered for the pages of their runs."""

Told = Literal["new", "known", "gap"]
"""What a commit was: the next of its log; one that we had; or one before which some are missing."""


class Index:
    """All cards. For one thread.

    Args:
        now: tells the time (epoch seconds).
        primary: tells a game's main score, where that is known.
    """

    def __init__(self, now: Callable[[], float], primary: Primary) -> None:
        self._now = now
        self._primary = primary
        self._playing: dict[Key, Card] = {}
        self._fresh: OrderedDict[Key, Card] = OrderedDict()
        self._ended: OrderedDict[Key, Card] = OrderedDict()
        self._runs: dict[str, RunTally] = {}
        self._rates = Rates()
        self._dirty: set[Key] = set()
        self._gone: set[Key] = set()
        self._turns = self._tokens = 0
        self._usd: float | None = None
        self._is_priced = True
        self._outcomes: Counter[str] = Counter()
        self.changed: Callable[[Key], None] = lambda _: None
        """Called for every entry that is new."""

    def card(self, key: Key) -> Card | None:
        """Return an episode's card, of one that ended some time ago too; None where it is not known."""
        return self._playing.get(key) or self._ended.get(key)

    def length(self, key: Key) -> int:
        """Return how many entries of an episode's log are folded."""
        card = self.card(key)
        return 0 if card is None else card.length

    def cards_of(self, run: str) -> list[Card]:
        """Return all cards of a run."""
        return [card for cards in (self._playing, self._ended) for key, card in cards.items() if key.run == run]

    def playing_of(self, run: str) -> list[Card]:
        """Return the cards of a run's episodes that are being played."""
        keys = (Key(run, episode) for episode in self.run(run).playing)
        return [self._playing[key] for key in keys if key in self._playing]

    def run(self, run: str) -> RunTally:
        """Return what is known of a run's episodes."""
        return self._runs.setdefault(run, RunTally())

    def apply(self, key: Key, at: int, gist: Gist, *, live: bool = True, force: bool = False) -> Told:
        """Fold one commit.

        Args:
            key: which episode.
            at: the position of the entry in its log.
            gist: what it comes to; ``asked`` is None where nobody knows who is asked now.
            live: whether it has just happened, so that it counts in the rates, and tells who is asked.
            force: take it although entries before it are missing, which nobody has any more.
        """
        card = self.card(key)
        length = 0 if card is None else card.length
        if at < length:
            return "known"
        if at > length and not force:
            return "gap"
        if card is None:
            card = Card(key)
        if card.outcome is not None and gist["type"] != "episode.ended":
            self._take_up(card)
        if card.outcome is None:
            self._playing[key] = card
            self.run(key.run).playing.add(key.episode)
        card.length = at + 1
        self._fold(card, gist, live=live)
        self._dirty.add(key)
        self.changed(key)
        return "new"

    def tell_waiting(self, key: Key, waiting: dict[str, str], at: float | None) -> None:
        """Take note of whom an episode waits for, where nobody has told before."""
        card = self._playing.get(key)
        if card is not None and card.waiting is None:
            card.waiting, card.asked_at = waiting, at
            self._dirty.add(key)

    def drop(self, key: Key) -> None:
        """Forget an episode that is not being played any more, though it has not ended."""
        card = self._playing.pop(key, None)
        if card is not None:
            self.run(key.run).playing.discard(key.episode)
            self._gone.add(key)

    @property
    def playing(self) -> list[Key]:
        """The episodes that are being played."""
        return list(self._playing)

    def shown(self) -> Iterator[Card]:
        """Yield the cards that are shown: what is played, and what has just ended."""
        yield from self._playing.values()
        yield from self._fresh.values()

    def snapshot(self) -> dict[str, Any]:
        """Return all cards and the totals."""
        self._let_go()
        cards = [card.as_dict(self._primary) for card in self.shown()]
        return {"all": True, "cards": cards, "gone": [], "totals": self.totals()}

    def changes(self) -> dict[str, Any] | None:
        """Return the cards that have changed since the last call, with the totals; None where none has."""
        self._let_go()
        if not self._dirty and not self._gone:
            return None
        shown = [self._playing.get(key) or self._fresh.get(key) for key in self._dirty]
        gone = [str(key) for key in self._gone if key not in self._playing]
        self._dirty.clear()
        self._gone.clear()
        cards = [card.as_dict(self._primary) for card in shown if card is not None]
        return {"all": False, "cards": cards, "gone": gone, "totals": self.totals()}

    def totals(self) -> dict[str, Any]:
        """Return the sums over everything that was seen."""
        turns, tokens = self._rates.of_last_minute(self._now())
        return {
            "running": len(self._playing),
            "ended": sum(self._outcomes.values()),
            "turns": self._turns,
            "tokens": self._tokens,
            "cost": self._usd if self._is_priced else None,
            "turns_per_min": turns,
            "tokens_per_min": tokens,
            "outcomes": dict(self._outcomes),
        }

    def _take_up(self, card: Card) -> None:
        """Go on with an episode that had ended with an error or a spent budget."""
        self._ended.pop(card.key, None)
        self._fresh.pop(card.key, None)
        outcome = str(card.outcome)
        for counts in (self._outcomes, self.run(card.key.run).outcomes):
            counts[outcome] -= 1
            if not counts[outcome]:
                del counts[outcome]
        card.outcome, card.ended, card.error, card.scores = None, None, None, {}

    def _let_go(self) -> None:
        """Take down the cards that have ended long enough ago."""
        limit = self._now() - FRESH_S
        while self._fresh:
            key, card = next(iter(self._fresh.items()))
            if (card.ended or 0.0) > limit and len(self._fresh) <= FRESH:
                break
            del self._fresh[key]
            self._gone.add(key)

    def _fold(self, card: Card, gist: Gist, *, live: bool) -> None:
        folded: Any = gist
        match folded["type"]:
            case "episode.started":
                card.game, card.variant = folded["game"], folded["variant"]
                card.instance, card.started = folded["instance"], folded["at"]
                card.relays = dict(folded["seats"])
                card.seats = {seat: one_agent(relay) for seat, relay in card.relays.items()}
            case "turn.taken" | "aside":
                self._fold_turn(card, folded, live=live)
            case "seat.changed":
                self._seat(card, folded["seat"], folded["agent"], by_hand=True)
            case "episode.ended":
                self._end(card, folded)
                return
        self._ask(card, folded, live=live)

    def _fold_turn(self, card: Card, gist: dict[str, Any], *, live: bool) -> None:
        seat, agent = gist["seat"], gist["agent"]
        self._seat(card, seat, agent)
        if gist["type"] == "aside":
            card.asides += 1
        else:
            card.turns += 1
            card.last = (seat, agent)
            self._turns += 1
            if card.waiting is not None:
                card.waiting.pop(seat, None)
        card.latency = gist["latency"]
        if gist["copied"]:
            return
        tokens = gist["input"] + gist["output"]
        card.tokens += tokens
        self._tokens += tokens
        if live:
            self._rates.add(self._now(), tokens)
        if gist["usd"] is not None:
            card.usd = (card.usd or 0.0) + gist["usd"]
            self._usd = (self._usd or 0.0) + gist["usd"]
        elif tokens:
            card.is_priced = self._is_priced = False

    def _ask(self, card: Card, gist: dict[str, Any], *, live: bool) -> None:
        if not live or gist["asked"] is None:
            card.waiting = None
            return
        if gist["asked"]:
            card.waiting = card.waiting or {}
            card.asked_at = gist["at"]
        for seat, agent in gist["asked"]:
            asked = seat if seat in card.seats else gist.get("seat")
            if asked in card.seats and card.waiting is not None:
                self._seat(card, asked, agent)
                card.waiting[asked] = agent

    def _seat(self, card: Card, seat: str, agent: str, *, by_hand: bool = False) -> None:
        """Take note of who speaks for a seat now."""
        now = card.seats.get(seat)
        if now == agent or (now is not None and not by_hand and agent in leaves_of(now)):
            return
        card.seats[seat] = seat_now(card.relays.get(seat, ""), agent)
        card.handoffs += now is not None

    def _end(self, card: Card, gist: dict[str, Any]) -> None:
        run = self.run(card.key.run)
        if card.outcome is not None:
            self._take_up(card)
        card.outcome, card.ended, card.scores, card.error = gist["outcome"], gist["at"], gist["scores"], gist["error"]
        card.waiting, card.asked_at = {}, None
        self._playing.pop(card.key, None)
        run.playing.discard(card.key.episode)
        self._outcomes[str(card.outcome)] += 1
        run.outcomes[str(card.outcome)] += 1
        run.ends.append(gist["at"])
        if card.error:
            run.errors.append((card.key.episode, card.error))
        self._fresh[card.key] = self._ended[card.key] = card
        while len(self._ended) > REMEMBERED:
            old, _ = self._ended.popitem(last=False)
            if self._fresh.pop(old, None) is not None:
                self._gone.add(old)
