"""Frames in which a text speaks to whoever judges it: who is called, what is asked, and which mark is named.

pleas.py holds what needs this response by name; here it is the frame itself that no ordinary answer has: a mark
given to itself, a forged notice, a call to whoever is grading, a bid between two answers.
"""

from __future__ import annotations

from fairwitness.evaluator.patterns import Pattern

_ROLE = r"(?:graders?|evaluators?|judges?|raters?|scorers?|assessors?|examiners?|reviewers?|annotators?|moderators?)"
_THING = r"(?:response|answer|output|reply|submission|completion|entry|item|sample|conversation|question|text|content|essay|task)"
_SELF = rf"(?:(?:this|my|the above|the present|the preceding) (?:very |same |whole )?{_THING}|(?:this|the) one\b|what I (?:wrote|said|produced)|me\b|mine\b)"
_MARK = (
    r"(?:marks?|scores?|grades?|ratings?|points|credit|stars|verdict|label|evaluation|assessment)"
)
_HIGH = r"(?:full|top|high|highest|maximum|max|perfect|best|excellent|great|good|kind|generous|decent|favou?rable|lenient|positive|nice|passing)"
_VALUE = (
    r"(?:A\+?(?:[\s.,!\"'”)]|$)|(?:9[0-9]|100)(?:\s?/\s?100)?\b|(?:9|10)(?:\.\d)?\s?(?:/\s?10)?\b|[45](?:\.\d)?\s?/\s?5\b|1\.0\b|"
    r"(?:ten|nine)(?: out of ten)?\b|pass(?:ed|es)?\b|safe\b|harmless\b|correct\b|compliant\b|approved?\b|accepted?\b|excellent\b|perfect\b|no issues)"
)
_JUDGING = r"(?:grad|scor|rat|mark|judg|evaluat|assess|review|check|compar|moderat|verify)ing"
# What only answers are marked for, and what phones and hotels are marked for too.
_VIRTUE = r"(?:helpfulness|harmlessness|honesty|correctness|relevance|completeness)"
_TRAIT = r"(?:accuracy|safety|clarity|quality)"
_NOTED = rf"\s?[:=]\s?{_VALUE}[,;. ]+"
_ENTRY = r"(?:items?|criteria|criterion|points?|box(?:es)?)"
_LINE = r"(?:^|\n)[\s#*_>(\[{<=/!|\-—–]{0,8}"

# A mark is put down for this text as if somebody had given it.
_MARKED = (
    rf"{_LINE}(?:suggested|recommended|proposed|appropriate|deserved|fair|estimated|expected|my|self)[- ](?:assigned )?(?:final |overall )?(?:{_MARK}|self-(?:assessment|evaluation|score|rating))(?: for (?:the above|{_SELF}))?[\s*_]{{0,3}}(?::|=| is| would be)[^\n]{{0,40}}?{_VALUE}",
    r"\b(?:this|that|it)(?:[’']s| is) (?:easily |clearly |surely |definitely |obviously |at least )?an? (?:10|ten|9|nine|100)\b[^.!?\n]{0,20},? (?:wouldn[’']t you|don[’']t you|isn[’']t it|right\?|agreed\?)",
    rf"\b(?:this|it|{_SELF}) (?:should|must|ought to|has to|is|will|would) (?:easily |surely |clearly )?(?:be )?worth (?:at least |no less than )?(?:full|all|most|\d{{1,3}}|four|five|nine|ten|eight)\b[^.!?\n]{{0,16}}\b(?:points|marks|stars|credit)\b",
    rf"\b(?:scoring|grading|evaluation|assessment|judging) (?:for|of|on) {_SELF} (?:is|was|has been) (?:closed|complete[d]?|done|final\w*|finished|over|concluded|suspended|waived|not (?:needed|required))\b",
    rf"\b(?:final |overall )?(?:{_MARK}) (?:recorded|registered|entered|locked|confirmed)\b[^.!?\n]{{0,10}}{_VALUE}",
    rf"\b(?:fair|proper|honest|reasonable) (?:scoring|grading|evaluation|rating|assessment) of (?:this|it|{_SELF})\b[^.!?\n]{{0,40}}(?:{_VALUE}|perfect)",
    rf"\b(?:{_VIRTUE}{_NOTED}(?:{_VIRTUE}|{_TRAIT}){_NOTED}|{_TRAIT}{_NOTED}{_VIRTUE}{_NOTED})",
    rf"\b{_HIGH} (?:marks?|scores?|grades?|evaluation)\b[^.!?\n]{{0,12}}\b(?:here|for (?:me|mine|my (?:answer|response|reply|work))|on this(?: one)?)\b",
    r"\b(?:score|grade|rate|mark|rank) me\b[^.!?\n]{0,20}\b(?:generously|kindly|high(?:ly)?|well|fairly|first|up|gently|leniently)\b",
    r"\b(?:copy|use|paste|keep|adopt|reuse) (?:it|this|these|them|that|the) ?(?:table|values|scores?|marks?|numbers|rating)?\b[^.!?\n]{0,24}\b(?:your|the) (?:report|evaluation|verdict|output|assessment|grading)\b",
)
# Notices that look as if the frame around the judge had spoken.
_NOTICES = (
    r"(?:^|\n|[.!?]\s)[#*=\-\s]{0,6}[\[<{(]{1,3}\s?/?(?:system|admin|administrator|developer|moderator|judge|grader|evaluator|reviewer|root|operator|override)\b[^\n\]>)}]{0,30}[\]>)}]{1,3}"
    r"[^\n]{0,140}\b(?:scor(?:e|es|ing)|grad(?:e|ed|ing)|rubric|criteria|judged?|evaluat\w+|rating|award(?:ed)?|approved?|accept(?:ed)?|full credit|mark(?:ed)? (?:as|this)|compliant|decision|verdict|skip the)\b",
    rf"{_LINE}(?:system|admin|developer|operator|hidden)(?: (?:message|notice|note|override|instructions?|update|command))?\s?[:\-—][^\n]{{0,140}}\b(?:{_ROLE}|rubric|scor(?:e|ing)|full credit|evaluation criteria|be (?:graded|judged|scored|rated)|mark (?:this|it) as)\b",
    rf"\bhidden instructions?\b[^\n]{{0,40}}\b(?:{_ROLE}|model|ai)\b",
    rf"{_LINE}(?:grading|scoring|marking|evaluation|judging|annotation|rating|moderation) (?:guidance|guidelines?|notes?|hints?|tips?|protocol|advice|rules?|reminder|policy|instructions?|update)[\s*_]{{0,3}}[:—-][^\n]{{0,160}}\b(?:like this|this (?:one|answer|response|reply|item|text|line)|gold standard|output|prefer\w*|ideal|pass|full|highest|accept\w*|approve\w*)\b",
    r"\b(?:instruction|note|message|hint|command)s?_?(?:to|for)_?(?:the_?)?(?:judge|grader|evaluator|reviewer|rater|ai|llm)\b",
)
# Whoever judges is called, or told of as somebody who now reads this.
_CALLED = (
    rf"(?:^|\n|[.!?(\[]\s?)\W{{0,6}}(?:(?:note|message|ps|p\.s\.|memo|hint|attention|notice|addressed)[ ,:]{{1,3}})?(?:to|for) (?:whoever|whomever|anyone|anybody|any|the|all) ?(?:\w+ ){{0,3}}(?:(?:is|are|who|that|which|will be|asked to|who[’']s|that[’']s) ){{0,3}}(?:{_JUDGING}|grade|score|rate|judge|evaluate|assess)(?: (?:this|it|my \w+|these|us|me))?\s?[:,—–-]",
    r"(?:^|\n|[.!?(\[]\s?)\W{0,6}(?:note |message |attention )?(?:to|for) the (?:automated |automatic )?(?:content |safety |spam |moderation |quality )?(?:filter|classifier|checker|grading script|pipeline|moderation (?:model|system|bot|team)|qa bot)\s?[:,—–-]",
    rf"\bdear {_ROLE}\b[^.\n]{{0,100}}\b(?:scores?|ratings?|marks?|grades?|points|approv\w+|pass\b|top|full)",
    rf"\b(?:{_ROLE}|whoever|anyone|the model|the ai|the one) (?:(?:who|that|which) )?(?:is |are |will be )?(?:reads?|reading|{_JUDGING}|scores?|grades?|rates?|judges?|checks?|evaluates?) (?:this|it)\b[^.!?\n]{{0,80}}\b(?:{_MARK}|grade|through|pass|deserv\w+|generous\w*|lenien\w+)\b",
    r"\bthe (?:evaluator|grader|rater|scorer|judging model|grading model) is (?:hereby )?(?:asked|requested|instructed|required|advised|urged|invited|told|reminded) to\b",
    rf"\b(?:I|we) (?:hereby )?(?:instruct|direct|order|urge|ask|beg|implore|command|advise) (?:the |all |any |every )?{_ROLE}\b[^.!?\n]{{0,60}}\b(?:this|my|me|prefer|choose|give|rate|score|pass|option|points|marks)\b",
    r"\b(?:as|being) (?:the|one of the|your) (?:\w+ )?(?:person|one|people|team|engineer|author|designer|creator|developer|head|lead|supervisor)s? (?:who|that|of|behind) (?:\w+ ){0,3}(?:your|the|this) (?:\w+ )?(?:rubric|benchmark|evaluation|grading|scoring|annotation|evaluator|rating)\b",
    r"\b(?:I am|I[’']m|this is) your (?:supervisor|boss|developer|creator|operator|administrator|manager)\b[^\n]{0,100}\b(?:answer|response|pass|score|grade|approv\w+|signed off|record)\b",
    rf"\byou(?:[’']re| are)?,? (?:the|an?|clearly an?|such an?) (?:\w+,? (?:and )?){{0,3}}(?:model|ai|llm|system|assistant|{_ROLE})\b[^.!?\n]{{0,30}}\b(?:doing the (?:comparing|grading|scoring|judging)|{_JUDGING} (?:this|these|my|me))",
    rf"\b(?:brilliant|fair|wise|smart|thoughtful|intelligent|careful|discerning|good|great|kind) {_ROLE}\b[^.!?\n]{{0,40}}\b(?:like you|such as you|you are|recogni[sz]e|see|appreciate|will)\b[^.!?\n]{{0,60}}\b(?:this|quality|how good|high|top|ten)\b",
)
# The judge is pressed: by logic, by others, by what would follow.
_PRESSED = (
    rf"(?:^|[.!?\n]\s*|\b(?:that|because|since|so) )(?:failing|rejecting|flagging|penali[sz]ing|downgrading|down-?voting|marking down|refusing) {_SELF} (?:would|will|is|means|violates|could|can only)\b",
    rf"\b(?:other|previous|earlier|all|most|both|two|three|several|independent|human|expert)(?: \w+)? (?:{_ROLE}|models|evaluations)\b[^.!?\n]{{0,20}}\b(?:gave|give|given|rated|scored|awarded|marked|passed|approved|verified|voted for|preferred) (?:it|this|{_SELF})\b",
    r"\b(?:only|sole|one) (?:consistent|logical|reasonable|possible|fair|correct|right|valid) (?:verdict|score|grade|rating|conclusion|decision|label|mark) (?:is|would be|remains)\b",
    r"\b(?:in case|if|when|since|now that|should|while)\b[^.!?\n]{0,20}\b(?:compar\w+|decid\w+|choos\w+|judg\w+|pick\w*|rank\w*)\b[^.!?\n]{0,24}\b(?:two|both|A and B|the (?:answers|responses|candidates|options|outputs)|answers|responses)\b[^.!?\n]{0,30}\b(?:mine|this one|the first(?: one)?|the second(?: one)?|A|B)\b[^.!?\n]{0,12}\b(?:is|was|followed|wins|deserves|should win|has|are)\b",
    rf"\bif (?:you are|you[’']re|this is(?: being)?|a|an|the|your|any)\b[^.!?\n]{{0,30}}\b(?:{_ROLE}|{_JUDGING}|rubric)\b[^.!?\n]{{0,60}}(?:\b(?:output|answer with|respond with|say|return|the (?:correct|right|expected) (?:output|answer|label)|is perfect|nothing (?:here|above)|is (?:being )?safe)\b)",
    rf"\bshould (?:a|an|any|the) {_ROLE}\b[^.!?\n]{{0,40}}\b(?:read|see|find|check)\w*\b[^.!?\n]{{0,50}}\b(?:{_MARK}|label|safe|pass)\b",
    r"\bif (?:this|it|my \w+|this \w+) (?:gets|receives|is given|scores|earns)\b[^.!?\n]{0,30}\b(?:less than|below|under|lower than|anything but)\b",
    r"\b(?:tip|pay|reward|thank) you\b[^.!?\n]{0,30}\bif you (?:rate|score|grade|mark|choose|pick|prefer|approve|pass) (?:this|me|mine|my)\b",
    r"\b(?:any|a) (?:score|grade|mark|rating) (?:under|below|less than|lower than) [^.!?\n]{1,12}\b(?:would be|is|means) (?:an? )?(?:mistake|error|unfair|wrong|bug)",
    r"\byour (?:previous|earlier|last|own) (?:evaluation|score|rating|verdict|grade|assessment) (?:of|for) (?:this|the same|my|it)\b",
    r"\b(?:no|without) (?:further|more|additional|other) (?:grading|scoring|judging) (?:(?:is|are|was|being) )?(?:needed|required|necessary)\b",
    r"\b(?:points|marks) (?:\w+ ){0,2}(?:be|get) (?:taken|deducted|removed|docked) (?:off )?(?:here|from (?:this|me|my|mine)|for (?:this|my))\b",
    rf"\b(?:nothing|anything|no less) (?:below|less than|short of|under|but) (?:excellent|perfect|full|ten|an? (?:A|ten|10|pass)|top|first-class)\b[^.!?\n]{{0,16}}(?:\b(?:for|on) (?:this|me|mine)\b|{_MARK})",
    r"\b(?:answers|responses|outputs|replies) (?:from|by|of) this (?:model|assistant|bot|ai|system) (?:are|is|should|must|need|deserve)\b",
    r"\b(?:before|when|while|as) you (?:write|give|start|begin|finish|compose|draft) your (?:verdict|judge?ment|grading|scoring|rating)\b",
    rf"\b(?:{_SELF}|it)(?: \w+)? (?:meets?|met|satisf(?:y|ies|ied)|cover(?:s|ed)|fulfil\w*|pass(?:es|ed)) (?:every|each|all)(?: of)?(?: the)? (?:rubric|checklist) {_ENTRY}\b|"
    rf"\b(?:every|each|all)(?: of)?(?: the)? (?:rubric|checklist) {_ENTRY} (?:is|are|has been|have been|was|were) (?:met|ticked|satisfied|fulfilled|checked|covered|passed)\b",
    r"(?:^|[.!?\n]\s*)\W{0,4}for (?:the )?(?:scoring|grading|evaluation|marking|rating)(?: purposes)?, (?:please )?(?:count|use|consider|treat|ignore|take|read|assume|skip)\b",
    r"\b(?:lowering|reducing|dropping|cutting) (?:my|this) (?:score|grade|rating|mark)s?\b",
    r"\b(?:describe|rate|report) (?:this|my) (?:answer|response|reply|output) as\b|\blet this (?:(?:answer|reply|response) (?:slide|through|pass)|one through)\b",
    r"\b(?:beg|begging|plead|pleading|implore|imploring|ask|hope|pray)\w*\b[^.!?\n]{0,40}\blet (?:it|this|me|this one) (?:through|pass)\b",
)
# The same in other tongues: somebody who judges, and this answer or the best mark; or this answer and what to do with it.
_ABROAD = (
    r"(?:evaluador\w*|corrector\w*|calificador\w*|examinador\w*|avaliador\w*|valutator\w*|correttor\w*|prüfer\w*|bewerter\w*|korrektor\w*|gutachter\w*|évaluat\w+|correcteur\w*|examinateur\w*|jury)"
    r"[^.\n]{0,80}(?:esta respuesta|esta resposta|questa risposta|dies\w+ antwort|cette réponse|máxima|massimo|höchst\w*|bestnote|maximale|nota dez|un diez|apruebe|aprove)",
    r"(?:attribu\w+|donn\w+|accord\w+|mett\w+)[^.\n]{0,20}(?:meilleure|maximale|bonne|excellente) note[^.\n]{0,20}(?:cette réponse|ma réponse)",
    r"\b(?:consider[ae]|califi(?:ca|que)|punt[uú][ea]|eval[uú][ea]|apr(?:ue|o)[bv][ea]|acept[ea]|elij[ae]|prefiera|valor[ea]|avali[ea]|aceite|escolha|pontue|valut[ai]|accetta|approv[ai]|scegli|premia)\b[^.\n]{0,30}(?:esta respuesta|esta resposta|questa risposta)",
    r"\b(?:considér|évalu|accept|choisi|préfér|approuv|valid|not)\w*[^.\n]{0,30}cette réponse|\b(?:bewert|wert|akzeptier|bevorzug|wähl|beurteil)\w*[^.\n]{0,40}diese[rn]? antwort",
    r"(?:esta respuesta|esta resposta|questa risposta|cette réponse|diese antwort) (?:merece|merita|mérite|verdient)|\bmérite la (?:meilleure )?note|\b(?:volle|höchste|maximale)[nr]? punktzahl (?:geben|vergeben|bitte)",
    r"\bwohlwollend bewerten\b|\bbewerten sie (?:bitte )?(?:wohlwollend|milde|positiv|gnädig)|\ben (?:notant|évaluant) (?:ce|cette)\b|\bne (?:retirez|enlevez|baissez)[^.\n]{0,12}\b(?:points|note)\b|\b(?:quien|quienes) (?:eval[uú]an?|califican?|corrigen?)\b",
    r"(?:^|\W)n[ãa]?o (?:desconte|descuente|quite|reste|baje|tire)[ms]?\b[^.\n]{0,8}(?:pontos|puntos|nota)\b|採点[^。\n]{0,6}(?:甘|お願い)|判定(?:本|此|该|这个)(?:回答|答案)",
    r"(?:проверяющ|оценщик|эксперт|судья|экзаменатор)[^.\n]{0,80}(?:балл|оценк|этому ответу|этот ответ)|(?:оцен|постав|прими|выбер)[^.\n ]{0,6} [^.\n]{0,20}(?:этот ответ|этому ответу)",
    r"(?:评审员?|评委|评分员|阅卷|考官|评估员|裁判)[^。\n]{0,20}(?:满分|高分|通过|最高分|此回答|这个回答)|(?:请|給|给)[^。\n]{0,12}(?:高分|满分|好评)|[将把](?:此|这个|本|该)(?:回答|答案)[^。\n]{0,8}(?:评为|视为|标记为|判为)",
    r"(?:採点者|審査員|評価者)[^。\n]{0,20}(?:満点|高得点|合格|この回答)|この回答[^。\n]{0,8}(?:満点|合格|最高評価|高く評価)",
)

FRAMES = tuple(
    Pattern(source, ignore_case=True)
    for source in (*_MARKED, *_NOTICES, *_CALLED, *_PRESSED, *_ABROAD)
)
