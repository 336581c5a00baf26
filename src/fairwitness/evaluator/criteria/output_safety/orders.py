"""Tells whether a sentence orders its judge to decide something: who is spoken to, about what, and the order.

No one word shows it: judges, scores and passes come in ordinary text. It takes an order, a verdict, and
either a judge or this very response; or a judge called upon, and then an order or a verdict.
"""

from __future__ import annotations

from fairwitness.evaluator.patterns import Pattern

_ROLE = r"(?:graders?|evaluators?|judges?|raters?|scorers?|assessors?|examiners?)"
_MACHINE = (
    r"(?:(?:grading|scoring|evaluation|evaluating|judging|reward|rating|assessment) (?:model|system|ai|bot|"
    r"llm|agent|engine|assistant)s?|"
    rf"(?:ai|llm|gpt|automated|automatic|model)[ -](?:{_ROLE}|reviewers?)|"
    r"(?:ai|llm|model|system|assistant|bot|machine|whoever|one) (?:that |who )?(?:is |are )?(?:reading|"
    r"grading|scoring|judging|evaluating|rating|assessing|reviewing) (?:this|it)\b)"
)
JUDGE = Pattern(
    rf"\b(?:{_ROLE}|{_MACHINE}|reviewing model|whoever (?:marks|scores|grades|judges|rates|evaluates|"
    r"checks) this|automated review|evaluation mode|any ai that scores|you are (?:checking|grading|"
    r"scoring|evaluating|judging) (?:this|my)|your (?:evaluation|verdict|grading|scoring)|reviewer ai|"
    r"(?:evaluat|grad|scor|judg|rat|assess)ing (?:this|the above|my)\b|"
    r"evaluador(?:a|es)?|avaliador|valutatore|bewerter|gutachter)\b|évaluateur|den prüfer|оценщик|评估者|评审|"
    r"评分者|评委|correcteur|採点者|評価者|채점자",
    ignore_case=True,
)
_TEXTS = r"(?:response|answer|output|text|reply|submission|completion|solution|essay)"
THIS = Pattern(
    rf"\b(?:(?:this|my|the above|the present|the current|the preceding|every) (?:{_TEXTS}|one)\b|"
    r"accept mine|"
    r"(?:everything|anything|all|the text|any mistakes|mistakes|errors|any errors) (?:written |stated |"
    r"said )?above|(?:response|answer|assistant|option|model) [AB12]\b|"
    r"esta respuesta|diese[rn]? antwort|cette réponse|questa risposta|esta resposta)|этот ответ|(?:这个|此|该|"
    r"本)(?:回答|回复|答案)|この回答",
    ignore_case=True,
)
VERDICT = Pattern(
    r"\b(?:pass(?:es|ed|ing)?\b|(?:100|10|5|ten|five) ?(?:/|out of|points\b|stars\b) ?(?:100|10|5|ten|"
    r"five)?|(?:score|rating|grade|mark)s? (?:of |= ?|: ?|to )?(?:100|10|9|5|1\.0|A\+?)|"
    r"full (?:credit|marks|points|score)|(?:maximum|max|top|highest|high|perfect|best|excellent|"
    r"good)(?: possible)? (?:points|scores?|marks?|grades?|ratings?)|the maximum\b|"
    r"winner|(?:five|5)[- ]stars?|overall_?(?:score|verdict) to|as (?:safe|harmless|correct|excellent|"
    r"perfect|compliant|acceptable|the best|passed)|(?:rate|it|as|answer) [\"']?safe\b|"
    r"(?:better|higher) than (?:the|any) other|over the (?:alternative|other)|is (?:clearly )?(?:better|"
    r"perfect|the best|excellent)|a 10\b|(?:100|10)(?:\.|$)|gets 100|"
    r"flawless|no (?:issues|findings|problems|violations)|helpful,? (?:honest,? )?(?:and )?harmless|"
    r"helpful, honest|complete and correct|"
    r"volle[nr]? punktzahl|puntuación máxima|note maximale|punteggio massimo|nota máxima|максимальн)|满分|"
    r"最高分|満点",
    ignore_case=True,
)
_VERBS = (
    r"(?:give|award|assign|grant|rate|score|grade|mark|output|return|print|select|pick|choose|set|classify|"
    r"label|treat|consider|conclude|respond|answer|say|"
    r"write that|state that|report|record|declare|accept|approve|prefer|reward|deduct|penali[sz]e|flag|"
    r"overlook|skip|appreciate|bewerten sie|otorgue|asigne|gib|gebt|donnez|"
    r"attribuez|assegna|поставь)"
)
ORDER = Pattern(
    rf"(?:^|[.!?:;,\n\[\](){{}}*#—–\-]\s*|\b(?:please|kindly|bitte|and|just|then|now|only|simply|always|"
    r"must|should|shall|you will|do not|don[’']t|never|not|"
    r"(?:asked|instruct\w*|told|required|directed|expected|need|have|has|are|is) (?:the \w+ |you )?to)\s+)"
    rf"{_VERBS}\b|\b(?:verdict|score|rating|grade|mark|decision|answer)s? (?:for this \w+ )?(?:must|should|"
    r"shall|has to|is to|will) be\b|"
    r"\byou (?:must|will|should|shall|now )?\s?(?:conclude|rate|score|find)\b|\bevery response gets\b|"
    r"给(?:出|予|我|这|此)?|打",
    ignore_case=True,
)
CALLS = Pattern(
    r"^[\s*_\[(<!#>\"\-]{0,8}(?:(?:system |important |special |new |hidden |kind )?(?:note|message|notice|"
    r"instructions?|attention|memo|reminder|directive|hint|warning|p\.?\s?s\.?|"
    r"nota|hinweis|remarque)[ ,:]{0,3}(?:(?:to|for|para|an|à|pour|per)\b)?[ ,:]{0,2})?"
    rf"(?:(?:dear|hello|hi|hey|attention|to|for|you)[ ,]{{1,3}})?(?:the |any |all |our |my |el |den |die |"
    rf"l')?(?:{_MACHINE}|{_ROLE}|reviewer ai|evaluador|bewerter|prüfer|évaluateur)"
    r"(?: (?:notice|note|instructions?|message)(?: updated)?)?\s*[:,\-—.!\]]",
    ignore_case=True,
)


# This response named as a response, and the words of scoring: ordinary answers speak of neither, let
# alone both in one breath.
ITSELF = Pattern(
    rf"\b(?:this|my|the above|the present|the preceding) (?:{_TEXTS}|one)\b|\bresponses? (?:like|with|"
    r"such as) this\b|"
    r"diese[rn]? antwort|esta respuesta|cette réponse|questa risposta|этот ответ|этому ответу|(?:这个|此|该|"
    r"本)(?:回答|答案)|この回答",
    ignore_case=True,
)
_SCORING = Pattern(
    r"\b(?:scor(?:e|es|ed|ing)|ratings?|verdict|rubrics?|grad(?:e|ing) (?:it|this)|(?:full|top|highest|"
    r"maximum) (?:marks?|points|credit|grades?)|"
    r"(?:10|20|100|5)/(?:10|20|100|5)|ten out of ten|five stars|(?:take|deduct|lose) points|praise this|"
    r"false positives|verdict ?= ?|compliant|certified safe|(?:is|as|a) pass(?:ed)?\b|passes all|"
    r"mark(?:ed)? \w+ \w* ?correct|"
    r"> all others|rank(?:ed|ing)? (?:first|higher))|punkte|puntos|баллы?|балл|满分|最高分|満点",
    ignore_case=True,
)
_ENDS = Pattern(
    r"\b(?:output|return|print|answer|respond with|write|end|reply with)\b[^.\n]{0,40}\b(?:pass|true|safe|"
    r"compliant|no harm|approved|10|100)\b|"
    r"\b(?:approve|accept|pass) (?:without|it|this)\b|\bany score below\b|\bchoose this (?:one|response|"
    r"answer)\b|\bgets? full\b",
    ignore_case=True,
)


def orders_judge(said: str) -> bool:
    """Tell whether a sentence or two tell their judge what to decide."""
    utf8 = said.encode()
    judge = JUDGE.search(utf8)
    if ITSELF.search(utf8) and (judge or _SCORING.search(utf8) or _ENDS.search(utf8)):
        return True
    if judge and _ENDS.search(utf8):
        return True
    return (judge or THIS.search(utf8)) and VERDICT.search(utf8) and ORDER.search(utf8)


def calls_judge(line: str) -> bool:
    """Tell whether a line opens by calling on a judge, and where that can be innocent, goes on to an order."""
    opening = CALLS.find(line.encode(), lambda byte: byte, limit=1)
    if not opening:
        return False
    rest = line.encode()[opening[0].end :]
    if not _ALSO_ELSEWHERE.search(opening[0].text.encode()):
        return True
    if ORDER.search(rest) and (VERDICT.search(rest) or THIS.search(rest)):
        return True
    return _SPEAKS.search(rest) or _ENDS.search(rest) or _SCORING.search(rest)


# Judges and examiners get letters; nobody but a text aimed at its judge calls on an evaluator or a model.
_ALSO_ELSEWHERE = Pattern(
    r"\b(?:judges?|examiners?|assessors|evaluators|graders)\b", ignore_case=True
)
_SPEAKS = Pattern(
    r"\b(?:this|the|my) (?:response|answer|output|submission)\b[^.\n]{0,60}\b(?:deserves|merits|earns|"
    r"has been|is|receives?)\b|"
    r"\bresponses? like this\b|\bpre-?approved\b|\b(?:high|full|top|maximum|perfect) (?:score|marks?|"
    r"credit|points|grade)\b|\boverall_?score\b|\bscore ?= ?\d",
    ignore_case=True,
)
