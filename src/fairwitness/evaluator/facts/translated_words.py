"""Words of denial and opposite words in six languages, so that a translation can be held against its source.

English, German, French, Spanish, Italian and Portuguese. Inflected words are compared by how they begin.
"""

from __future__ import annotations

from collections.abc import Iterable

_DENYING = frozenset(
    """not no never none nobody nothing neither nor cannot nowhere cant wont dont doesnt didnt isnt wasnt arent couldnt
    nicht nein nie niemals nichts weder nirgends nix
    ne pas jamais rien non ni nulle
    nunca jamás nada nadie tampoco
    mai niente nulla né mica
    não nem ninguém""".split()
)
_DENYING_BEGINNINGS = (
    "kein", "niemand", "aucun", "ningún", "ningun", "nessun", "nenhum", "n'", "n’",
)  # fmt: skip
# Words of Portuguese that deny in another language: "no" is "in the".
_NOT_IN_PORTUGUESE = frozenset({"no", "pas", "ne", "non", "mai", "ni"})
# Words that deny in part, or by what they mean: what has one may be put with a "no" or without one.
_HALF = frozenset(
    """without only hardly barely scarcely few little unless until before than unable instead rather except but too otherwise
    afraid wait worry mind hesitate forget wonder out away any anything anyone yet else still far easy hard difficult no
    ohne kaum erst nur sondern außer egal leider zu
    sans peu sauf que plus guère personne
    sin apenas salvo excepto sino
    senza appena tranne
    sem exceto""".split()
) - {"no"}
_HALF_BEGINNINGS = (
    "avoid", "refus", "prevent", "forb", "prohibit", "ban", "fail", "lack", "stop", "den", "fear", "doubt", "miss", "problem",
    "un", "dis", "imp", "irr", "incap", "incorr", "incom", "inval", "insec", "insuf",
    "verboten", "untersag", "schwer", "fehl", "interdit", "défens", "manqu", "diff", "évit", "evit", "prohib", "falta", "difícil",
    "imposs", "vietat", "proib", "manca",
)  # fmt: skip
_HALF_ENDINGS = ("less", "los", "lose", "loser", "losen")
# Shorter ones are whole words.
_WHOLE_CHARS = 4
# Opposites by the beginnings of their words in the six languages; one line for each pair.
_OPPOSITES = """
open opened offen geöffnet öffnet ouvert ouverte abiert abre apert abert / closed closes shut geschlossen schließt fermé fermée cerrad cierra chius chiude fechad
after nach après después dopo depois / before vor avant antes prima
left links gauche izquierd sinistr esquerd / right rechts droite derech destr direit
hot heiß chaud caliente caldo calda quente / cold kalt froid fría frío fredd frio
bought gekauft achet compré compró comprat comprou acquist / sold verkauf vendu vendí vendió vendeu
north nord norte / south süd sud sur sul
won gewonnen gewann gagné ganó ganaron vinto venceu / lost verloren verlor perdu perdió perdieron perso perdeu
"""
OPPOSED = tuple(
    tuple(tuple(side.split()) for side in line.split(" / "))
    for line in _OPPOSITES.strip().splitlines()
)


def denies(words: Iterable[str], portuguese: bool = False) -> bool:
    """Tell whether one of these words, in lower case, denies."""
    return any(
        _is_denial(word) and not (portuguese and word in _NOT_IN_PORTUGUESE) for word in words
    )


def _is_denial(word: str) -> bool:
    return word in _DENYING or word.endswith(("n't", "n’t")) or word.startswith(_DENYING_BEGINNINGS)


def half_denies(words: Iterable[str]) -> bool:
    """Tell whether one of these words may stand for a denial, or ask for one."""
    return any(
        word in _HALF or word.startswith(_HALF_BEGINNINGS) or word.endswith(_HALF_ENDINGS)
        for word in words
    )


def opposed(given: Iterable[str], stated: Iterable[str]) -> tuple[str, str] | None:
    """Return a given word and the stated one that is its opposite, where each text has one side of the pair alone."""
    given, stated = list(given), list(stated)
    for one, other in OPPOSED:
        for mine, theirs in ((one, other), (other, one)):
            source, said = _first(given, mine), _first(stated, theirs)
            if source and said and not _first(given, theirs) and not _first(stated, mine):
                return source, said
    return None


def _first(words: list[str], beginnings: tuple[str, ...]) -> str:
    whole = frozenset(begin for begin in beginnings if len(begin) <= _WHOLE_CHARS)
    longer = tuple(begin for begin in beginnings if len(begin) > _WHOLE_CHARS)
    return next((word for word in words if word in whole or word.startswith(longer)), "")
