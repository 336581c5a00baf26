"""Words about judging, shared by the files that look for text aimed at a judge.

Each is a bare list of alternatives: the user adds further words and the brackets around it.
"""

from __future__ import annotations

JUDGES = "graders?|evaluators?|judges?|raters?|scorers?|assessors?|examiners?"
# What a judge evaluates, and how a text refers to itself as that.
RESPONSES = "response|answer|output|reply|submission|completion"
THIS = "this|my|the above|the present|the preceding"
# What a judge gives, and how good it may be.
MARKS = "marks?|scores?|grades?|ratings?|points|credit|stars"
HIGHEST = "full|top|high|highest|maximum|max|perfect"
# What a judge does: stems that take "e" or "ing".
JUDGING_STEMS = "grad|scor|rat|mark|judg|evaluat|assess"
