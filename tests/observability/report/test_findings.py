"""Sentences under figures: they say what the numbers bear out, and where these are too few."""

import pytest

from palaver_observability.report.findings import Contrast, gap_findings, order_findings, relay_findings
from palaver_observability.statistics import Comparison

NO_PROOF = "which is no proof that there is none."


def of(name: str, estimate: float | None, p_holm: float | None, n: int = 20) -> Contrast:
    return Contrast(name, Comparison(n=n, estimate=estimate, p=p_holm, method="paired t-test"), p_holm)


@pytest.mark.parametrize(("estimate", "starter"), [(0.21, "strong"), (-0.21, "weak")])
def test_an_order_effect_names_who_had_better_start(estimate: float, starter: str) -> None:
    found = order_findings([("strong", "weak", of("strong with weak", estimate, 0.011))])
    assert found == (f"Starting matters for strong with weak: +0.21 when {starter} starts, p (Holm) 0.011.",)


def test_the_largest_order_effects_come_first_and_the_rest_is_counted() -> None:
    effects = [(f"a{at}", "b", of(f"a{at} with b", at / 10, 0.01)) for at in range(1, 8)]
    found = order_findings(effects)
    assert found[0].startswith("Starting matters for a7 with b: +0.70")
    assert len(found) == 6
    assert found[-1] == "So it does for 2 pairs more, in the table."


def test_what_is_not_significant_is_not_claimed() -> None:
    (found,) = order_findings([("a", "b", of("a with b", 0.4, 0.06))])
    assert found == (
        "For a with b no difference by who starts can be told (p (Holm) 0.060), which is no proof that there is none."
    )


def test_too_few_pairs_are_too_few_to_tell_whatever_their_p() -> None:
    found = order_findings([("a", "b", of("a with b", 0.9, 0.001, n=9)), ("a", "c", of("a with c", 0.9, 0.001, n=4))])
    assert found == ("Too few to tell for a with b and a with c: n is 4 to 9, below 10.",)


def test_a_gap_is_a_loss_or_a_gain() -> None:
    found = gap_findings([of("a", 0.5, 0.02), of("b", -0.25, 0.03), of("c", 0.0, None), of("d", 0.5, None)])
    assert found == (
        "Together, two copies of a come to 0.50 less than one of them alone, p (Holm) 0.020.",
        "Together, two copies of b come to 0.25 more than one of them alone, p (Holm) 0.030.",
        "For c there is no difference between alone and together: the same on every instance.",
        "For d the difference between alone and together is the same on every instance, so no test is defined.",
    )


def test_a_relay_is_told_at_each_k() -> None:
    points = [of("K = 2", 0.3, 0.04), of("K = 4", 0.5, 0.01), of("K = 6", -0.4, 0.02), of("K = 8", 0.1, 0.6)]
    assert relay_findings("Primer", "b with b", points) == (
        "Primer: better than b with b at K = 2 (+0.30) and K = 4 (+0.50), p (Holm) 0.040 at most.",
        "Primer: worse than b with b at K = 6 (−0.40), p (Holm) 0.020.",  # noqa: RUF001 - a minus sign, as printed
        f"Primer: for K = 8 no difference from b with b can be told (p (Holm) 0.60), {NO_PROOF}",
    )


def test_a_relay_without_a_baseline_claims_nothing() -> None:
    assert relay_findings("Recovery", "b with b", [of("K = 2", None, None, n=0)]) == (
        "Recovery: b with b was not played, so that no gain can be told.",
    )
