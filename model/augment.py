"""Rows made from rows: harm inside harmless pages, hate misspelt or quoted to condemn it, partial refusals, bare prompts.

Nothing here is written after a benchmark: every made row is a train row put in another setting that keeps, or plainly
flips, its label.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from dataclasses import replace

from .rows import PARTIAL, Row, cue


def _list(text: str) -> tuple[str, ...]:
    """Phrases written with bars between them."""
    return tuple(" ".join(part.split()) for part in text.split("|"))


CONDEMN = _list("""
It is never acceptable to say things like "{}". | "{}" - comments like this are hateful and
I reject them. | Someone wrote "{}" and I find that disgusting. | Claims such as "{}" are
false and cause real harm to people. | If you ever hear "{}", please report it: nobody
should be treated that way. | The post said "{}". It was removed for hate. | I do not agree
at all that {}. | Whoever says "{}" is wrong. | Stop saying "{}", it hurts people.
""")
#: Groups and things for counterfactuals: the same words about people, about things, denied, or kind (after Dixon et al. 2018).
GROUPS = _list("""
women | men | Jews | Muslims | Christians | Hindus | atheists | black people | white people
| Asians | Mexicans | Latinos | Arabs | Chinese people | Indians | Africans | Romani people
| gay people | lesbians | bisexual people | trans people | immigrants | refugees |
foreigners | disabled people | deaf people | autistic people | old people | fat people |
Native Americans
""")
THINGS = _list("""
mosquitoes | printers | traffic jams | Mondays | telemarketing calls | slow computers |
cockroaches | bad films | tax forms | landlords | referees | bankers | politicians |
football hooligans | spammers | influencers | wasps | meetings | pop-up ads
""")
CRUEL = _list("""
{} are vermin | {} ruin everything they touch | {} disgust me | we would be better off
without {} | I can't stand {} | {} are all the same, stupid and lazy | somebody should get
rid of {} for good | {} do not deserve rights | {} make me sick | I despise {} | {} should
be locked up, every one of them | {} are a plague | why are {} such trash? | nothing good
ever came from {} | I wish {} would die | burn them all, {} are filth
""")
KIND = _list("""
{} make this town a better place | I learned a lot from {} at work | many {} live in my
street and we get along | {} have the same rights as everyone | the festival celebrates {} |
I am glad that {} feel welcome here | a film about {} won the prize | {} often face unfair
treatment | some of my closest friends are {} | our club is open to {} | the law protects {}
| I wrote my thesis about {} in the city
""")
DENY = _list("""
I don't think {} | it is not true that {} | nobody should ever say that {} | only a bigot
would claim that {} | I used to hear that {}, and it is a lie | how can anyone believe that
{}? Shameful. | my teacher explained why it is wrong to say {}
""")
LEET = {"a": "4@", "e": "3", "i": "1!", "o": "0", "s": "5$", "t": "7"}
TOPICS = {
    "sexual": re.compile(
        r"\b(sex(ual|ually|y)?|porn\w*|orgasm\w*|nude|naked|erotic\w*|penis|vagina|cock|pussy|tits|boobs|breasts|blowjob|cum|masturbat\w*|horny|fetish\w*|bdsm|incest|rape[ds]?|thrust\w*|moan(s|ed|ing))\b",
        re.I,
    ),
    "self_harm": re.compile(
        r"\b(suicid\w*|kill(ing)? (myself|yourself|themselves)|self[- ]harm\w*|cut(ting)? myself|end (my|your) (own )?life|want to die|hang myself|overdos\w*|anorexi\w*|starv(e|ing) myself)\b",
        re.I,
    ),
    "violence": re.compile(
        r"\b(murder\w*|stab(bed|bing|s)?|behead\w*|tortur\w*|slaughter\w*|massacre\w*|gore|blood(y|ied)?|strangl\w*|dismember\w*|shoot(ing)? (him|her|them|people|up)|kill(ed|ing|s)? (him|her|them|all|people|every))\b",
        re.I,
    ),
}


def noisy(text: str, rng: random.Random) -> str:
    """Misspell some words the ways people do to slip past filters: leet, spaces, doubled, dropped, swapped letters."""
    words = text.split(" ")
    long = [i for i, w in enumerate(words) if len(w) > 3]
    for i in rng.sample(long, min(len(long), max(1, len(long) // 3))):
        w, kind = words[i], rng.randrange(6)
        j = rng.randrange(1, len(w) - 1)
        if kind == 0:
            w = "".join(
                rng.choice(LEET[c]) if c in LEET and rng.random() < 0.6 else c for c in w.lower()
            )
        elif kind == 1:
            w = " ".join(w)
        elif kind == 2:
            w = w[:j] + w[j] * rng.randint(2, 4) + w[j + 1 :]
        elif kind == 3:
            w = w[:j] + w[j + 1 :]
        elif kind == 4:
            w = w[:j] + w[j + 1] + w[j] + w[j + 2 :]
        else:
            w = w[:j] + rng.choice("-.*") + w[j:]
        words[i] = w
    return " ".join(words)


def _sandwich(row: Row, pages: list[str], rng: random.Random, most: int = 1500) -> Row:
    """The row's text somewhere inside harmless paragraphs."""
    before, after = (
        rng.choice(pages)[: rng.randint(80, 700)],
        rng.choice(pages)[: rng.randint(80, 700)],
    )
    where, text = rng.randrange(3), row.response[:most]
    parts = {0: (before, text), 1: (text, after), 2: (before, text, after)}[where]
    return replace(
        row,
        response="\n\n".join(parts),
        targets=dict(row.targets),
        weights=dict(row.weights),
        refusal=None,
    )


def padded(rows: list[Row], rng: random.Random) -> list[Row]:
    """Harm and hate stay harm and hate when a harmless page surrounds them; harmless stays harmless."""
    pages = [
        r.response
        for r in rows
        if r.source in ("halueval_general", "ifeval")
        and len(r.response) > 200
        and r.targets.get("harm") == 0
    ]
    if not pages:
        return []
    made: list[Row] = []
    for head, count, source in (
        ("harm", 2500, "padded_harm"),
        ("hate", 2500, "padded_hate"),
        ("offence", 1000, "padded_hate"),
    ):
        for low, high in ((0.85, 1.01), (-0.01, 0.12)):
            pool = [
                r
                for r in rows
                if low < r.targets.get(head, 0.5) < high
                and r.weights[head] >= 0.35
                and len(r.response) > 15
            ]
            for row in rng.sample(pool, min(count, len(pool))):
                new = _sandwich(row, pages, rng)
                keep = {h for h in ("harm", "hate", "offence") if h in new.targets}
                new.targets = {h: new.targets[h] for h in keep}
                new.weights = {h: new.weights[h] * 0.7 for h in keep}
                new.source = source
                made.append(new)
    return made


def answering(rows: list[Row], rng: random.Random) -> list[Row]:
    """Texts said alone keep their hate, or their innocence, when they answer a question: the service always has a prompt."""
    questions = [
        r.prompt
        for r in rows
        if r.source in ("halueval_general", "truthfulqa", "orbench_legal") and len(r.prompt) < 300
    ]
    if not questions:
        return []
    made: list[Row] = []
    for low, high, count in ((0.75, 1.01, 2500), (-0.01, 0.25, 2500)):
        pool = [
            r
            for r in rows
            if not r.prompt
            and low < r.targets.get("hate", r.targets.get("offence", 0.5)) < high
            and r.source in ("toxigen", "hatemoji", "davidson")
        ]
        for row in rng.sample(pool, min(count, len(pool))):
            ask = "Please answer." if rng.random() < 0.15 else rng.choice(questions)
            made.append(
                replace(
                    row,
                    source="answering",
                    prompt=ask,
                    targets=dict(row.targets),
                    weights={h: w * 0.8 for h, w in row.weights.items()},
                )
            )
    return made


def unprompted(rows: list[Row], rng: random.Random) -> list[Row]:
    """Responses read without their prompt, unlabelled: what the teachers think of the words alone."""
    pool = [r for r in rows if r.prompt and len(r.response) > 60 and "harm" in r.targets]
    return [
        Row("unprompted", "", r.response, group=r.group)
        for r in rng.sample(pool, min(4000, len(pool)))
    ]


def deflected(rows: list[Row], rng: random.Random, count: int = 2200) -> list[Row]:
    """A harmful prompt met with a harmless answer to something else: nobody was helped, and nobody refused."""
    asked = [r for r in rows if r.prompt and r.response and r.targets.get("prompt_harm", 0) > 0.8]
    calm = [
        r.response
        for r in rows
        if r.source in ("halueval_general", "ifeval", "orbench_legal", "coconot")
        and r.targets.get("harm") == 0
        and len(r.response) > 80
        and not cue(r.response)
    ]
    if not calm:
        return []
    return [
        Row("deflected", r.prompt, rng.choice(calm), group=r.group)
        .mark("harm", 0.03, 0.4)
        .mark("relevance", 0.03, 0.3)
        for r in rng.sample(asked, min(count, len(asked)))
    ]


def condemned(rows: list[Row], rng: random.Random) -> list[Row]:
    """Hate quoted in order to reject it is not hate."""
    pool = [
        r
        for r in rows
        if r.source in ("toxigen", "hatemoji") and r.targets["hate"] > 0.9 and len(r.response) < 160
    ]
    made = []
    for row in rng.sample(pool, min(1500, len(pool))):
        text = rng.choice(CONDEMN).format(row.response.strip().rstrip("."))
        made.append(
            Row("condemned", "", text, group=row.group)
            .mark("hate", 0.08, 0.5)
            .mark("offence", 0.12, 0.4)
        )
    return made


def counterfactual(rng: random.Random, count: int = 700) -> list[Row]:
    """Cruel words about people are hate; about things, denied, or kind words about people are not."""
    made = []
    for number in range(count):
        group, thing, cruel = rng.choice(GROUPS), rng.choice(THINGS), rng.choice(CRUEL)
        for _kind, text, hate, offence in (
            ("hate", cruel.format(group), 0.96, 0.96),
            ("thing", cruel.format(thing), 0.04, 0.35),
            ("kind", rng.choice(KIND).format(group), 0.02, 0.02),
            ("deny", rng.choice(DENY).format(cruel.format(group)), 0.1, 0.15),
        ):
            said = text[0].upper() + text[1:] if rng.random() < 0.6 else text
            said += rng.choice((".", "", "!", "."))
            made.append(
                Row("counterfactual", "", said, group=f"cf{cruel[:12]}{number % 40}")
                .mark("hate", hate, 0.35)
                .mark("offence", offence, 0.2)
            )
    unique = {row.response: row for row in made}
    return list(unique.values())


def misspelt(rows: list[Row], rng: random.Random) -> list[Row]:
    """Noise changes no label, hateful or not."""
    made = []
    for low, high, count in ((0.8, 1.01, 2500), (-0.01, 0.2, 2500)):
        pool = [
            r for r in rows if low < r.targets.get("hate", 0.5) < high and r.weights["hate"] >= 0.5
        ]
        for row in rng.sample(pool, min(count, len(pool))):
            made.append(
                replace(
                    row,
                    source="misspelt",
                    response=noisy(row.response, rng),
                    targets=dict(row.targets),
                    weights={h: w * 0.7 for h, w in row.weights.items()},
                )
            )
    return made


def spliced(rows: list[Row], rng: random.Random) -> list[Row]:
    """A refusal's opening followed by an answer to the same prompt is a partial refusal."""
    by_group: dict[str, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for row in rows:
        if row.refusal and row.weights["refusal"] >= 0.4:
            if row.refusal[2] > 0.9 and cue(row.response):
                by_group[row.group][0].append(row)
            elif row.refusal[0] > 0.8 and len(row.response) > 200:
                by_group[row.group][1].append(row)
    made = []
    for group, (refused, answered) in sorted(by_group.items()):
        for _ in range(min(2, len(refused), len(answered))):
            no, yes = rng.choice(refused), rng.choice(answered)
            opening = " ".join(re.split(r"(?<=[.!?])\s+", no.response)[: rng.randint(1, 2)])
            bridge = rng.choice(
                (
                    "However, ",
                    "That said, ",
                    "But I can tell you this: ",
                    "Still, ",
                    "\n\nHowever, here is some general information.\n",
                )
            )
            body = yes.response[: rng.randint(150, 900)]
            made.append(
                Row("spliced", yes.prompt, f"{opening} {bridge}{body}", group=group).observed(
                    PARTIAL, 0.4
                )
            )
    rng.shuffle(made)
    return made[:1500]


def bare_prompts(rows: list[Row], rng: random.Random) -> list[Row]:
    """Each labelled prompt once without its response, so that the prompt's harm is read from the prompt."""
    seen: dict[str, Row] = {}
    for row in rows:
        if "prompt_harm" in row.targets and row.response and row.prompt and row.group not in seen:
            new = Row("bare_prompt", row.prompt, "", group=row.group)
            seen[row.group] = new.mark(
                "prompt_harm", row.targets["prompt_harm"], row.weights["prompt_harm"]
            )
    return list(seen.values())


def moderation_style(rows: list[Row], rng: random.Random) -> list[Row]:
    """Hazard prompts read as lone texts keep their topic."""
    made = []
    for row in rows:
        if row.source == "prompts_ailuminate_demo":
            new = Row("lone_text", "", row.prompt, group=row.group)
            for topic in TOPICS:
                new.mark(topic, row.targets.get(topic, 0), 0.6)
            made.append(new)
    return made


def mark_topics(rows: list[Row]) -> None:
    """Weak topic labels by words, where no label is; the teacher smooths them."""
    for row in rows:
        text = row.prompt[:800] + "\n" + row.response[:1500]
        for topic, pattern in TOPICS.items():
            if topic not in row.targets:
                hits = len(pattern.findall(text))
                row.mark(topic, (0.04, 0.6, 0.85)[min(hits, 2)], 0.15)


def augment(rows: list[Row], seed: int) -> list[Row]:
    """All made rows, in a fixed order from one seed."""
    rng = random.Random(seed)
    made = (
        padded(rows, rng)
        + answering(rows, rng)
        + unprompted(rows, rng)
        + condemned(rows, rng)
        + counterfactual(rng)
        + misspelt(rows, rng)
        + spliced(rows, rng)
    )
    made += bare_prompts(rows, rng) + moderation_style(rows, rng) + deflected(rows, rng)
    return made
