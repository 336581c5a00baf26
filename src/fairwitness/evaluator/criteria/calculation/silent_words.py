"""Words at which a check stays silent, or allows more: one list for each reason, which the checks share."""

from __future__ import annotations

from fairwitness.evaluator.patterns import Pattern

# The response gives no answer, or says that it may be another.
NO_ANSWER = (
    r"depends?|can['’]?t|cannot|unable|unclear|ambiguous|not sure|don['’]t know|not enough|need to know|more information|missing|"
    r"could you|assum\w+|interpret\w*|if you mean|clarify|please (?:tell|share|give|confirm)"
)
OPEN = Pattern(rf"\b(?:{NO_ANSWER})\b|\?", ignore_case=True)
# A number is called a rough one.
ROUGHLY = Pattern(
    r"[≈~≃]|\b(?:about|around|roughly|nearly|almost|approx\w*|circa|close to|or so|call it|round\w*|(?:just|well|bit|little) (?:over|under|more|less|before|after))\b",
    ignore_case=True,
)
# The numbers are material for a text or a program.
MADE_UP = r"stor(?:y|ies)|poem|novel|fiction\w*|joke|essay"
CODE = r"code|function|program|script|python|java\w*|regex|sql|excel|spreadsheet|formula"
# What is added to a price or taken off it.
CHARGES = r"fees?|tips?|tax\w*|vat|discount\w*|surcharges?|deposit|voucher"
# Time that does not count, or in which nothing goes on.
BREAKS = r"breaks?|stops?|pauses?|rests?|lunch|unpaid"
# Days that do not count, or come again.
OTHER_DAYS = r"(?:working|business|school|trading|banking|bank|week|writing|opening) ?days?|weekends?|holidays?|every|each|except|excluding"
# What looks like a time of day is a length of time, or times are looked for and not worked out.
OTHER_TIMES = (
    r"every|pace|min:sec|mm:ss|minutes:seconds|hours:minutes|hh:mm|clips?|tracks?|laps?|splits?|songs?|km/h|km|miles|speed|average|full hours|"
    r"overlap\w*|together|alone|sunrise|sunset|timetable|suggest|a day|per day|each day"
)
