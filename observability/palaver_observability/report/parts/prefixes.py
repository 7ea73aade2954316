"""Proof that relays share their prefixes: one digest an instance in all of them, and that of the source's own turns."""

from ..document import Note, Section, Table, num, words
from ..numbers import count
from ..prefixes import SharedPrefix, shared_prefixes
from ..study import Study

__all__ = ["prefixes"]


def prefixes(study: Study) -> Section | None:
    """Tabulate the runs that begin with frozen turns."""
    found = shared_prefixes(study)
    if not found:
        return None
    head = (
        words("turns of"),
        num("K"),
        words("runs that continue them"),
        num("instances"),
        num("episodes equal to the source"),
        num("one digest in all runs"),
        words("SHA-256 of the first instance"),
    )
    rows = tuple(_row(each) for each in found)
    about = (
        "Continuations begin with the first K turns of a dialogue that was played once, so that all K share it. The "
        "digest of an episode's frozen turns covers who said what, to the letter; it is compared with that of the "
        "source's own transcript, and between the runs that freeze as many turns of it."
    )
    return Section("prefixes", "Frozen prefixes", about, (Note(_verdict(found)), Table("Shared prefixes", head, rows)))


def _verdict(found: list[SharedPrefix]) -> str:
    checked = [each for each in found if each.proven is not None]
    proven, of = sum(each.proven or 0 for each in checked), sum(each.episodes for each in checked)
    several = [each for each in found if len(each.cells) > 1]
    instances, shared = sum(each.instances for each in several), sum(each.shared for each in several)
    lines = []
    if checked:
        equal = f"The frozen turns of {count(proven)} of {count(of)} episodes equal, to the letter,"
        lines.append(f"{equal} the first turns of the dialogue that they were taken from.")
    if several:
        same = f"{count(shared)} of {count(instances)} prefixes that several runs continue"
        lines.append(f"{same} are the same in all of them.")
    if len(checked) < len(found):
        lines.append("The transcripts of some sources are not at hand, so that only digests could be compared.")
    return " ".join(lines)


def _row(each: SharedPrefix) -> tuple[str, ...]:
    return (
        each.source,
        count(each.turns),
        "\n".join(each.cells),
        count(each.instances),
        "not at hand" if each.proven is None else f"{count(each.proven)} of {count(each.episodes)}",
        f"{count(each.shared)} of {count(each.instances)}" if len(each.cells) > 1 else "one run",
        f"{each.digest[:16]}…",
    )
