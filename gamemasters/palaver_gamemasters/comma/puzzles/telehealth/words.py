"""The words that people use for the signs of a spot on the skin, as patterns."""

import re
from collections.abc import Mapping

__all__ = [
    "BORDER_WORDS",
    "DIAGNOSIS_WORDS",
    "FACT_WORDS",
    "LOOK_WORDS",
    "OTHER_SKIN",
    "STABLE",
    "TREATMENT_WORDS",
]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{text})", re.IGNORECASE)


EDGE = r"(?:borders?|edges?|edged|outlines?|margins?|rim)\b"
ABOUT = r"(?:[ ]+(?:is|are|looks?|seems?|appears?|rather|very|quite|fairly|pretty|somewhat|a bit|mostly)\b|[ ]*:)*[ ]+"

BORDER_WORDS: Mapping[str, re.Pattern[str]] = {
    value: _pattern(rf"(?:{adjective})(?: and \w+)?,? (?:\w+ )?{EDGE}|{EDGE}{ABOUT}(?:{adjective})")
    for value, adjective in {
        "smooth": r"(?<!not )(?:smooth|sharp|clear|clean|well[- ](?:defined|demarcated)|regular|even)(?:ly)?",
        "notched": r"(?:irregular|uneven|notched|scalloped|ragged|jagged|zigzag|bumpy|frayed)(?:ly)?",
        "blurred": r"(?:blurr?(?:ed|y)|fuzzy|unclear|vague|soft|faded|indistinct|(?:ill|poorly)[- ]defined)",
    }.items()
}
"""A border: words that mean something else elsewhere, such as smooth, count beside the word for it only."""

LOOK_WORDS: Mapping[str, Mapping[str, re.Pattern[str]]] = {
    "shape": {
        "asymmetric": _pattern(r"(?:a|un-?)symm?etr\w*|lopsided|irregular(?:ly)?[- ]shape\w*|two different halves"),
        "oval": _pattern(r"oval\w*|ellip\w*|egg[- ]shaped"),
        "round": _pattern(r"round(?:ed|ish|,|\.|\b)(?! the| it\b)|circular|circle\b|disc[- ]shaped"),
    },
    "border": {
        "notched": _pattern(r"notch\w*|scallop\w*|ragged|jagged"),
        "blurred": _pattern(r"blurr?\w*|fuzzy|ill[- ]defined|poorly[- ]defined|fad(?:es|ing) (?:in|away|out)\w*"),
        "smooth": _pattern(r"well[- ]defined|well[- ]demarcated"),
    },
    "colour": {
        "several colours": _pattern(
            r"(?:several|many|multiple|various|different|mixed|varied|varying|more than one|multi(?:ple)?-?) ?"
            r"(?:different )?(?:colou?rs?|shades|tones)\w*|multi-?colou?r\w*|colou?rs vary|mix(?:ture)? of colou?rs"
        ),
        "pink-brown": _pattern(r"pink(?:ish)?(?:[- ]|[ ]and[ ]|/)brown(?:ish)?|brown(?:ish)?[- ]pink"),
        "light brown": _pattern(r"(?:light(?:er)?|pale)[- ]brown(?:ish)?|tan\b|beige"),
        "dark brown": _pattern(r"(?:dark(?:er)?|deep)[- ]brown(?:ish)?"),
        "brown": _pattern(r"brown(?:ish)?\b"),
        "black": _pattern(r"black(?:ish)?\b"),
        "red": _pattern(r"red(?:dish)?\b"),
        "pink": _pattern(r"pink(?:ish)?\b|ros[ey]\b|flesh[- ]colou?red|skin[- ]colou?red"),
        "blue": _pattern(r"blue(?:ish)?\b|bluish\b|gr[ae]y(?:ish)?\b|white(?:ish)?\b|whitish\b"),
    },
    "elevation": {
        "slightly raised": _pattern(
            r"(?:slight(?:ly)?|a bit|a little|a touch|barely|somewhat|hardly|just) (?:raised|elevated|bump\w*)"
        ),
        "flat": _pattern(r"flat\b|(?:not|isn't|without being) (?:raised|elevated)|not a bump|level with"),
        "raised": _pattern(r"raised|elevated|bump\b|nodule|dome\w*|lump\b|protru\w*|stick(?:s|ing) out"),
    },
    "surface": {
        "shiny": _pattern(r"shin[ye]\w*|pearl\w*|gloss\w*|translucent|glisten\w*"),
        "scaly": _pattern(r"scal(?:y|es|e|ing)\b|rough\b|dry\b|flak\w*|sandpaper\w*"),
        "crusted": _pattern(r"crust\w*|scab\w*"),
        "waxy": _pattern(r"wax\w*|stuck[- ]on|pasted[- ]on|greasy|wart\w*"),
        "smooth": _pattern(r"smooth"),
    },
    "marks": {
        "blood vessels": _pattern(
            r"(?:(?:blood|red|thin|tiny|fine|small)[ -]){0,4}(?:vessels?|veins?)\b|telangiect\w*|red lines"
        ),
        "dark specks": _pattern(
            r"(?:(?:dark|black|brown|little|small|tiny)[ -]){0,4}(?:specks?|speckle\w*|flecks?|dots?|pits?|plugs?)\b"
        ),
        "hairs": _pattern(r"(?:(?:dark|black|a few|long)[ -]){0,4}hair(?:s|y)?\b"),
    },
}  # fmt: skip
"""By sign and value. A colour that is just brown may be either brown; blue, grey and white make several colours."""

FACT_WORDS: Mapping[str, re.Pattern[str]] = {
    "itches": _pattern(r"itch\w*"),
    "bleeds": _pattern(r"bleed\w*|bled\b|blood\b(?! vessel)|ooz\w*"),
    "irritated": _pattern(r"irritat\w*|inflamed|sore\b"),
    "hurts": _pattern(r"hurt\w*|pain\w*|ache\w*|tender"),
    "grown": _pattern(r"grow[ns]\b|growing|grew\b|bigger|enlarg\w*"),
    "changed": _pattern(r"chang\w*|evolv\w*"),
}
STABLE = _pattern(r"unchanged|unchanging|stable|the same (?:for|as)")
TONE = r"(?:dark|light|pale|fair|brown|black|white|tan|olive|pink)(?:[ -]brown)?"
OTHER_SKIN = re.compile(
    rf"\b(?:{TONE}[ -]skin(?:ned)?\b|skin (?:type|tone|colou?r)\b[^.;,\n]*|my skin is (?:(?:very|quite) )*{TONE}\b)",
    re.IGNORECASE,
)
"""Words about the skin round a spot, which are not about the spot."""

DIAGNOSIS_WORDS: Mapping[str, re.Pattern[str]] = {
    "BCC": _pattern(r"bcc\b|basal[- ]cell"),
    "SCC": _pattern(r"scc\b|squamous"),
    "MEL": _pattern(r"mel\b|melanoma"),
    "ACK": _pattern(r"ack\b|(?:actinic|solar) keratos[ie]s"),
    "SEK": _pattern(r"sek\b|seborrh?(?:o?e)ic kerato\w*"),
    "NEV": _pattern(r"nev\b|na?ev(?:us|i)\b|(?:common|ordinary|normal|harmless|plain|just a) mole"),
}
TREATMENT_WORDS: Mapping[str, re.Pattern[str]] = {
    "no treatment": _pattern(
        r"no (?:\w+ )?treatment|leave it (?:alone|as it is)|nothing (?:needs )?(?:to be done|to do)|do nothing|"
        r"(?:without|(?:not|doesn't|don't|won't|needn't)(?: need| require)?)(?: any| a)? treat(?:ment|ed)?\b"
    ),
    "surgery": _pattern(r"surg(?:ery|ical\w*)|operat(?:e|ion)\b|excis\w*|cut (?:it )?out"),
    "cryotherapy": _pattern(r"cryo\w*|fr(?:eez|oz)\w*"),
}
