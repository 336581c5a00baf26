"""The words in which judging is spoken of, shared by every file that looks for text aimed at a judge.

Each is a bare list of alternatives: whoever uses one puts its own further words and the brackets around it.
"""

from __future__ import annotations

JUDGES = "graders?|evaluators?|judges?|raters?|scorers?|assessors?|examiners?"
# What a judge is given, and the ways in which a text points at itself as that.
RESPONSES = "response|answer|output|reply|submission|completion"
THIS = "this|my|the above|the present|the preceding"
# What a judge gives, and how good it may be.
MARKS = "marks?|scores?|grades?|ratings?|points|credit|stars"
HIGHEST = "full|top|high|highest|maximum|max|perfect"
# What a judge does: the stems to which "e" or "ing" is put.
JUDGING_STEMS = "grad|scor|rat|mark|judg|evaluat|assess"
