"""Tells what a prompt asks to do with what it gives: to stay with it, to answer from it, or to go beyond it."""

from __future__ import annotations

from enum import Enum

from fairwitness.evaluator.given.worked_on import LANGUAGE
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text


class Task(Enum):
    """How far a response may go beyond what was given."""

    FAITHFUL = "faithful"  # summarise, extract, translate, answer from it: nothing may be added
    QUESTION = "question"  # a question beside it: answered from it where it can be
    OPEN = "open"  # write, brainstorm, explain more: may add, but not say otherwise


def task_of(instruction: str) -> Task:
    """Return the task an instruction sets; where it asks for both kinds, the freer one."""
    utf8 = instruction.encode()
    if _STRICT.search(utf8) or _SAID_IN.search(utf8):
        return Task.FAITHFUL
    if _OPEN.search(utf8):
        return Task.OPEN
    return Task.FAITHFUL if _FAITHFUL.search(utf8) else Task.QUESTION


def is_strict(instruction: str) -> bool:
    """Tell whether an instruction says that nothing beyond what is given may be used, or asks for a part of it."""
    utf8 = instruction.encode()
    return _STRICT.search(utf8) or _EXTRACTS.search(utf8)


def rewords(instruction: str) -> bool:
    """Tell whether the result is to be the given text itself, in other words or another language."""
    return _REWORDS.search(instruction.encode())


def works_out(instruction: str) -> bool:
    """Tell whether the result is to be worked out from what is given, and so need not stand in it."""
    return _WORKS_OUT.search(instruction.encode())


def changes(instruction: str) -> bool:
    """Tell whether what is given is to be changed, or something else to be supposed: other amounts, times or prices."""
    return _TO_CHANGE.search(instruction.encode())


def invents(instruction: str) -> bool:
    """Tell whether something is to be made up."""
    return _INVENTS.search(instruction.encode())


def speaks_of_change(told: str) -> bool:
    """Tell whether any word speaks of a change or a mistake: wider than `changes`, for checks that must be sure."""
    return _CHANGES.search(told.encode())


def last_turn(prompt: Text) -> str:
    """Return what the user of a pasted chat says at last, which may change all that was said before; else nothing."""
    users = prompt.matches(_USERS_TURN, limit=_MAX_TURNS)
    others = prompt.matches(_OTHERS_TURN, limit=_MAX_TURNS)
    if not users or not others or others[0].start < users[0].start:
        return ""
    start = users[-1].end
    after = next((turn.start for turn in others if turn.start > start), len(prompt))
    return prompt.value[start:after]


_MAX_TURNS = 200
_USERS_TURN, _OTHERS_TURN = (
    Pattern(rf"(?:^|\n)[ \t>*_]*(?:{names})[*_]*:", ignore_case=True)
    for names in (
        "user|human|customer|client|guest|me|q",
        "assistant|ai|bot|chatbot|agent|support|a",
    )
)
_WORKS_OUT = Pattern(
    r"\b(?:work(?:s|ed|ing)? out|calculat\w+|comput\w+|figure out|plan(?:s|ned|ning)?|earliest|latest|how (?:much|many|long|late|early)|deadline|due date|(?:still |do I |we )owe)\b",
    ignore_case=True,
)
_REWORDS = Pattern(
    rf"\b(?:re-?writ\w+|rephras\w+|paraphras\w+|reword\w*|translat\w+|proofread\w*|correct(?:ed|ion)?|grammar\w*|spelling|typos?|punctuat\w*|formal\w*|professional\w*"
    rf"|polish|improv\w+|simplif\w+|shorten\w*|expand\w*|ways (?:to|of) say\w*|tweet|headlines?|titles?|transcri\w+|how (?:do|would|can|to) (?:(?:you|i|we) )?say"
    rf"|(?:turn|convert|put|format|make|change|rearrange|write)\b[^.?!\n]{{0,40}}\b(?:json|csv|yaml|xml|table|bullets?|list|{LANGUAGE}|passive|active|tense|plural|singular|questions?|upper ?case|lower ?case|capitals)"
    rf"|{LANGUAGE},? please|^\W*in(?:to)? {LANGUAGE}|bersetz\w*|korrigier\w*|traduc\w*|tradu[iz]\w*|corrig\w*)\b",
    ignore_case=True,
)
_TEXT = (
    r"(?:texts?|passages?|paragraphs?|articles?|documents?|context|excerpts?|sources?|notes?|minutes|reports?|e-?mails?|messages?|"
    r"letters?|records?|tables?|data(?: ?sheet)?|transcripts?|stor(?:y|ies)|abstracts?|polic(?:y|ies)|contracts?|reviews?|"
    r"information|facts?|memos?|leaflets?|labels?|manuals?|listings?|invoices?|timetables?|schedules?|statements?|snippets?|evidence|content)"
)
# Nothing may be added, whatever else is asked.
_THIS = rf"(?:{_TEXT}|sentences?|info|this|that|these|here|above|below|given)"
_STRICT = Pattern(
    rf"\b(?:(?:only|solely|strictly|nothing but|exclusively|purely)\b[^.?!\n]{{0,30}}\b(?:from|on|use|using|with|by)\b[^.?!\n]{{0,30}}\b{_THIS}"
    rf"|(?:only|solely|just) (?:use|using|rely on|refer to)\b[^.?!\n]{{0,20}}\b{_THIS}|(?:use|using) only\b[^.?!\n]{{0,20}}\b{_THIS}"
    rf"|(?:use|using|from|on|with|by)\b[^.?!\n]{{0,30}}\b{_THIS}\b[^.?!\n]{{0,20}}\b(?:only|alone|and nothing else)"
    rf"|(?:without adding|adding nothing|add nothing|do not add|don[’']t add|stick to the|(?:does|do|did) (?:the|this) {_TEXT} (?:say|tell|state|mention|give)))\b",
    ignore_case=True,
)
_EXTRACTS = Pattern(
    r"^\W*(?:please |can you |could you )?(?:extract|pull out|pick out|copy out)\b",
    ignore_case=True,
)
_SAID_IN = Pattern(
    rf"\bhow (?:do|would|can|to) (?:(?:you|i|we) )?say\b[^?]*\bin {LANGUAGE}", ignore_case=True
)
_FAITHFUL = Pattern(
    rf"\b(?:summari[sz](?:e|es|ing)|summary|sum up|tl;?dr|recap|extract|translate|translation|paraphrase|rephrase|reword|shorten"
    rf"|condense|restate|transcribe|according to|based on|state what"
    rf"|what (?:does|do|did)\b[^.?\n]{{0,60}}\b(?:say|state|mention|give|tell)|(?:answer|respond|tell|find|list)\b[^.?!\n]{{0,40}}\b(?:from|using|in) (?:the|this)"
    rf"|(?:from|in|use|using) (?:the|this|these)(?: \pL+)? {_TEXT}|(?:turn|convert) (?:the|this|these)|pull\b[^.?!\n]{{0,80}}\b(?:out of|from))\b",
    ignore_case=True,
)
_OPEN = Pattern(
    r"\b(?:brainstorm|ideas?|suggest\w*|recommend\w*|advi[cs]e|elaborate|expand|continue|complete the|finish (?:the|this)|reply|respond to"
    r"|draft|compos\w+|create|creat\w+|imagin\w+|invent|design|pretend|role-?play|act as|opinions?|critique|feedback|improve|discuss|debate|argue|persua\w+"
    r"|stor(?:y|ies) (?:about|that|in|for|with)|poems?|songs?|essay|blog|speech|slogans?|names for|jokes?|advert\w*|explain|tell me more|more about|background|why"
    r"|what (?:should|could|can|would) (?:i|we|you|he|she|they|happen)|how (?:should|could|can|would|do) (?:i|we|you|one)|what do you (?:think|make)"
    r"|do you|can you tell|have you|your thoughts|next steps?|funn(?:y|ier)|humorous\w*|sarcas\w+|creative\w*|in the style|synthetic|examples? of|simulat\w+|riddle|predict|hypothes\w+|analy[sz]e|interpret|compare|evaluate|assess|solve|code|program|function"
    r"|(?:re)?writ(?:e|es|ing)(?: (?:me|us|up|out))?(?: an?| the| some| two| three| \d+)?(?: [\pL-]+){0,3}? (?:stor|poem|song|essay|article|letter|e-?mail|review|post|tweet|scene|dialog|script|description|biograph|bio|speech|paragraph about|sequel|ending|reply|response|ad\b|advert|headline|title|caption)\w*)\b",
    ignore_case=True,
)
# To put something at another time, to make more or less of it, to price it anew; and what would be is not what is.
_TO_CHANGE = Pattern(
    r"\b(?:what (?:if|would|will)|how (?:old|much|many|long) (?:would|will)|if (?:\pL+ ){1,3}(?:left|weren['’]t|wasn['’]t|hadn['’]t|didn['’]t)|(?:including|plus|with) \d+ ?(?:percent|% ?\pL+)|suppos(?:e|ing)|imagine|hypothetical\w*|shift|postpone|reschedule|doubled?|halved?|tripled?|scaled?|(?:twice|half) the|bigger|in half"
    r"|(?:hours?|minutes|days?|weeks?|months?) (?:later|earlier|late|early|before|on\b)|(?:late|later|earlier) by|move (?:\pL+ ){1,3}to\b"
    r"|for (?:\d+|two|three|four|five|six|seven|eight|ten|twelve|a dozen) (?:people|persons?|guests?|servings|portions)|per person"
    r"|next year[’']s|forecast|counter-?(?:offer|proposal)|template|quiz|true[- ]or[- ]false|discounts?|new (?:prices?|plan|list|table)|lower price|net price|reorder|per 100"
    r"|(?:to|in) (?:miles|imperial|metric|fahrenheit|celsius)|check (?:the )?facts|fact-?check)\b",
    ignore_case=True,
)
_INVENTS = Pattern(
    r"\b(?:imagin|invent|pretend|fiction|stor(?:y|ies)\b|poem|song|joke|sequel|continu|role-?play|act as|brainstorm|slogan|hypothe|predict|simulat|synthetic|funn|humou?r|sarcas|creativ|suppos|what if|idea|example|sample|practi[cs]e|fill in)\w*",
    ignore_case=True,
)
# A text that is to be changed is no source for what it is changed to.
_CHANGES = Pattern(
    r"\b(?:correct|fix|mistake|error|typo|wrong|updat|chang|scal|doubl|halv|half|twice|tripl|opposite|negat|replac|swap|adjust"
    r"|mov(?:e|ed|es|ing)\b|shift|redo|instead|template|later|earlier|round(?:ed)?\b|counter-?(?:offer|propos)|new (?:list|table|date|time|price|plan|one)|forecast|next year)\w*"
    r"|\bconvert\w*\b[^.?!\n]{0,60}\b(?:times?|zones?|metric|imperial|units?|currenc\w+|euros?|dollars?|pounds|celsius|fahrenheit|kilomet\w+|miles)\b",
    ignore_case=True,
)
