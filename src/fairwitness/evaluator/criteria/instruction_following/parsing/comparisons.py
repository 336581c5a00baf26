"""The phrases that compare a number, before it and after it, each with its sign: "at least", "or fewer"."""

from __future__ import annotations

Phrases = dict[str, list[tuple[tuple[str, ...], str]]]


def _phrases(table: dict[str, str], *, word: int) -> Phrases:
    """Return every phrase with its sign by its first (0) or last (-1) word, the longest first."""
    found: Phrases = {}
    for sign, listed in table.items():
        for phrase in listed.split(","):
            words = tuple(phrase.split())
            found.setdefault(words[word], []).append((words, sign))
    for entries in found.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return found


# Looked up by their last word, which is right before the number.
BEFORE_BY_LAST = _phrases(
    {
        ">=": "at least,at the very least,at the least,no less than,no fewer than,not less than,"
        "not fewer than,minimum of,minimum,min,min of,at minimum,at a minimum,a minimum of,minimum :,"
        "no shorter than,more than or equal to,greater than or equal to,upwards of,> =,≥,"
        "not under,min .,minimum is,minimum length of,minimum length :,no under,not below,no lower than,least,minimal",
        "<=": "at most,at the most,at the very most,no more than,not more than,maximum of,maximum,max,"
        "max of,a maximum of,maximum :,max :,up to,no longer than,not longer than,not exceed,"
        "not exceeding,not to exceed,n't exceed,within,limit :,limit of,limited to,capped at,"
        "less than or equal to,fewer than or equal to,< =,≤,no greater than,not over,nothing over,"
        "no over,not above,not beyond,as many as,most,a limit of,a cap of,the limit of,limit,limit is,max .,maximum is,maximum length of,maximum length :",
        "<": "less than,fewer than,lesser than,under,below,shorter than,smaller than,<,lower than,"
        "strictly under,strictly below,beneath",
        ">": "more than,over,above,greater than,longer than,exceed,exceeds,exceeding,beyond,>,"
        "higher than,surpass,surpasses,in excess of,past",
        "=": "exactly,precisely,only,just,a total of,total of,equal to,equals,=,strictly,exact,always,"
        "specifically,a single,one and only",
        "~": "about,around,approximately,roughly,approx,approx .,~,circa,nearly,almost,close to,"
        "somewhere around,in the region of,nearer",
    },
    word=-1,
)
# Looked up by their first word, which is right after the number or what it counts.
AFTER_BY_FIRST = _phrases(
    {
        ">=": "or more,or greater,or above,and above,or higher,or longer,and up,and over,or over,plus,"
        "minimum,min,at least,at minimum,at a minimum,and more,at the least,as a minimum,or beyond,and beyond,or upwards,"
        "and upwards,and no less,and no fewer",
        "<=": "or less,or fewer,or under,or below,or shorter,or lower,max,maximum,at most,tops,"
        "and under,and below,at maximum,at the most,or so less,limit,as a maximum,and no more,at the maximum",
        "~": "or so,approximately,roughly,give or take",
    },
    word=0,
)
