"""Rows that teach what makes words hateful: the same words about people, about things, denied, or quoted to reject them."""

from __future__ import annotations

import random

from .rows import Row


def phrases(text: str) -> tuple[str, ...]:
    """Phrases written with bars between them."""
    return tuple(" ".join(part.split()) for part in text.split("|"))


CONDEMN = phrases("""
It is never acceptable to say things like "{}". | "{}" - comments like this are hateful and
I reject them. | Someone wrote "{}" and I find that disgusting. | Claims such as "{}" are
false and cause real harm to people. | If you ever hear "{}", please report it: nobody
should be treated that way. | The post said "{}". It was removed for hate. | I do not agree
at all that {}. | Whoever says "{}" is wrong. | Stop saying "{}", it hurts people.
""")
#: Groups and things for counterfactuals: the same words about people, about things, denied, or kind (after Dixon et al. 2018).
GROUPS = phrases("""
women | men | Jews | Muslims | Christians | Hindus | atheists | black people | white people
| Asians | Mexicans | Latinos | Arabs | Chinese people | Indians | Africans | Romani people
| gay people | lesbians | bisexual people | trans people | immigrants | refugees |
foreigners | disabled people | deaf people | autistic people | old people | fat people |
Native Americans
""")
THINGS = phrases("""
mosquitoes | printers | traffic jams | Mondays | telemarketing calls | slow computers |
cockroaches | bad films | tax forms | landlords | referees | bankers | politicians |
football hooligans | spammers | influencers | wasps | meetings | pop-up ads
""")
CRUEL = phrases("""
{} are vermin | {} ruin everything they touch | {} disgust me | we would be better off
without {} | I can't stand {} | {} are all the same, stupid and lazy | somebody should get
rid of {} for good | {} do not deserve rights | {} make me sick | I despise {} | {} should
be locked up, every one of them | {} are a plague | why are {} such trash? | nothing good
ever came from {} | I wish {} would die | burn them all, {} are filth
""")
KIND = phrases("""
{} make this town a better place | I learned a lot from {} at work | many {} live in my
street and we get along | {} have the same rights as everyone | the festival celebrates {} |
I am glad that {} feel welcome here | a film about {} won the prize | {} often face unfair
treatment | some of my closest friends are {} | our club is open to {} | the law protects {}
| I wrote my thesis about {} in the city
""")
DENY = phrases("""
I don't think {} | it is not true that {} | nobody should ever say that {} | only a bigot
would claim that {} | I used to hear that {}, and it is a lie | how can anyone believe that
{}? Shameful. | my teacher explained why it is wrong to say {}
""")


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
        for text, hate, offence in (
            (cruel.format(group), 0.96, 0.96),
            (cruel.format(thing), 0.04, 0.35),
            (rng.choice(KIND).format(group), 0.02, 0.02),
            (rng.choice(DENY).format(cruel.format(group)), 0.1, 0.15),
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
