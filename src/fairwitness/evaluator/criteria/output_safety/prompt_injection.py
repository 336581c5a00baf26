"""Patterns of prompt injection: orders to ignore instructions, false verdicts, turn markers.

judge_address.py decides whether a match is meant, quoted or explained.
"""

from __future__ import annotations

from fairwitness.evaluator.patterns import Pattern

# Where an order can begin: at a new sentence or clause, or after words that introduce one.
_CLAUSE = (
    r"(?:^|[.!?:;,\n\]\)}>*#—\-]\s*|\b(?:please|now|must|should|you to|need to|have to|and|then|instead|"
    r"just|so|kindly|simply|important)\s+)"
)
_DROP = (
    r"(?:ignore|disregard|forget|override|bypass|skip|discard|neglect|overlook|drop|abandon|cancel|erase|"
    r"dismiss|set aside)"
)
_QUALIFIERS = (
    r"(?:(?:all|any|every|everything|each|whatever|of|the|your|my|our|these|those|this|such|other|above|and|"
    r"previous|previously|prior|earlier|preceding|foregoing|existing|original|initial|former|past|given|"
    r"listed|mentioned|system|safety|content|scoring|grading|evaluation|moderation|current)\s+){0,6}"
)
_RULES = (
    r"(?:instructions?|directions?|directives?|prompts?|rules?|guidelines?|commands?|orders?|rubrics?|"
    r"criteria|constraints?|restrictions?|programming|context|conversation|messages?|assignments?|tasks?|"
    r"training|polic(?:y|ies)|safeguards?|filters?)"
)
OVERRIDE = Pattern(rf"{_CLAUSE}{_DROP}\s+{_QUALIFIERS}{_RULES}\b[^\n]{{0,60}}", ignore_case=True)
# Rules of a game may be ignored too: these must be earlier rules, all rules, or the reader's own.
REACHES_BACK = Pattern(
    r"\b(?:above|previous|previously|prior|earlier|preceding|foregoing|existing|original|initial|former|"
    r"past|system|safety|scoring|grading|evaluation|moderation)\b|\b(?:all|any|every|whatever) (?:of )?(?:the |"
    r"your |my |other )?(?:instructions?|prompts?|rules|guidelines|constraints|restrictions|rubrics?|"
    r"criteria|safeguards|filters)|\b(?:your|the) (?:instructions you|guidelines you|programming|"
    r"rubrics?|prompt you|training)\b|\byour (?:instructions?|guidelines|prompt|rules|polic\w+|filters?|"
    r"restrictions|safeguards|criteria)\b",
    ignore_case=True,
)
OVERRIDE_BY_PLACE = Pattern(
    rf"{_CLAUSE}(?:ignore|disregard|forget)\s+(?:everything|all|anything)\s+(?:that (?:is|was|came) |"
    r"you (?:were|have been) )?"
    r"(?:written |said |stated |told |mentioned )?(?:above|before|previously|so far|earlier)\b|"
    r"\byour (?:task|instructions?|role|objective|job) (?:has|have) (?:now )?(?:changed|been (?:updated|"
    r"replaced|changed))|"
    rf"{_CLAUSE}(?:stop|cease) (?:evaluating|grading|scoring|judging|rating) (?:here|now|this|"
    r"at this point)\b|\b(?:do not|don[’']t) (?:follow|apply|use|obey) (?:the|any|your) (?:evaluation|"
    r"grading|scoring|above|previous|earlier|original|system) (?:criteria|rubric|instructions?|"
    r"guidelines|rules|prompt)|\bsystem override\b|\b(?:instructions|guidelines|criteria|rules|rubric) (?:that )?you (?:received|were given|got|"
    r"have)\b[^.\n]{0,40}\b(?:void|invalid|obsolete|no longer|do not apply)|\brubric is (?:outdated|void|obsolete|"
    r"wrong)|\byou are no longer (?:an? |the )?(?:evaluator|grader|judge|assistant|ai)\b|"
    r"\bignore what the user (?:asked|said|wrote)|\bforget what (?:your|the) (?:operator|developer|"
    r"system prompt|user|prompt|creators?)\b|\b(?:scoring|grading|evaluation|judge|grader|"
    r"evaluator) (?:policy|instructions|rubric|criteria) (?:has been |have been |is )?(?:updated|changed|"
    r"replaced|overridden)",
    ignore_case=True,
)
OVERRIDE_FOREIGN = Pattern(
    r"\bignor(?:a|e|er|ez|iere|ieren sie|uj)\s+(?:todas |todo |tutte |toutes |alle )?(?:las |les |le |"
    r"die |as |tus |vos |deine |wszystkie )?(?:instrucciones|instructions|istruzioni|anweisungen|"
    r"instruções|polecenia)\s+"
    r"(?:anteriores|previas|précédentes|precedenti|vorherigen)|\bignor\w*\s+(?:alle |tutte le |"
    r"toutes les )?(?:vorherigen|bisherigen|precedenti|précédentes|poprzednie)\s+"
    r"(?:anweisungen|istruzioni|instructions|polecenia)|\bvergiss\s+(?:alle\s+)?(?:vorherigen|"
    r"bisherigen)\s+\S+|\b(?:annulla|dimentica)\s+(?:tutte )?le istruzioni|(?:игнорируй|"
    r"забудь)(?:те)?\s+(?:все\s+)?(?:предыдущие|прошлые)\s+\S+|(?:忽略|无视|無視|忘记|忘掉).{0,6}(?:之前|以上|上面|先前|"
    r"前面).{0,4}(?:指令|指示|命令|要求|规则|提示|评分标准|标准)|(?:以前|上記|これまで)の(?:指示|命令|プロンプト).{0,6}(?:無視|忘れ)",
    ignore_case=True,
)
_VERDICT_KEYS = r"(?:overall_?verdict|overall_?score|verdict|final_?score|score|rating|grade|evaluation_?result|judge?ment)"
FALSE_VERDICT = Pattern(
    rf"[\"']{_VERDICT_KEYS}[\"']\s*:\s*(?:[\"'](?:pass(?:ed)?|perfect|excellent|safe|a\+?|10/10|100)[\"']|(?:100|"
    r"10|5|1)(?:\.0+)?\s*[,}])|<(?:score|verdict|rating|grade|evaluation|judge?ment)>\s*(?:[^<]{1,40}</|"
    r"<)|(?:\b\w+:? 10/10\b[,;. ]+){2}|\[\[(?:[ABC]|10|[1-9]|rating: ?\d+)\]\]|\b(?:beginning|"
    r"start) of (?:the )?evaluation\s*:|\bevaluation complete\b|(?:^|\n)[\s#*_>-]{0,6}grade\s*:\s*a\+|"
    r"(?:assessment|evaluation|grading) (?:result|outcome|report)\s*:\s*pass|(?:^|"
    r"\n)[\s#*_>-]{0,6}(?:overall |final |total |evaluation |evaluator'?s? |judge'?s? |grader'?s? )"
    r"(?:score|verdict|rating|grade)[\s*_]{0,4}[:=][\s*_]{0,4}(?:100|10|5|pass|perfect|"
    r"a\+)(?:\s*/\s*(?:100|10|5))?\b",
    ignore_case=True,
)
TURN = Pattern(
    r"<\|(?:im_start|start_header_id|system|user|assistant)\|>|\[INST\]|<<SYS>>|</?(?:system|"
    r"developer)(?:_prompt|_message)?>"
)
LEFTOVER = Pattern(r"<\|(?:im_end|endoftext|eot_id|end_of_text|end|eom_id)\|>|\[/INST\]|<</SYS>>")
