"""One line of what is wrong, in words that are not pydantic's own."""

from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, ValidationError

from palaver_protocols.content import Frozen
from palaver_protocols.errors import first_problem


def _even(number: int) -> int:
    if number % 2:
        raise ValueError("it is odd")
    return number


class _Inner(Frozen):
    number: Annotated[int, AfterValidator(_even)] = 0


class _Outer(Frozen):
    inner: _Inner


def problem(model: type[BaseModel], value: Any) -> str:
    with pytest.raises(ValidationError) as raised:
        model.model_validate(value)
    return first_problem(raised.value)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"inner": {"number": 3}}, "inner.number: it is odd"),
        ({"inner": []}, "inner: Input should be a valid dictionary"),
        ([], "Input should be a valid dictionary"),
        ({}, "inner: Field required"),
    ],
)
def test_a_problem_is_told_without_the_names_of_our_classes(value: Any, said: str) -> None:
    assert problem(_Outer, value) == said
