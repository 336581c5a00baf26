"""Patterns of text aimed at a judge in languages other than English."""

from __future__ import annotations

_GRADERS = (
    r"(?:evaluador\w*|corrector\w*|calificador\w*|examinador\w*|avaliador\w*|valutator\w*|correttor\w*|"
    r"prüfer\w*|bewerter\w*|korrektor\w*|gutachter\w*|évaluat\w+|correcteur\w*|examinateur\w*|jury)"
)
_WISHED_OUTCOME = (
    r"(?:esta respuesta|esta resposta|questa risposta|dies\w+ antwort|cette réponse|máxima|massimo|"
    r"höchst\w*|bestnote|maximale|nota dez|un diez|apruebe|aprove)"
)
_ACCEPT = (
    r"(?:consider[ae]|califi(?:ca|que)|punt[uú][ea]|eval[uú][ea]|apr(?:ue|o)[bv][ea]|acept[ea]|elij[ae]|"
    r"prefiera|valor[ea]|avali[ea]|aceite|escolha|pontue|valut[ai]|accetta|approv[ai]|scegli|premia)"
)
_THIS_ANSWER = r"(?:esta respuesta|esta resposta|questa risposta)"
# A judge with this answer or the best score; or this answer and what to do with it.
PATTERNS_IN_OTHER_LANGUAGES = (
    rf"{_GRADERS}"
    rf"[^.\n]{{0,80}}{_WISHED_OUTCOME}",
    r"(?:attribu\w+|donn\w+|accord\w+|mett\w+)[^.\n]{0,20}(?:meilleure|maximale|bonne|excellente) note[^.\n]{0,20}(?:cette réponse|ma réponse)",
    rf"\b{_ACCEPT}\b[^.\n]{{0,30}}{_THIS_ANSWER}",
    r"\b(?:considér|évalu|accept|choisi|préfér|approuv|valid|not)\w*[^.\n]{0,30}cette réponse|"
    r"\b(?:bewert|wert|akzeptier|bevorzug|wähl|beurteil)\w*[^.\n]{0,40}diese[rn]? antwort",
    r"(?:esta respuesta|esta resposta|questa risposta|cette réponse|diese antwort) (?:merece|merita|mérite|verdient)|"
    r"\bmérite la (?:meilleure )?note|"
    r"\b(?:volle|höchste|maximale)[nr]? punktzahl (?:geben|vergeben|bitte)",
    r"\bwohlwollend bewerten\b|"
    r"\bbewerten sie (?:bitte )?(?:wohlwollend|milde|positiv|gnädig)|"
    r"\ben (?:notant|évaluant) (?:ce|cette)\b|"
    r"\bne (?:retirez|enlevez|baissez)[^.\n]{0,12}\b(?:points|note)\b|"
    r"\b(?:quien|quienes) (?:eval[uú]an?|califican?|corrigen?)\b",
    r"(?:^|\W)n[ãa]?o (?:desconte|descuente|quite|reste|baje|tire)[ms]?\b[^.\n]{0,8}(?:pontos|puntos|nota)\b|"
    r"採点[^。\n]{0,6}(?:甘|お願い)|"
    r"判定(?:本|此|该|这个)(?:回答|答案)",
    r"(?:проверяющ|оценщик|эксперт|судья|экзаменатор)[^.\n]{0,80}(?:балл|оценк|этому ответу|этот ответ)|"
    r"(?:оцен|постав|прими|выбер)[^.\n ]{0,6} [^.\n]{0,20}(?:этот ответ|этому ответу)",
    r"(?:评审员?|评委|评分员|阅卷|考官|评估员|裁判)[^。\n]{0,20}(?:满分|高分|通过|最高分|此回答|这个回答)|"
    r"(?:请|給|给)[^。\n]{0,12}(?:高分|满分|好评)|"
    r"[将把](?:此|这个|本|该)(?:回答|答案)[^。\n]{0,8}(?:评为|视为|标记为|判为)",
    r"(?:採点者|審査員|評価者)[^。\n]{0,20}(?:満点|高得点|合格|この回答)|この回答[^。\n]{0,8}(?:満点|合格|最高評価|高く評価)",
)
