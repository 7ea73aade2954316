"""Levelling of text before it is read: markup, typography and drawings of maps away, words and signs left alone."""

import re
import unicodedata

__all__ = ["ARROWS", "plain"]

ARROWS = {"↑": "up", "↓": "down", "←": "left", "→": "right"}
"""The arrows that remain after levelling, and the moves they can mean."""

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{ACUTE ACCENT}", "'"),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("➔➜➝➡⇨▶", "→"),
        **dict.fromkeys("⟹⇒", "⟶"),
        **dict.fromkeys("⬆⇧▲", "↑"),
        **dict.fromkeys("⬇⇩▼", "↓"),
        **dict.fromkeys("⬅⇦◀", "←"),
        **dict.fromkeys("⟦⟧⟪⟫", "'"),
        "\N{MINUS SIGN}": "-",
        "\N{MULTIPLICATION SIGN}": "x",
        "\N{NON-BREAKING HYPHEN}": "-",
        "\N{EN DASH}": "—",
        "\N{VARIATION SELECTOR-16}": None,
        "\N{ZERO WIDTH SPACE}": None,
        "`": None,
    }
)

_SYMBOL = r"[@*.#?]"
_RULES: tuple[tuple[str, str, str], ...] = (
    (r"\A\s*\[?(?:other agent|agent[ _]?\d+|user|lead)\]?\s*:", "", "the prefix of the speaker"),
    (r"<(think(?:ing)?)>(?:(?!<\1>)[\s\S])*?</\1>", "", "thoughts that the partner does not hear"),
    (r"\b([ie])\.\s?([eg])\.", r"\1\2", "'i.e.' ends no sentence"),
    (r"""[{,]\s*"(?!(?:row|col|column|[rcxyij])")(\w+)"\s*:\s*""", r"\n\1: ", "JSON: one field a line"),
    (r"""\bagree(?:d|ment)?['"]?\s*[:=]\s*(?:false|no)\b""", "I disagree", "a refusal in a field"),
    (r"""(?<![-=])[-=]++\s?\(?[A-Z]{1,5}\)?\s?[-=]++>""", "⟶", "an arrow with a word on it"),
    (r"\\(?:left|right)(?=\s*[(\[{)\]}|.])", "", r"LaTeX brackets: \left( is no move"),
    (
        r"\\(?:long)?(?:rightarrow|Rightarrow|to)\b|&rarr;|(?<![-=])[-=]++>",
        "⟶",
        "one arrow for all chains, which is none of the four",
    ),
    (r"\\(up|down|left)arrow", r" \1 ", "LaTeX arrows that can only be directions"),
    (r"\\(?:text|mathbf|mathrm|textbf|boxed|mathtt)\s*\{([^{}]*)\}", r"\1", "LaTeX wrappers"),
    (r"\\[()\[\]]|\$+|\\[,;:!]|\\quad", " ", "LaTeX delimiters and spaces"),
    (r"<br\s*/?>|\\\\", "\n", "line breaks by other names"),
    (r"\*\*|__|~~", "", "bold"),
    (r"(?m)^[ \t]*+#{1,6} +(?=[A-Za-z])", "", "headings"),
    (r"(?<![\w*])\*(?=[\w(\[])([^*\n]+)(?<=[\w)\].!?])\*(?!\w)", r"\1", "italics"),
    (r"""(?m)^[ \t|,'"\[\]@*.#?-]*+(?:(?:row *)?\w{1,2} *[:=|]+)?[ \t|,'"\[\]@*.#?]*+$""", "", "rows of a map"),
    (r"(?m)^ *\|[ \t]*(.*?)[ \t]*\| *$", r"\1", "rows of a table"),
    (r"([(\[]\s?\w{1,2})\s?\|\s?(?=\w{1,2}\s?[)\]])", r"\1, ", "(1|2) is a pair"),
    (r" *\| *", ": ", "and what stands beside what in them"),
    (rf"""(['"])\s*{_SYMBOL}\s*\1""", "symbol", "a quoted map symbol ends no sentence"),
    (rf"[(\[]\s*{_SYMBOL}\s*[)\]]", "", "nor does a bracketed one"),
    (rf"([:=]|[)\]]\s*[→⟶])\s*{_SYMBOL}(?=\.?(?:[\s,;)]|$))", r"\1 symbol", "nor one that a cell is said to be"),
    (
        r"(?m)^([^\w\n]*[(\[]\w{1,2}, ?\w{1,2}[)\]]) [@*.#][ \t]*$",
        r"\1 = symbol",
        "nor one beside a cell, in a line of its own",
    ),
    (r"\"|(?<!\w)'(?=\w+'(?!\w))|(?<=\w)'(?!\w)", "", "quotation marks"),
    (r"\bwhy (?:don't|not) (?:we )?", "let's ", "a negation that proposes"),
    (r"\bcan't we\b", "shall we", "likewise"),
    (r"[^\S\n]+", " ", "runs of blanks"),
)
_OTHER_DIGITS = re.compile(r"[^\D0-9]")
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead, _ in _RULES)


def plain(text: str) -> str:
    """Return the text without markup, with plain quotes, digits and arrows, and without rows of maps."""
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    text = _OTHER_DIGITS.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    for pattern, instead in _COMPILED:
        text = pattern.sub(instead, text)
    return text
