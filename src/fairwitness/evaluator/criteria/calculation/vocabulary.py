"""The words and signs that calculations are written with, and which of them are units of measure."""

from __future__ import annotations

from fractions import Fraction

OPERATOR_SIGNS = {
    "+": "+", "＋": "+", "-": "-", "−": "-", "–": "-", "—": "-", "*": "*", "×": "*", "·": "*",
    "⋅": "*", "∙": "*", "✕": "*", "✖": "*", "/": "/", "÷": "/", "⁄": "/", "∕": "/", "^": "^",
}  # fmt: skip
# "multiply A by B" and its kin: the verb, the words between the operands, and what they then mean.
VERBS: dict[str, dict[str, str]] = {
    verb: signs
    for verbs, signs in (
        ("multiply multiplying multiplies", {"by": "*", "and": "*"}),
        ("divide dividing divides", {"by": "/"}),
        ("add adding adds", {"to": "+", "and": "+"}),
        ("subtract subtracting subtracts", {"from": "from"}),
    )
    for verb in verbs.split()
}
LATEX_OPERATORS = {"times": "*", "cdot": "*", "ast": "*", "div": "/"}
LATEX_IGNORED = frozenset(
    "left right big Big bigg Bigg boxed displaystyle quad qquad mathbf bf textbf mathit".split()
)
LATEX_TEXT = frozenset("text mathrm textrm operatorname textit".split())
SUPERSCRIPTS = {char: digit for digit, char in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
VULGAR = {
    "½": Fraction(1, 2), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3), "¼": Fraction(1, 4),
    "¾": Fraction(3, 4), "⅕": Fraction(1, 5), "⅖": Fraction(2, 5), "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5), "⅙": Fraction(1, 6), "⅚": Fraction(5, 6), "⅛": Fraction(1, 8),
    "⅜": Fraction(3, 8), "⅝": Fraction(5, 8), "⅞": Fraction(7, 8),
}  # fmt: skip
EQUAL_SIGNS = {"=": False, "≈": True, "≃": True, "≅": True, "≒": True}
EQUAL_WORDS = frozenset("equals equal".split())
# These mean "is" only between a calculation and a number.
WEAK_EQUALS = frozenset("is gives makes yields totals leaves becomes comes results get".split())
ABOUT = frozenset("about approximately approx roughly around nearly almost circa ca".split())
FILLERS = frozenset(
    "to exactly just only simply us you the a an total in out also precisely".split()
)
# An expression ends at these; a calculation may begin right after them.
STOPS = frozenset(
    "and or then so because which that this these those we i you he she it they but with for to in "
    "from the a an at on if when where as while since therefore thus hence have has had was were be "
    "been by do does did will would can could each every all your my his her their its our not no "
    "than there here let lets now next first second finally add calculate compute find".split()
)
# A number after these is an argument of something this checker does not know.
FUNCTIONS = frozenset(
    "sin cos tan cot sec csc log ln exp lim max min gcd lcm mod arcsin arccos arctan floor ceil "
    "round abs det over choose base remainder quotient ratio root power average mean".split()
)
NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
}
SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "lakh": 10**5, "crore": 10**7,
}  # fmt: skip
SHORT_SCALES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "bn": 10**9, "m": 10**6}
PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4,
    "fourths": 4, "fifth": 5, "fifths": 5, "sixth": 6, "eighth": 8, "eighths": 8, "tenth": 10,
    "tenths": 10,
}  # fmt: skip
MULTIPLES = {"twice": 2, "double": 2, "triple": 3}
# Words in a remark that say more is counted than the signs show.
UNSHOWN = frozenset("plus minus times less tax taxes discount fee fees tip vat interest".split())
CURRENCY_CODES = frozenset("USD EUR GBP INR JPY CAD AUD CHF CNY NZD Rs".split())
CURRENCY = frozenset("$€£¥₹₩₽₺₫₴฿")
# Only exact, universal factors: no months, no cups, no currencies.
SIZES = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800,
    "mm": 1, "cm": 10, "m": 1000, "km": 1_000_000, "mg": 1, "g": 1000, "kg": 1_000_000, "ml": 1, "l": 1000,
}  # fmt: skip
# Exact among themselves; to metric ones they are mostly rounded, so the two are never mixed.
IMPERIAL = {
    "inch": 1, "ft": 12, "yd": 36, "mile": 63_360, "oz": 1, "lb": 16, "pint": 1, "quart": 2, "gallon": 8,
}  # fmt: skip
SIZES |= IMPERIAL
# Units by dimension: two different units of one dimension mean a conversion, which is not judged.
_DIMENSIONS = {
    "time": "s sec secs second seconds ms min mins minute minutes h hr hrs hour hours day days week "
    "weeks month months year years yr yrs rpm decade decades century centuries mph kph am pm",
    "length": "mm cm dm m km metre metres meter meters kilometer kilometers kilometre kilometres "
    "centimeter centimeters in inch inches ft foot feet yd yard yards mile miles mi nm µm mph kph "
    "light-years au",
    "mass": "mg g kg gram grams kilogram kilograms ton tons tonne tonnes lb lbs pound pounds oz "
    "ounce ounces stone milligram milligrams mcg µg",
    "volume": "ml mL l L liter liters litre litres cl dl gal gallon gallons quart quarts pint pints "
    "cup cups tbsp tsp tablespoon tablespoons teaspoon teaspoons cc bottle bottles",
    "money": "$ € £ ¥ ₹ cents cent ¢ dollars dollar usd eur gbp inr yen euro euros pence rupees "
    "penny pennies dime dimes quarter quarters nickel nickels",
    "data": "bit bits byte bytes kb KB Kb mb MB Mb gb GB Gb tb TB kib mib gib pb PB petabyte "
    "petabytes gigabytes gigabyte megabytes megabyte kilobytes terabytes terabyte bps kbps mbps",
    "energy": "J kJ MJ cal kcal Cal calories W kW MW Wh kWh mWh MWh GW GWh eV N kN Pa kPa MPa V mV kV A "
    "mA Ω kΩ Hz kHz MHz GHz µF °C °F °K atm bar psi hp Nm btu mol mmol",
    "count": "dozen dozens pair pairs gross",
}  # fmt: skip
UNITS = {unit: dimension for dimension, units in _DIMENSIONS.items() for unit in units.split()}
_SAME = {
    "s": "second", "sec": "second", "secs": "second", "seconds": "second", "min": "minute",
    "mins": "minute", "minutes": "minute", "h": "hour", "hr": "hour", "hrs": "hour",
    "hours": "hour", "yr": "year", "yrs": "year", "years": "year", "days": "day",
    "weeks": "week", "months": "month", "metres": "m", "metre": "m", "meter": "m", "meters": "m",
    "kilometers": "km", "kilometer": "km", "kilometres": "km", "kilometre": "km",
    "centimeters": "cm", "centimeter": "cm", "inches": "inch", "in": "inch", "feet": "ft",
    "foot": "ft", "yards": "yd", "yard": "yd", "miles": "mile", "mi": "mile", "grams": "g",
    "gram": "g", "kilograms": "kg", "kilogram": "kg", "tons": "ton", "tonnes": "tonne",
    "lbs": "lb", "pounds": "lb", "pound": "lb", "ounces": "oz", "ounce": "oz", "liters": "l",
    "liter": "l", "litres": "l", "litre": "l", "L": "l", "mL": "ml", "gallons": "gallon",
    "gal": "gallon", "cups": "cup", "pints": "pint", "quarts": "quart", "dollars": "$", "dollar": "$", "usd": "$", "eur": "€",
    "euro": "€", "euros": "€", "gbp": "£", "cents": "cent", "¢": "cent", "bytes": "byte",
    "bits": "bit", "inr": "₹", "rupees": "₹", "yen": "¥",
    "bottles": "bottle", "calories": "cal", "gigabytes": "GB", "gigabyte": "GB", "gb": "GB",
    "mb": "MB", "kb": "KB", "tb": "TB", "dozens": "dozen", "pairs": "pair",
}  # fmt: skip


def unit_of(word: str) -> tuple[str, str] | None:
    """Return a unit's dimension and its one name, or None where the word is no unit."""
    known = word if word in UNITS else word.lower()
    if known not in UNITS:
        return None
    return UNITS[known], _SAME.get(known, known)
