"""What every transport promises. Nothing here knows which one it is talking to.

Leases are a fraction of a second long; nothing sleeps: a test waits for the delivery that it wants, and the time limit
of the suite turns a promise that is not kept into a failure.
"""

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from palaver_broker import Broker, Budget, Commit, Committed, Delivery, Question, Spent, Subscription, inbox
from palaver_protocols.codec import decode
from palaver_protocols.errors import BrokerError
from palaver_protocols.gist import gist_of
from palaver_protocols.messages import Usage
from tests.support import BOX, LOG, a_failure, a_reply, a_request, a_start, a_turn

SHORT, LONG = 0.2, 30.0


async def take(subscription: Subscription, count: int) -> list[Delivery]:
    return [await anext(subscription) for _ in range(count)]


def keys(deliveries: list[Delivery]) -> list[str]:
    return [delivery.message.key for delivery in deliveries]


async def nothing_comes(subscription: Subscription) -> bool:
    try:
        async with asyncio.timeout(SHORT):
            await anext(subscription)
    except TimeoutError:
        return True
    return False


class TestTopics:
    async def test_messages_arrive_whole_and_in_order(self, broker: Broker) -> None:
        sent = [a_request(f"k{n}", turn=n) for n in range(50)]
        async with broker.subscribe("t", "g", consumer="c") as subscription:
            for message in sent:
                await broker.publish("t", message)
            assert [delivery.message for delivery in await take(subscription, 50)] == sent

    async def test_a_message_sent_before_anybody_listens_waits(self, broker: Broker) -> None:
        await broker.publish("t", a_request("early"))
        async with broker.subscribe("t", "g", consumer="c") as subscription:
            assert keys(await take(subscription, 1)) == ["early"]

    async def test_each_group_gets_every_message(self, broker: Broker) -> None:
        async with (
            broker.subscribe("t", "one", consumer="c") as one,
            broker.subscribe("t", "two", consumer="c") as two,
        ):
            await broker.publish("t", a_request("k"))
            assert keys(await take(one, 1)) == keys(await take(two, 1)) == ["k"]

    async def test_consumers_of_a_group_share_the_messages(self, broker: Broker) -> None:
        async with (
            broker.subscribe("t", "g", consumer="c1", limit=1) as first,
            broker.subscribe("t", "g", consumer="c2", limit=1) as second,
        ):
            readers = [asyncio.ensure_future(anext(first)), asyncio.ensure_future(anext(second))]
            for n in range(2):
                await broker.publish("t", a_request(f"k{n}"))
            assert sorted(keys(await asyncio.gather(*readers))) == ["k0", "k1"]

    async def test_topics_do_not_mix(self, broker: Broker) -> None:
        async with broker.subscribe("t1", "g", consumer="c") as subscription:
            await broker.publish("t2", a_request("other"))
            assert await nothing_comes(subscription)

    async def test_one_consumer_may_begin_with_many_topics_at_once(self, broker: Broker) -> None:
        async def hear(topic: str) -> list[str]:
            async with broker.subscribe(topic, "g", consumer="c") as subscription:
                return keys(await take(subscription, 1))

        topics = [f"t{n}" for n in range(5)]
        for topic in topics:
            await broker.publish(topic, a_request(f"to-{topic}"))
        assert await asyncio.gather(*map(hear, topics)) == [[f"to-{topic}"] for topic in topics]

    async def test_a_reader_that_is_cancelled_loses_nothing(self, broker: Broker) -> None:
        async with broker.subscribe("t", "g", consumer="c") as subscription:
            reader = asyncio.ensure_future(anext(subscription))
            await asyncio.sleep(0)
            await broker.publish("t", a_request("k"))
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
        async with broker.subscribe("t", "g", consumer="c") as subscription:
            assert keys(await take(subscription, 1)) == ["k"]


class TestLeases:
    async def test_an_acknowledged_message_is_gone(self, broker: Broker) -> None:
        async with broker.subscribe("t", "g", consumer="c", lease_s=SHORT) as subscription:
            await broker.publish("t", a_request("k"))
            (delivery,) = await take(subscription, 1)
            await delivery.ack()
            await delivery.ack()
            assert await nothing_comes(subscription)

    async def test_a_lapsed_lease_goes_to_another_consumer(self, broker: Broker) -> None:
        async with (
            broker.subscribe("t", "g", consumer="dies", lease_s=SHORT) as dies,
            broker.subscribe("t", "g", consumer="lives", lease_s=SHORT) as lives,
        ):
            await broker.publish("t", a_request("k"))
            (first,) = await take(dies, 1)
            (again,) = await take(lives, 1)
            assert (first.deliveries, again.deliveries) == (1, 2)
            assert again.message.key == "k"
            assert await first.renew() is False

    async def test_a_late_acknowledgement_does_not_take_the_message_from_its_new_holder(self, broker: Broker) -> None:
        async with (
            broker.subscribe("t", "g", consumer="slow", lease_s=SHORT) as slow,
            broker.subscribe("t", "g", consumer="next", lease_s=SHORT) as following,
        ):
            await broker.publish("t", a_request("k"))
            (first,) = await take(slow, 1)
            (again,) = await take(following, 1)
            await first.ack()
            assert await again.renew() is True

    async def test_a_renewed_lease_keeps_the_message(self, broker: Broker) -> None:
        async with (
            broker.subscribe("t", "g", consumer="slow", lease_s=4 * SHORT) as slow,
            broker.subscribe("t", "g", consumer="idle", lease_s=4 * SHORT) as idle,
        ):
            await broker.publish("t", a_request("k"))
            (delivery,) = await take(slow, 1)
            for _ in range(6):
                assert await nothing_comes(idle)
                assert await delivery.renew() is True

    async def test_a_released_message_comes_again_at_once(self, broker: Broker) -> None:
        async with broker.subscribe("t", "g", consumer="c", lease_s=LONG) as subscription:
            await broker.publish("t", a_request("k"))
            (delivery,) = await take(subscription, 1)
            await delivery.release()
            (again,) = await take(subscription, 1)
            assert (again.message.key, again.deliveries) == ("k", 2)

    async def test_leaving_hands_back_what_is_unacknowledged(self, broker: Broker) -> None:
        async with broker.subscribe("t", "g", consumer="c1", lease_s=LONG) as subscription:
            await broker.publish("t", a_request("done"))
            await broker.publish("t", a_request("owed"))
            done, _ = await take(subscription, 2)
            await done.ack()
        async with broker.subscribe("t", "g", consumer="c2", lease_s=LONG) as subscription:
            assert keys(await take(subscription, 1)) == ["owed"]


class TestLimits:
    async def test_no_more_is_on_loan_than_a_consumer_has_room_for(self, broker: Broker) -> None:
        async with (
            broker.subscribe("t", "g", consumer="small", limit=2) as small,
            broker.subscribe("t", "g", consumer="other", limit=2) as other,
        ):
            for n in range(4):
                await broker.publish("t", a_request(f"k{n}"))
            held = await take(small, 2)
            assert await nothing_comes(small)
            rest = await take(other, 2)
            await held[0].ack()
            await broker.publish("t", a_request("k4"))
            late = await take(small, 1)
            assert sorted(keys([*held, *rest, *late])) == [f"k{n}" for n in range(5)]


class TestLogs:
    async def test_a_log_grows_in_order_and_reads_by_range(self, broker: Broker) -> None:
        entries: list[Any] = [a_start("k0"), a_turn("k1"), a_turn("k2")]
        for at, entry in enumerate(entries):
            after = entries[at - 1].key if at else None
            assert await broker.commit(Commit("l", at, after, entry)) == "ok"
        assert await broker.read("l") == entries
        assert await broker.read("l", 1) == entries[1:]
        assert await broker.read("l", 1, 2) == entries[1:2]
        assert await broker.read("l", 7) == []

    async def test_an_unknown_log_is_empty(self, broker: Broker) -> None:
        assert await broker.read("nowhere") == []

    async def test_the_same_entry_twice_is_a_dup(self, broker: Broker) -> None:
        await broker.commit(Commit("l", 0, None, a_start("k0")))
        assert await broker.commit(Commit("l", 0, None, a_start("k0"))) == "dup"
        await broker.commit(Commit("l", 1, "k0", a_turn("k1")))
        assert await broker.commit(Commit("l", 0, None, a_start("k0"))) == "dup"
        assert len(await broker.read("l")) == 2

    @pytest.mark.parametrize(
        ("at", "after"),
        [(0, None), (2, "k0"), (1, "other"), (1, None)],
        ids=["behind", "ahead", "built on another answer", "built on nothing"],
    )
    async def test_an_entry_that_does_not_fit_the_end_is_a_gap(
        self, broker: Broker, at: int, after: str | None
    ) -> None:
        await broker.commit(Commit("l", 0, None, a_start("k0")))
        assert await broker.commit(Commit("l", at, after, a_turn("k1"))) == "gap"
        assert len(await broker.read("l")) == 1

    async def test_of_two_writers_one_wins(self, broker: Broker) -> None:
        commits = [broker.commit(Commit("l", 0, None, a_start(f"k{n}"))) for n in range(8)]
        assert sorted(await asyncio.gather(*commits)) == ["gap"] * 7 + ["ok"]

    async def test_what_follows_happens_with_the_commit(self, broker: Broker) -> None:
        async with (
            broker.subscribe("t", "g", consumer="c", lease_s=SHORT) as topic,
            broker.subscribe(inbox("echo"), "g", consumer="c") as questions,
        ):
            await broker.publish("t", a_request("first"))
            (delivery,) = await take(topic, 1)
            step = Commit(LOG, 0, None, a_start("k0"), ask=[Question(a_request("next"), BOX)], ack=[delivery])
            assert await broker.commit(step) == "ok"
            assert keys(await take(questions, 1)) == ["next"]
            assert await nothing_comes(topic)

    @pytest.mark.parametrize(("at", "result"), [(0, "dup"), (2, "gap")])
    async def test_what_is_not_appended_asks_nothing(self, broker: Broker, at: int, result: str) -> None:
        await broker.commit(Commit(LOG, 0, None, a_start("k0")))
        async with broker.subscribe(inbox("echo"), "g", consumer="c") as questions:
            entry: Any = a_start("k0") if result == "dup" else a_turn("k2")
            step = Commit(LOG, at, None, entry, ask=[Question(a_request("next"), BOX)])
            assert await broker.commit(step) == result
            assert await nothing_comes(questions)

    async def test_a_dup_acknowledges(self, broker: Broker) -> None:
        await broker.commit(Commit(LOG, 0, None, a_start("k0")))
        async with broker.subscribe("t", "g", consumer="c", lease_s=SHORT) as subscription:
            await broker.publish("t", a_request("first"))
            (delivery,) = await take(subscription, 1)
            assert await broker.commit(Commit(LOG, 0, None, a_start("k0"), ack=[delivery])) == "dup"
            assert await nothing_comes(subscription)

    async def test_a_gap_leaves_the_message_pending(self, broker: Broker) -> None:
        async with broker.subscribe("t", "g", consumer="c", lease_s=SHORT) as subscription:
            await broker.publish("t", a_request("first"))
            (delivery,) = await take(subscription, 1)
            assert await broker.commit(Commit("l", 3, "k9", a_turn("k4"), ack=[delivery])) == "gap"
            (again,) = await take(subscription, 1)
            assert again.message.key == "first"

    async def test_a_dropped_log_is_forgotten(self, broker: Broker) -> None:
        await broker.commit(Commit("l", 0, None, a_start("k0")))
        await broker.drop("l")
        await broker.drop("l")
        assert await broker.read("l") == []


class TestCalls:
    @pytest.fixture(autouse=True)
    async def begun(self, broker: Broker) -> None:
        await broker.commit(Commit(LOG, 0, None, a_start("k0")))

    async def test_a_question_reaches_its_agent_and_the_answer_its_asker(self, broker: Broker) -> None:
        async with (
            broker.subscribe(inbox("echo"), "agents", consumer="c", lease_s=SHORT) as questions,
            broker.subscribe(BOX, "gamemasters", consumer="c") as answers,
        ):
            assert await broker.ask(Question(a_request("k"), BOX)) == "asked"
            (question,) = await take(questions, 1)
            await broker.settle(a_reply(question.message), question)
            (answer,) = await take(answers, 1)
            assert answer.message == a_reply(a_request("k"))
            assert await nothing_comes(questions)

    async def test_asking_again_asks_nobody_again(self, broker: Broker) -> None:
        async with broker.subscribe(inbox("echo"), "agents", consumer="c") as questions:
            assert await broker.ask(Question(a_request("k"), BOX)) == "asked"
            assert await broker.ask(Question(a_request("k", attempt=2), BOX)) == "waiting"
            await take(questions, 1)
            assert await broker.ask(Question(a_request("k"), BOX)) == "waiting"
            assert await nothing_comes(questions)

    async def test_the_answer_goes_to_who_asked_last(self, broker: Broker) -> None:
        async with (
            broker.subscribe(inbox("echo"), "agents", consumer="c") as questions,
            broker.subscribe("gm:dead", "gamemasters", consumer="c") as dead,
            broker.subscribe("gm:heir", "gamemasters", consumer="c") as heir,
        ):
            await broker.ask(Question(a_request("k"), "gm:dead"))
            (question,) = await take(questions, 1)
            assert await broker.ask(Question(a_request("k"), "gm:heir")) == "waiting"
            await broker.settle(a_reply(question.message), question)
            assert keys(await take(heir, 1)) == ["k"]
            assert await nothing_comes(dead)

    async def test_what_has_been_answered_is_answered_again_without_the_agent(self, broker: Broker) -> None:
        async with (
            broker.subscribe(inbox("echo"), "agents", consumer="c") as questions,
            broker.subscribe("gm:heir", "gamemasters", consumer="c") as heir,
        ):
            await broker.ask(Question(a_request("k"), "gm:dead"))
            (question,) = await take(questions, 1)
            await broker.settle(a_reply(question.message), question)
            assert await broker.ask(Question(a_request("k"), "gm:heir")) == "answered"
            (answer,) = await take(heir, 1)
            assert answer.message == a_reply(a_request("k"))
            assert await nothing_comes(questions)

    async def test_the_first_answer_is_the_answer(self, broker: Broker) -> None:
        async with (
            broker.subscribe(inbox("echo"), "agents", consumer="slow", lease_s=SHORT) as slow,
            broker.subscribe(BOX, "gamemasters", consumer="c") as answers,
        ):
            await broker.ask(Question(a_request("k"), BOX))
            (first,) = await take(slow, 1)
            (again,) = await take(slow, 1)
            await broker.settle(a_reply(again.message, "quick"), again)
            await broker.settle(a_reply(first.message, "late"), first)
            assert (await take(answers, 1))[0].message.text == "quick"
            assert await broker.ask(Question(a_request("k"), BOX)) == "answered"
            assert (await take(answers, 1))[0].message.text == "quick"
            assert await nothing_comes(slow)

    async def test_a_failure_is_told_and_settles_nothing(self, broker: Broker) -> None:
        async with (
            broker.subscribe(inbox("echo"), "agents", consumer="c") as questions,
            broker.subscribe(BOX, "gamemasters", consumer="c") as answers,
        ):
            await broker.ask(Question(a_request("k"), BOX))
            (question,) = await take(questions, 1)
            await broker.settle(a_failure(question.message), question)
            assert (await take(answers, 1))[0].message == a_failure(a_request("k"))
            assert await broker.ask(Question(a_request("k", attempt=2), BOX)) == "asked"
            (again,) = await take(questions, 1)
            assert again.message.attempt == 2

    async def test_whoever_asks_for_a_turn_that_is_taken_is_overtaken(self, broker: Broker) -> None:
        async with broker.subscribe(inbox("echo"), "agents", consumer="c") as questions:
            await broker.ask(Question(a_request("k1"), BOX))
            (question,) = await take(questions, 1)
            await broker.settle(a_reply(question.message), question)
            await broker.commit(Commit(LOG, 1, "k0", a_turn("k1")))
            assert await broker.ask(Question(a_request("k1"), BOX)) == "gone"
            assert await nothing_comes(questions)

    async def test_an_episode_without_a_log_asks_nobody(self, broker: Broker) -> None:
        assert await broker.ask(Question(a_request("k", episode_id="other"), BOX)) == "gone"
        await broker.drop(LOG)
        assert await broker.ask(Question(a_request("k"), BOX)) == "gone"

    async def test_an_answer_to_an_episode_that_is_over_is_dropped(self, broker: Broker) -> None:
        async with (
            broker.subscribe(inbox("echo"), "agents", consumer="c", lease_s=SHORT) as questions,
            broker.subscribe(BOX, "gamemasters", consumer="c") as answers,
        ):
            await broker.ask(Question(a_request("k"), BOX))
            (question,) = await take(questions, 1)
            await broker.drop(LOG)
            await broker.settle(a_reply(question.message), question)
            assert await nothing_comes(answers)
            assert await nothing_comes(questions)


class TestWithdrawal:
    """A question that is taken back, in every place where it may be."""

    @pytest.fixture(autouse=True)
    async def _an_episode(self, broker: Broker) -> None:
        await broker.commit(Commit(LOG, 0, None, a_start()))

    async def test_one_that_nobody_has_read_is_never_read(self, broker: Broker) -> None:
        question = a_request("k")
        await broker.ask(Question(question, BOX))
        assert await broker.withdraw(question)
        async with broker.subscribe(inbox("echo"), "agents", consumer="c") as subscription:
            await broker.ask(Question(a_request("next"), BOX))
            assert keys(await take(subscription, 1)) == ["next"]

    async def test_one_that_is_on_loan_is_on_loan_no_more(self, broker: Broker) -> None:
        question = a_request("k")
        async with broker.subscribe(inbox("echo"), "agents", consumer="c", lease_s=SHORT) as subscription:
            await broker.ask(Question(question, BOX))
            (loan,) = await take(subscription, 1)
            assert await loan.renew()
            assert await broker.withdraw(question)
            assert not await loan.renew()
            await loan.release()
            await loan.ack()
            assert await nothing_comes(subscription)

    async def test_its_late_answer_reaches_nobody(self, broker: Broker) -> None:
        question = a_request("k")
        async with (
            broker.subscribe(inbox("echo"), "agents", consumer="c") as questions,
            broker.subscribe(BOX, "g", consumer="c") as answers,
        ):
            await broker.ask(Question(question, BOX))
            (loan,) = await take(questions, 1)
            await broker.withdraw(question)
            await broker.settle(a_reply(question), loan)
            assert await nothing_comes(answers)

    async def test_it_can_be_asked_again(self, broker: Broker) -> None:
        question = a_request("k")
        async with broker.subscribe(inbox("echo"), "agents", consumer="c") as questions:
            await broker.ask(Question(question, BOX))
            await take(questions, 1)
            await broker.withdraw(question)
            assert await broker.ask(Question(question, BOX)) == "asked"
            (loan,) = await take(questions, 1)
            assert loan.message == question

    async def test_what_was_never_asked_or_is_answered_cannot_be_withdrawn(self, broker: Broker) -> None:
        question = a_request("k")
        assert not await broker.withdraw(question)
        async with broker.subscribe(inbox("echo"), "agents", consumer="c") as questions:
            await broker.ask(Question(question, BOX))
            (loan,) = await take(questions, 1)
            await broker.settle(a_reply(question), loan)
            assert not await broker.withdraw(question)
            assert await broker.ask(Question(question, BOX)) == "answered"


class TestBudgets:
    async def test_what_turns_cost_is_counted_and_then_nobody_is_asked(self, broker: Broker) -> None:
        await broker.fund("run", Budget(tokens=30))
        await broker.commit(Commit(LOG, 0, None, a_start("k0")))
        for at in (1, 2):
            assert await broker.ask(Question(a_request(f"ask{at}"), BOX)) == "asked"
            turn = a_turn(f"k{at}", usage=Usage(input_tokens=10, output_tokens=5))
            assert await broker.commit(Commit(LOG, at, f"k{at - 1}", turn)) == "ok"
        assert await broker.ask(Question(a_request("more"), BOX)) == "budget"
        step = Commit(LOG, 3, "k2", a_turn("k3"), ask=[Question(a_request("and more"), BOX)])
        assert await broker.commit(step) == "budget"
        assert len(await broker.read(LOG)) == 4

    async def test_dollars_are_counted_too(self, broker: Broker) -> None:
        await broker.fund("run", Budget(micro_usd=1_000_000), Spent(micro_usd=400_000))
        await broker.commit(Commit(LOG, 0, None, a_start("k0")))
        await broker.commit(Commit(LOG, 1, "k0", a_turn("k1", cost_usd=0.5)))
        assert await broker.ask(Question(a_request("ask"), BOX)) == "asked"
        await broker.commit(Commit(LOG, 2, "k1", a_turn("k2", cost_usd=0.1)))
        assert await broker.ask(Question(a_request("more"), BOX)) == "budget"

    async def test_what_a_stranger_says_that_it_has_used_is_its_own_business(self, broker: Broker) -> None:
        await broker.fund("run", Budget(tokens=10, micro_usd=10))
        await broker.commit(Commit(LOG, 0, None, a_start()))
        claim: dict[str, Any] = {"usage": Usage(input_tokens=9_999), "cost_usd": 900.0, "unverified": True}
        await broker.commit(Commit(LOG, 1, "start", a_turn("t0", **claim)))
        assert await broker.ask(Question(a_request("k1", turn=1), BOX)) == "asked"

    async def test_one_run_does_not_pay_for_another(self, broker: Broker) -> None:
        await broker.fund("poor", Budget(tokens=0))
        await broker.commit(Commit(LOG, 0, None, a_start("k0")))
        assert await broker.ask(Question(a_request("k"), BOX)) == "asked"

    async def test_funding_again_raises_the_limit_and_forgets_nothing(self, broker: Broker) -> None:
        await broker.fund("run", Budget(tokens=10))
        await broker.commit(Commit(LOG, 0, None, a_start("k0")))
        await broker.commit(Commit(LOG, 1, "k0", a_turn("k1", usage=Usage(input_tokens=10))))
        await broker.fund("run", Budget(tokens=11))
        assert await broker.ask(Question(a_request("ask"), BOX)) == "asked"
        await broker.fund("run", Budget(tokens=10))
        assert await broker.ask(Question(a_request("more"), BOX)) == "budget"


class TestDeadLetters:
    async def test_a_buried_message_is_kept_with_the_reason(self, broker: Broker) -> None:
        async with broker.subscribe("t", "g", consumer="c", lease_s=SHORT) as subscription:
            await broker.publish("t", a_request("k"))
            (delivery,) = await take(subscription, 1)
            await broker.bury(delivery, "nobody can read it")
            assert await nothing_comes(subscription)
        (letter,) = await broker.dead_letters()
        assert (letter.topic, letter.reason) == ("t", "nobody can read it")
        assert decode(letter.text) == a_request("k")


class TestWatching:
    """Those who watch hear of every commit, once and in order, from when they have begun."""

    @staticmethod
    async def commits(broker: Broker, log: str, first: int, until: int) -> None:
        for at in range(first, until):
            entry: Any = a_turn(f"k{at}", turn=at) if at else a_start("k0")
            assert await broker.commit(Commit(log, at, f"k{at - 1}" if at else None, entry)) == "ok"

    async def test_what_is_committed_is_told_with_its_gist(self, broker: Broker) -> None:
        async with aclosing(broker.watch()) as word:
            assert await anext(word) == []
            question = Question(a_request("k1", agent="openai/x"), BOX)
            await broker.commit(Commit(LOG, 0, None, a_start("k0"), ask=[question]))
            (started,) = await anext(word)
            assert (started.log, started.at) == (LOG, 0)
            assert started.gist == gist_of(a_start("k0"), [question.request])
            assert started.gist["asked"] == [["a", "openai/x"]]
            await broker.commit(Commit(LOG, 1, "k0", a_turn("k1"), soon=[a_request("k2", seat="b")]))
            (taken,) = await anext(word)
            assert taken.gist["asked"] == [["b", "echo"]], "its pictures have to go ahead of this question"

    async def test_all_who_watch_hear_all_in_order(self, broker: Broker) -> None:
        async with aclosing(broker.watch()) as one, aclosing(broker.watch()) as other:
            for word in (one, other):
                assert await anext(word) == []
            await self.commits(broker, "log:run/e0", 0, 30)
            for word in (one, other):
                heard: list[Committed] = []
                while len(heard) < 30:
                    heard += await anext(word)
                assert [each.at for each in heard] == list(range(30))

    async def test_whoever_comes_again_goes_on_where_it_was(self, broker: Broker) -> None:
        async with aclosing(broker.watch()) as word:
            await anext(word)
            await self.commits(broker, "log:run/e0", 0, 1)
            (last,) = await anext(word)
        await self.commits(broker, "log:run/e0", 1, 3)
        async with aclosing(broker.watch(last.id)) as word:
            assert [each.at for each in await anext(word)] == [1, 2]

    async def test_nothing_is_told_of_what_was_refused(self, broker: Broker) -> None:
        async with aclosing(broker.watch()) as word:
            await anext(word)
            await self.commits(broker, "log:run/e0", 0, 1)
            assert await broker.commit(Commit("log:run/e0", 0, None, a_start("k0"))) == "dup"
            assert await broker.commit(Commit("log:run/e0", 7, "k6", a_turn("k7"))) == "gap"
            await self.commits(broker, "log:run/e0", 1, 2)
            heard = await anext(word)
            if len(heard) < 2:
                heard += await anext(word)
            assert [each.at for each in heard] == [0, 1]


class TestBlobs:
    async def test_bytes_come_back_under_their_hash(self, broker: Broker) -> None:
        data = bytes(range(256)) * 40
        sha256 = await broker.blobs.put(data)
        assert await broker.blobs.put(data) == sha256
        assert await broker.blobs.get(sha256) == data

    async def test_an_unknown_blob_is_a_clear_error(self, broker: Broker) -> None:
        with pytest.raises(BrokerError, match="no blob 000000"):
            await broker.blobs.get("0" * 64)


class TestClosing:
    async def test_a_closed_bus_says_so(self, broker: Broker) -> None:
        await broker.aclose()
        await broker.aclose()
        with pytest.raises(BrokerError, match="closed"):
            await broker.publish("t", a_request())
