"""Language identification does not depend on the Unicode form of accents."""

from __future__ import annotations

import unicodedata

import pytest

from fairwitness.evaluator.language import is_supported, sure_language
from fairwitness.evaluator.text import Text

# Of two languages, and longer than what is looked at once its accents are taken apart.
MIXED = (
    "Les élèves préfèrent étudier près de la fenêtre. Les élèves préfèrent étudier près de la fenêtre. "
    "Milton Keynes, Northampton. Die Kinder müssen früh aufstehen. Amanhã não haverá aulas, só à noite. "
    "Die Kinder müssen früh aufstehen. Según el pronóstico no lloverá. Die Kinder müssen früh aufstehen."
)
TEXTS = [
    "Les élèves préfèrent étudier près de la fenêtre, où la lumière est très agréable dès le début de l'été.",
    "Los niños pequeños jugarán mañana en el jardín, porque según el pronóstico no lloverá durante el día.",
    MIXED,
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_unicode_form_changes_nothing(text: str) -> None:
    apart = unicodedata.normalize("NFD", text)
    assert apart != text
    assert sure_language(apart) == sure_language(text)
    assert is_supported(Text(apart)) == is_supported(Text(text))
    assert not is_supported(Text(text))


def test_similar_languages_do_not_hide_that_a_text_is_not_english() -> None:
    portuguese = "Mas para provar o ponto, posso bloquear a luz da célula solar com a minha mão."
    assert not is_supported(Text(portuguese))


def test_two_english_words_do_not_make_a_chinese_text_english() -> None:
    assert not is_supported(
        Text("ChatGPT: 我建议您尊重他人的隐私权 and 遵守法律 of 中国。这是非常重要的事情")
    )


@pytest.mark.parametrize(
    "text",
    [
        "Commit 3f2a9c1d8b7e6f5a4c3b2a1908f7e6d5c4b3a291 fixed it.",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
        "550e8400-e29b-41d4-a716-446655440000",
    ],
)
def test_digests_and_chess_moves_are_not_a_foreign_language(text: str) -> None:
    assert is_supported(Text(text))


def test_numbers_do_not_hide_a_foreign_language() -> None:
    assert not is_supported(
        Text("Es ist jetzt 14 Uhr und der Zug fährt in 20 Minuten vom Gleis 7 ab.")
    )
