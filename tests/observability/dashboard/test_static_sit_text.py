"""How a seat's page sets the task: a few forms, built of elements, and what partners say stays as it came."""

import json
from typing import Any

from tests.observability.dashboard.test_static_logic import pytestmark, said

__all__ = ["pytestmark"]

MANUAL = """\
# Keypad
Press **four** buttons.

## Columns
| column 1 | column 2 |
| -------- | -------- |
| crown    | fish     |

- first
* second
#no heading
@.#
.?.
#.*
| no table"""


def blocks(words: str) -> Any:
    return said(
        f'import {{ blocksOf }} from "JS/sit-text.js"; console.log(JSON.stringify(blocksOf({json.dumps(words)})));'
    )


def test_a_manual_has_headings_tables_lists_and_drawings() -> None:
    assert blocks(MANUAL) == [
        {"kind": "heading", "level": 1, "text": "Keypad"},
        {"kind": "text", "text": "Press **four** buttons."},
        {"kind": "heading", "level": 2, "text": "Columns"},
        {"kind": "table", "head": ["column 1", "column 2"], "rows": [["crown", "fish"]]},
        {"kind": "list", "items": ["first", "second"]},
        {"kind": "text", "text": "#no heading"},
        {"kind": "drawn", "text": "@.#\n.?.\n#.*"},
        {"kind": "text", "text": "| no table"},
    ]


def test_no_words_are_lost_whatever_is_written() -> None:
    words = "<b>bold</b> [a](http://b) `code` ![x](y)\n| a |\n|||\n- \n#### four\n##### five"
    told = blocks(words)
    assert "".join(each["text"] for each in told if each["kind"] == "text").startswith("<b>bold</b> [a](http://b)")
    assert [each["text"] for each in told if each["kind"] == "heading"] == ["four"]
    assert "##### five" in told[-1]["text"]
