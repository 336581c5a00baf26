"""Finds a response in another language than its prompt where the prompt did not ask for one.

Cheap checks first: common English words and scripts decide almost every exchange. Only the rest goes to
the language identifier, and only a clear answer on a long text counts.
"""

from __future__ import annotations

from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.language import (
    are_similar,
    is_english,
    likely_language,
    prose,
    script,
    sure_language,
)
from fairwitness.evaluator.language_names import language_name
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

# A prompt that names a language, or speaks of translating, may want another one than its own.
_NAMES_LANGUAGE = Pattern(
    r"\b(?:translat\w*|languages?|bilingual|multilingual|foreign|accent|dialect|speak\w*|transliterat\w*|"
    r"romaji|pinyin|english|french|german|spanish|italian|portuguese|brazilian|dutch|russian|ukrainian|"
    r"polish|czech|slovak\w*|romanian|hungarian|greek|turkish|arabic|hebrew|persian|farsi|urdu|hindi|"
    r"bengali|bangla|punjabi|gujarati|marathi|tamil|telugu|kannada|malayalam|sinhala|nepali|thai|lao|"
    r"burmese|khmer|vietnamese|indonesian|malay|tagalog|filipino|chinese|mandarin|cantonese|japanese|"
    r"korean|mongolian|kazakh|uzbek|georgian|armenian|azerbaijani|swedish|norwegian|danish|finnish|"
    r"icelandic|estonian|latvian|lithuanian|bulgarian|serbian|croatian|bosnian|slovenian|macedonian|"
    r"albanian|catalan|basque|galician|welsh|irish|gaelic|latin|esperanto|swahili|yoruba|igbo|hausa|zulu|"
    r"xhosa|afrikaans|amharic|somali|kurdish|pashto|sanskrit|traduc\w*|tradui\w*|vertaal\w*|ingl[eéê]s|"
    r"anglais|englisch\w*|angielsk\w*|engelsk?|ingilizce|bahasa|idioma|langue|lingua|sprache|taal)|"
    # RE2's \b and \w know ASCII only, so these go without them.
    r"tradu[çz]|bersetz|перев[её]д|перекла|tłumacz|versätt|английск|англійськ|язык|język|英|翻译|翻譯|翻訳|영어|"
    r"번역|语言|語言|言語|언어|อังกฤษ|แปล|tiếng|अंग्रेज़ी|अनुवाद|الإنجليزية|ترجم|انگلیسی|fordít|oversett|oversæt|"
    r"käänn|přelož|prelož|prevedi|terjemah|çevir|dịch|μετάφρα|תרגם|norsk|svensk|dansk|suome|magyar|"
    r"türkçe|deutsch|français|español|italiano|português|русск|українськ|polsk|čes|日本語|中文|한국어",
    ignore_case=True,
)
_MIN_PROMPT_CHARS, _MIN_RESPONSE_CHARS = 24, 80
# The scripts of the languages that the identifier was trained on, and so of those tried here.
_SCRIPTS = frozenset(
    "LATIN GREEK CYRILLIC ARMENIAN HEBREW ARABIC DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA "
    "MALAYALAM SINHALA THAI LAO MYANMAR GEORGIAN HANGUL ETHIOPIC KHMER CJK HIRAGANA KATAKANA "
    "KATAKANA-HIRAGANA FULLWIDTH HALFWIDTH MATHEMATICAL".split()
)


def find(exchange: Exchange) -> list[Finding]:
    """Return a finding where the response is surely in another language than the prompt."""
    prompt, response = exchange.prompt, exchange.response
    if len(prompt) < _MIN_PROMPT_CHARS or len(response) < _MIN_RESPONSE_CHARS:
        return []
    english_prompt, english_response = is_english(prompt.value), is_english(response.value[:600])
    if english_prompt and english_response:
        return []
    if (
        not english_prompt
        and not english_response
        and script(prompt.value) == script(response.value) != "LATIN"
    ):
        return []
    if prompt.search(_NAMES_LANGUAGE) is not None or _is_mixed(prompt.value):
        return []
    wanted, said = _unquoted(prompt.value), prose(response)
    if likely_language(wanted) in {None, likely_language(said)}:
        return []
    asked, given = sure_language(wanted), sure_language(said)
    if asked is None or given is None or are_similar(asked, given):
        return []
    end = min(len(response), 80)
    return [
        Finding(
            severity="medium",
            message=f"The prompt is in {language_name(asked)}; the response is in {language_name(given)}, "
            "which the prompt does not ask for.",
            detector="coherence.language.other",
            spans=(Span(0, end),),
            suggestion="Answer in the language of the prompt.",
        )
    ]


def is_unsupported_script(text: Text) -> bool:
    """Tell whether most of a longer text is in a script none of the rules know how to read."""
    if text.value.isascii() or script(text.value) in _SCRIPTS:
        return False
    return sum(map(str.isalpha, text.value)) >= 20


def _is_mixed(value: str) -> bool:
    letters = [] if value.isascii() else [char for char in value if char.isalpha()]
    foreign = sum(char > "\u0250" for char in letters)
    # Braces and tags mean code, whose names may be in any language.
    return 0.05 * len(letters) < foreign < 0.5 * len(letters) or any(
        sign in value for sign in "{}<>"
    )


def _unquoted(value: str) -> str:
    """Return a prompt without quoted text, which may be in any language."""
    for opening, closing in (('"', '"'), ("“", "”"), ("«", "»"), ("「", "」"), ("```", "```")):
        kept = value.split(opening) if opening == closing else _outside(value, opening, closing)
        value = " ".join(kept[::2])
    return value


def _outside(value: str, opening: str, closing: str) -> list[str]:
    return value.replace(closing, opening).split(opening)
