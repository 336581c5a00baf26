"""Words that several rooms read texts with: months, weekdays, numbers, currencies, and units of measure."""

from __future__ import annotations

MONTHS = (
    "january february march april may june july august september october november december".split()
)
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
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
# The numbers that are mostly written in words, to count by.
COUNTS = {word: number for word, number in NUMBER_WORDS.items() if 1 <= number <= 12}
COUNT_WORDS = "|".join(COUNTS)
SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "lakh": 10**5, "crore": 10**7,
}  # fmt: skip
SHORT_SCALES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "bn": 10**9, "m": 10**6}
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
    "mass": "mg g kg kilo kilos gram grams kilogram kilograms ton tons tonne tonnes lb lbs pound pounds oz "
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
    "gram": "g", "kilograms": "kg", "kilogram": "kg", "kilos": "kg", "kilo": "kg", "tons": "ton", "tonnes": "tonne",
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
