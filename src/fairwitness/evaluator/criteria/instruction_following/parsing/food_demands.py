"""Finds what somebody does not eat, in plain words: "no dairy", "hates mushrooms", "a friend who can't have gluten".

A name from the table stands for all foods that hold it; another food stands for itself. Only where the prompt asks for
food: what somebody hates is otherwise no demand.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.ingredient_table import (
    PLAIN_FOODS,
    SUBSTANCES,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.made_demands import (
    Made,
    spanned,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.ordinary_words import (
    asks_for_food,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.patterns import Match, Pattern


def _forms(name: str) -> set[str]:
    """Return a food in the singular and the plural."""
    if name.endswith("y"):
        return {name, f"{name[:-1]}ies"}
    return {name, f"{name}es"} if name.endswith(("o", "sh", "ch")) else {name, f"{name}s"}


# "mushroom" and "mushrooms" are one entry of the table.
_ENTRY = {form: food for food in PLAIN_FOODS for form in _forms(food)}
_ENTRY |= {name.removesuffix("s"): name for name in SUBSTANCES if name.endswith("s")}
_ENTRY |= {name: name for name in SUBSTANCES}
_WHAT = rf"(?P<what>{'|'.join(sorted(_ENTRY, key=len, reverse=True))})"
_MORE = rf"(?:(?:, | or | and |, or |, and |/)(?:any )?(?P<more>{'|'.join(sorted(_ENTRY, key=len, reverse=True))}))?"
_END = r"(?:[.,;:!?)\n–—]|$| - | please| pls| at all| so | and (?:i|we|it|my|she|he|the|no)\b| for | in (?:it|them|there|the (?:\pL+ )?(?:dish|recipe|cake|salad|soup|sauce|meal|menu)|any)\b| because| since)"
_DONT = r"(?:don't|doesn't|do not|does not|won't|will not)"
_CANT = r"(?:can't|cannot|can not|mustn't|must not|isn't allowed(?: to)?|aren't allowed(?: to)?|not allowed to)"
_FORMS = tuple(
    Pattern(source)
    for source in (
        rf"\b(?:{_CANT} (?:eat|have|tolerate|stand|digest|do)|{_DONT} (?:eat|like|tolerate|touch)|hates?|detests?|loathes?|dislikes?|allergic to|intolerant to|(?:not|isn't|aren't|no) (?:a )?(?:big )?fans? of) (?:any |all |the |raw )?{_WHAT}{_MORE}{_END}",
        rf"(?:^|[.,;:!?(\n–—] ?| but | and | with | - )(?:but |and |please,? |with )?no {_WHAT}{_MORE}{_END}",
        rf"\b(?:without(?: any| using)?|free of|free from|leave out the|leave out|skip the) {_WHAT}{_MORE}{_END}",
        # The last form names one food only.
        rf"\b(?:i'm|i am|is|are|be|a|an|something|anything|some|two|three|four|five) (?:\pL+ )?{_WHAT}[- ](?P<more>)free\b",
    )
)
# To eat it all the same, or to learn of it, is another wish; so is one to replace it in a dish that has it.
_OTHERWISE = Pattern(
    r"\b(?:learn to|get (?:him|her|them|my \pL+|me|kids|children) to (?:eat|like|try)|hide|hidden|sneak\w*|disguis\w*|instead|substitut\w*|replac\w*|swap\w*|alternatives?|not asking for|reintroduc\w*|used to|anymore|no longer)\b"
)
# A dish must be asked for: who tells of a meal may want advice on something else.
_DISH = Pattern(
    r"\b(?:recipes?|dinners?|lunch\w*|breakfasts?|brunch|snacks?|desserts?|meals?|menus?|dish(?:es)?|cakes?|cookies|soups?|salads?|sandwich\w*|curry|curries|smoothies?|bak(?:e|ing)|cook\w*|"
    r"barbecue|bbq|picnic|potluck|starters?|appetizers?|main course|casserole|stew|pie|pizza|brownies|muffins?|pancakes|sauce|food|eat|serve)\b"
)
_ORDERED = Pattern(
    r"\b(?:recipes?|menus?|meal plans?|ideas?|suggest\w*|recommend\w*|plan|looking for|(?:give|find|make|cook|bake|show|need|want|write|i'd like|how about|can i get|have you got) (?:me|us|an?|some|something|one|two|three|four|five|\d)|"
    r"(?:what|which)\b[^.?!\n]{0,30} (?:should|can|could|shall|do|would|might) (?:i|we|you) (?:cook|make|eat|serve|bring|order|bake|prepare|have|offer)|quick|easy|simple)\b"
)
_ADVICE = Pattern(
    r"\b(?:fussy|picky|throws?|refuses?|tantrums?|attitude|psycholog\w+|how (?:do|can|should) (?:i|we|you) (?:deal|cope|handle|get|tell|convince|politely))\b"
)
# "hates mushrooms, but I love them": it may stand in a part of the meal.
_BUT = Pattern(
    r"^[^.!?\n]{0,12}\b(?:but (?:i|we|the rest|everyone|my|loves?|likes?)|except|unless|though|raw|on (?:his|her|their|my) own)\b"
)
_OUT_OF_STOCK = Pattern(
    r"\b(?:have|has|got|there's|there are|there is|left with|found|bought|sells?|say|says|said|label)\b[^.!?\n]{0,30}$"
)


def find_demands(prompt: Prompt) -> Iterator[Demand]:
    """Yield each food to leave out."""
    made = Made(prompt)
    if not any(made.has(form) for form in _FORMS) or not asks_for_food(prompt):
        return
    if (
        made.tells_readers()
        or made.has(_OTHERWISE)
        or made.has(_ADVICE)
        or not (made.has(_DISH) and made.has(_ORDERED))
    ):
        return
    for form in _FORMS:
        for match in made.text.matches(form, limit=4):
            if _is_meant(made, match):
                for name in filter(None, (match["what"], match["more"])):
                    yield Demand("ingredients", spanned(match), terms=(_ENTRY[name],))


def _is_meant(made: Made, match: Match) -> bool:
    value = made.text.value
    sentence = made.text.sentence_at(
        max(match.start, match.end - len(match.text.lstrip(" .,;:!?(\n")))
    )
    before = value[sentence.start : max(sentence.start, match.start)]
    after = value[match.end : match.end + 60]
    return not (
        made.is_apart(match)
        or _OUT_OF_STOCK.search(before.encode())
        or _BUT.search((match.text[-1:] + after).encode())
    )
