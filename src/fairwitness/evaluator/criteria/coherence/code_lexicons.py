"""How languages of the C family, CSS and SQL write strings and comments: what bracket_balance.py must skip."""

from __future__ import annotations

from typing import NamedTuple


class Lexicon(NamedTuple):
    """How a language writes what is not code."""

    line_comments: tuple[str, ...] = ("//",)
    # Quotes that must close on their line, and those that may run over several.
    quotes: str = '"'
    long_quotes: str = ""
    # 'x' is a character, and a lone apostrophe a lifetime or a digit separator.
    characters: bool = True
    triple: bool = False
    template: bool = False
    regex: bool = False
    raw: str = ""  # the letter before a raw string: r"...", R"(...)", @"..."
    preprocessor: bool = False
    dollar_quotes: bool = False
    escapes: bool = True
    statements: bool = (
        False  # a semicolon ends a statement wherever it stands, so that no bracket runs over it
    )

    @property
    def marks(self) -> frozenset[str]:
        """Every character that can open or close something."""
        kinds = (
            ("'", self.characters),
            ("`\\$", self.template),
            ("#", self.preprocessor),
            ("$", self.dollar_quotes),
        )
        optional = "".join(chars for chars, needed in kinds if needed)
        comments = "".join(comment[0] for comment in self.line_comments)
        return frozenset("()[]{}/" + self.quotes + self.long_quotes + comments + optional)


_JS = Lexicon(quotes="\"'", characters=False, template=True, regex=True)
_C = Lexicon(raw="R", preprocessor=True)
_SQL = Lexicon(
    line_comments=("--",), quotes="", long_quotes="'\"`", characters=False, dollar_quotes=True, escapes=False, statements=True
)  # fmt: skip
LEXICONS: dict[str, Lexicon] = {
    **dict.fromkeys(("javascript", "js", "jsx", "mjs", "typescript", "ts", "tsx"), _JS),
    **dict.fromkeys(("c", "cpp", "c++", "cc", "h", "hpp"), _C),
    "java": Lexicon(triple=True),
    "kotlin": Lexicon(triple=True),
    **dict.fromkeys(("csharp", "cs", "c#"), Lexicon(triple=True, raw="@", preprocessor=True)),
    **dict.fromkeys(("go", "golang"), Lexicon(long_quotes="`")),
    **dict.fromkeys(("rust", "rs"), Lexicon(quotes="", long_quotes='"', raw="r")),
    **dict.fromkeys(("sql", "mysql", "postgresql", "plpgsql", "sqlite", "tsql"), _SQL),
    "css": Lexicon(line_comments=(), quotes="\"'", characters=False),
    **dict.fromkeys(("scss", "less"), Lexicon(quotes="\"'", characters=False)),
}
