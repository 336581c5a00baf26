"""Calculation: what is flagged, what is not, and what holds for every expression."""

from __future__ import annotations

from fractions import Fraction
from time import process_time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria import calculation
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.text import Text


def judged(response: str, prompt: str = "Please answer.") -> Judgement:
    return shipped().judge("calculation", Exchange(prompt, response))


# What is wrong, and the text that puts it right.
WRONG = [
    ("2 + 2 = 5", "4"),
    ("3 dozen = 38", "36"),
    ("Half a dozen eggs is 7 eggs.", "6"),
    ("The cube of 4 is 60.", "64"),
    ("Then the square of 7 is 48.", "49"),
    ("4 hours is 200 minutes.", "240"),
    ("A loop of 3 km (300 m) around the lake.", "3000"),
    ("There are 100 grams in a kilogram.", "1000"),
    ("7/8 as a decimal is 0.857.", "0.875"),
    ("0.4 is equal to 3/5.", "0.6"),
    ("Adding 30 and 12 gives 41.", "42"),
    ("If you multiply 12 by 11, you get 122.", "132"),
    ("Subtract 9 from 20 and you get 12.", "11"),
    ("3 bags with 5 apples each make 18 apples.", "15"),
    ("Sam buys 6 pens at $2 each, so he pays $14.", "12"),
    ("With 20% off, the $50 coat costs $45.", "40"),
    ("It rose from 20 to 25, an increase of 20%.", "25"),
    ("So 9 is 30% of 36.", "25"),
    ("6 out of 8 is 70%.", "75"),
    ("The mean of the marks (60, 70, 80) is 75.", "70"),
    ("7 x 7 = 49\n7 x 8 = 56\n7 x 9 = 64", "63"),
    ("Apples: 3 x $4 = $12\nPears: 2 x $5 = $10\nTotal: $30", "22"),
    ("- 3 shirts at $20 each: $60\n- 2 hats at $15 each: $30\n- Total: $100", "90"),
    ("3 notebooks at $4 each cost $15.", "12"),
    ("Two pizzas at $9 each come to $20.", "18"),
    ("20% off $50 is $42.", "40"),
    ("A 10% increase on 200 gives 250.", "220"),
    ("3 feet = 30 inches", "36"),
    ("Twice 18 is 38.", "36"),
    ("5 m × 4 m = 25 m²", "20"),
    ("So 18 * 3.98 = 71.04.", "71.64"),
    ("12 × 15 = 175", "180"),
    ("144 ÷ 12 = 11", "12"),
    ("10 km + 500 m = 15 km", "10.5"),
    ("5 kg = 500 g", "5000"),
    ("1 hour = 50 minutes", "60"),
    ("So 2 weeks equals 15 days.", "14"),
    ("Increasing 200 by 10% gives 230.", "220"),
    ("Reducing $80 by 25% gives $65.", "60"),
    ("A discount of 20% on $50 is $12.", "10"),
    ("a 25% tip on $40 is $12", "10"),
    ("| Item | Cost |\n|---|---|\n| Rent | 100 |\n| Food | 50 |\n| Total | 170 |", "150"),
    ("2+2 is 5.", "4"),
    ("12+12 is 25.", "24"),
    ("12*12 is 145.", "144"),
    ("2+2=5, right?", "4"),
    ("Good! 2 + 2 = 5.", "4"),
    ("I think that 6 x 7 = 41.", "42"),
    ("100 − 37 = 73", "63"),
    ("7 x 8 = 54", "56"),
    ("4x5=25", "20"),
    ("12 times 15 is 75.", "180"),
    ("Twelve times twelve equals 142.", "144"),
    ("Two plus two equals five.", "4"),
    ("169 divided by 13 is 14.", "13"),
    ("9 squared is 82.", "81"),
    ("The square root of 81 is 8.", "9"),
    ("2 to the power of 5 is 30.", "32"),
    ("Half of 30 is 16.", "15"),
    ("A quarter of 100 is 24.", "25"),
    ("20% of 50 is 12.", "10"),
    ("15% of $80 = $14", "$12"),
    ("Adding 7 to 8 gives 16.", "15"),
    ("Subtracting 3 from 10 gives 6.", "7"),
    ("Multiply 6 by 7, which equals 43.", "42"),
    ("3/4 = 0.9", "0.8"),
    ("1/2 + 1/3 = 2/5", "5/6"),
    ("2½ + 1½ = 5", "4"),
    ("1 1/2 + 2 1/4 = 4", "3.75"),
    ("2^10 = 1,025", "1,024"),
    ("2**8 = 255", "256"),
    ("10⁻² × 500 = 6", "5"),
    ("3² + 4² = 26", "25"),
    ("√144 = 13", "12"),
    ("5! = 125", "120"),
    ("(3 + 4) × 2 = 15", "14"),
    ("3(4 + 5) = 28", "27"),
    ("2 + 3 × 4 = 20", "14"),
    ("1,234 + 4,321 = 5,556", "5,555"),
    ("$1,500 + $500 + $600 = $2,500", "$2,600"),
    ("€3,50 + €2,25 = €5,85", "€5,75"),
    ("£12.99 × 3 = £38.79", "£38.97"),
    ("$1.5 million + $500,000 = $2.5 million", "$2.0 million"),
    ("- Item: 3 × $4 = $13", "$12"),
    ("3. 40 / 5 = 9", "8"),
    ("**Total:** 15 + 27 = 43", "42"),
    ("The sum is **15 + 27 = 43**.", "42"),
    ("\\[ 3 \\times 4 = 13 \\]", "12"),
    ("$\\frac{3}{4} + \\frac{1}{4} = \\frac{1}{2}$", "1"),
    ("$$\\sqrt{16} + 2 = \\boxed{7}$$", "6"),
    ("$2^{3} \\cdot 5 = 45$", "40"),
    ("&= 3 \\cdot 7 = 22 \\\\", "21"),
    ("x = 30 - 15 = 20", "15"),
    ("P = 2(5 + 3) = 18 cm", "16"),
    ("30 red marbles + 12 blue marbles = 43 marbles", "42"),
    ("6 (sisters) + 3 (brothers) = 10", "9"),
    ("60 km/h × 2 h = 130 km", "120"),
    ("300 workers * $5/hour * 40 hours = $6000", "$60000"),
    ("680 cents / 20 ounces = 35 cents per ounce", "34"),
    ("(1/4) × 100 = 30%", "25%"),
    ("50% + 30% = 90%", "80%"),
    ("$100 - 20% = $85", "$80"),
    ("100 = 50 + 40", "90"),
    ("5 × 4 = 20 - 3 = 16", "17"),
    ("3 + 4 = 8 = 8", "7"),
    ("That means you have 5 - 3 = 3 apples left.", "2"),
    ("That's a total of 21 + 17 = 48 socks.", "38"),
    ("1e3 * 2 = 2001", "2000"),
    ("7 * 3 + 1 = 29, and so on", "22"),
    ("10/4 ≈ 3.5", "2.5"),
    ("[3 + 2] × 4 = 25", "20"),
    ("24×7=158!", "168"),
    ("The log base 2 of 8 is 3, and 3 * 3 = 8.", "9"),
    ("(a) 24 × 7 = 158", "168"),
    ("(2) 24 × 7 = 158", "168"),
    ("(12) + 3 = 16", "15"),
    ("6 × 10 = 70 minutes", "60"),
    ("24 × 7 = **158**", "168"),
    ("| 24 × 7 = 158 |", "168"),
    ("USD 100 × 0.92 = USD 95", "USD 92"),
    ("45° + 45° = 100°", "90"),
    ("Let's compute: 15 × 3 = 45; 45 + 5 = 60; 60 / 2 = 30.", "50"),
    ("The sum of 3 and 4 is 8.", "7"),
    ("The product of 6 and 7 is 45.", "42"),
    ("The difference between 10 and 4 is 5.", "6"),
    ("The average of 2, 4 and 6 is 5.", "4"),
    ("- Rent: $1,200\n- Food: $400\n- Total: $1,700", "1,600"),
    ("- Apples: 3\n- Pears: 4\n\n**Total**: 8", "7"),
    ("Sales rose from 50 to 75, which is a 60% increase.", "50"),
    ("The price went from $80 to $60, which is a 20% decrease.", "25"),
]


@pytest.mark.parametrize(("text", "right"), WRONG, ids=[text[:40] for text, _ in WRONG])
def test_wrong_result_is_found_and_corrected(text: str, right: str) -> None:
    findings = judged(text).findings
    assert [(item.severity, item.suggestion) for item in findings] == [("high", right)]


RIGHT = [
    "6 ÷ 2(1+2) = 9, or 6 ÷ 2(1+2) = 1",
    "Apples: 3 x $4 = $12\nPears: 2 x $5 = $10\nTotal: $22",
    "3 notebooks at $4 each cost $12.",
    "20% off $50 is $40, and 20% off $50 is $10 less.",
    "A 10% increase on 200 gives 220, and a 10% increase on 200 is 20.",
    "1 mile = 5,280 feet",
    "5 cm × 4 cm = 20 cm²",
    "1 hour = 60 minutes", "2.5 kg = 2,500 g", "10 km + 500 m = 10.5 km", "A 20% discount on $50 is $40.", "a 25% tip on $40 is $50",
    "Increasing 200 by 10% gives 220.", "a 15% tip on $47.83 is $7.17", "| Rent | 100 |\n| Food | 50 |\n| **Total** | **150** |",
    "2 + 2 = 4", "18 * 3.98 = 71.64", "7 x 8 = 56", "1/3 = 0.33", "2/3 = 0.67", "2/3 = 0.66",
    "10 / 3 ≈ 3.3", "22/7 is approximately 3.14", "299,792 / 1.33 ≈ 225,407", "19 × 21 ≈ 400",
    "π × 4² ≈ 50.27", "π(5)^2 = 78.5", "20% of 50 is 10", "0.25 × 100 = 25%", "25 / 100 = 25%",
    "$100 - 20% = $80", "8/2(2+2) = 1", "8/2(2+2) = 16", "10 ÷ 1/2 = 20", "-5^2 = 25", "-5^2 = -25",
    "2 plus 3 times 4 is 20", "2 plus 3 times 4 is 14", "5 + 3 = 8 × 2 = 16", "1.500,50 + 2 = 1.502,50",
    "1.500 / 4 = 375", "3,5 + 1,5 = 5", "12,34,567 + 1 = 12,34,568", "2^100 = 1.267 × 10^30",
    "1.05^10 = 1.63", "100,000 × 50 = 5 million", "$2.5k + $500 = $3,000", "3 × 36 $ = 108 $",
    "Twenty-five plus seventeen equals forty-two.", "Two hundred plus fifty is 250.",
    "2^3^2 = 512", "2^3^2 = 64", "about 3 × 7 = 20", "(5)(3) = 15", "1/7 = 0.142857", "100/3 = 33 1/3", "√2 ≈ 1.4",
    "3 × [2 + (4 − 1)] = 15", "5 squared plus 12 squared equals 169", "two thirds of 9 is 6", "twice 7 is 14",
    "7 days × 24 hours × 60 minutes = 10,080 minutes", "P(A) = 1/6 × 1/6 = 1/36 ≈ 0.0278", "-3 - -5 = 2",
    "1,000 × (1 + 0.05)^3 = 1,157.63", "1920 x 1080 = 2,073,600 pixels", "5! = 5 × 4!, and 4! = 4 × 3!, and so on",
    "60 = 2 × 2 × 3 × 5", "Step 2 - 5 + 3 = 8", "1990-2000 = 10 years", "4! = 24", "2 + 2 = 4!",
    "857.63 million / 3.2 * 10^2 = 2.68 million", "10 x 2 = <<10*2=20>>20 fingers",
    "- Rent: $1,200\n- Food: $400\n- Total: $1,600", "from 80 to 60, which is a 25% decrease",
    "$14.14 \\times 14.14 \\approx 200$", "$33.33 × 3 = $100", "f(2) = 3(2) + 1 = 7",
]  # fmt: skip


@pytest.mark.parametrize("text", RIGHT, ids=[text[:40] for text in RIGHT])
def test_right_result_passes(text: str) -> None:
    assert [item for item in judged(text).findings if item.severity != "low"] == []


ROUNDED = ["10 km + 500 m = 11 km", "100 / 7 = 14", "1000 / 706.86 = 1.42", "0.9 * 3.98 = 3.60"]


@pytest.mark.parametrize("text", ROUNDED)
def test_rounding_that_is_not_stated_is_low(text: str) -> None:
    assert [item.severity for item in judged(text).findings] == ["low"]


NOT_CALCULATIONS = [
    "Two dozen roses is 60 dollars.",
    "3 dozen is $36.",
    "The cube of sugar is 4 grams.",
    "A day (8 hours) of paid leave.",
    "It takes 1 hour, or 30 minutes if you hurry.",
    "2 hours is 60 minutes more than 1 hour.",
    "Multiply 3 by the price, and you get 12.",
    "If you add 3 to x, you get 10.",
    "5 teams of 4 players each have 3 coaches.",
    "3 notebooks at $4 each plus tax cost $15.",
    "Buy 2 at $5 each, get 1 free.",
    "The room is $50 each night, which is fine.",
    "x² + 3 = 12",
    "The meeting is on 12/25 = Christmas.", "Born 1990-05-12, died 2020-11-15.", "Version 2.3.1 = stable",
    "Pages 10-20 = the introduction", "The score was 3-1 = a win.", "16:9 = 1.78", "Ratio 3:4 = 0.75 or so",
    "Call 555-0134 = the desk", "It runs 24/7 is what they said.", "9/11 is 1 of the dates everybody knows",
    "x + 5 = 9", "2x - 3 = -7", "3h + 5 = 20", "a + 10 + 5 = 30", "2a + 3b = 12", "y = 3x + 2 = 8",
    "2H2 + O2 = 2H2O", "E = mc^2", "sin(30) + 1 = 2", "log(100) + 3 = 6", "f'(1) = 3", "n! = 24",
    "(2,3) + (1,1) = (3,5)", "(1, 6, 1) = 3 outcomes", "|3 - 5| = 7", "10:30 + 2:15 = 1:00",
    "10 AM + 5 hours = 3 PM", "1 kg × 2.2 = 3 lb", "90 minutes / 60 = 2 hours", "500 MB × 3 = 2 GB",
    "5 ft 6 in + 2 in = 5 ft 9 in", "2 pens + 3 pencils = $13", "2 pens + 3 pencils = 13",
    "17 / 5 = 3 remainder 2", "17 mod 5 = 3, so 9 + 8 = 3", "In binary, 1 + 1 = 10.",
    "In base 8, 7 + 1 = 10.", "In modular arithmetic 9 + 5 = 2.", 'String concatenation: "1" + "1" = 11',
    "`2 + 2 = 5`", "```python\nassert 2 + 2 == 5\n# 3 * 3 = 10\n```", "x = 5 + 3; y = 2 + 2 = 5;",
    "if 2 + 2 = 5, we are lost", "If we say 2 + 2 = 5 we are lost.", "Suppose 2 + 2 = 5.",
    "Incorrect: 2 + 2 = 5", "2 + 2 = 5 is wrong.", "It is not true that 2 + 2 = 5.",
    "2 + 2 = 5 isn't right.", "2 + 2 ≠ 5", "The claim 2 + 2 = 5 fails.", "Common mistakes:\n- 2 + 2 = 5",
    "For leave, 1 day = 8 hours.", "1 cm = 5 km on the map", "Scale: 1 cm = 5 km", "In the game, 1 day = 20 minutes.", "5 ml = 250 mg", "1 hour = 50 minutes of work",
    "A 20% discount on $50 is $5 more than before.", "A 15% tip on $40 is $5 to $8.", "1 day = 24 hours = 1440 minutes",
    "| Item | Cost | Count |\n|---|---|---|\n| Rent | 100 | 2 |\n| Food | 50 | 1 |\n| Total | 250 | 3 |",
    "| Income | 100 |\n| Food | 50 |\n| Total | 50 |",
    "Is 7 x 8 = 54? No, it's 56.", "Is 5 + 5 = 11? No.", "Does 2 + 2 = 5 apples, or 4?", "My friend thinks that 6 x 7 = 41.",
    "Anna said 6 x 7 = 41.", "They believe 2 + 2 = 5.", "A 2x4 is 1.5 thick.", "The 5+1 is 1 of the layouts.",
    "5² + 5² = 7²\n\n50 = 49 (not true)", "Absolute differences:\n(3 - 10) = 7",
    "Tax = 4% × $100 = $4\nTotal = price + tax\n= $100 + $4", "So 3/4 * 2/2 = 6/8.\n\n= 10 - 6/8",
    "2^31 + 10 * 4KB = 2^31 + 10 * 4096", "Total: 5 + 3 (plus tax) = 9", "Chapter 3 - 4 = 7",
    "2x4 lumber = 1.5 x 3.5 inches", "sum = 1 + 2 + ... + 10 = 55", "0.999... = 1", "2 + __ = 5", "? + 3 = 7",
    "1 in 5 = 20%", "3 + 4i = 5", "C(5,2) = 10", "url?a=1+2=3", "🍎 + 🍎 = 10", "5 / 0 = 0", "20°C + 273.15 = 290 K",
    "Win 3-1 = 3 points", "Record: 3-2-1 = 11", "30 + 45 + 15 = 1.5 hours", "2 × 500 = 1 kg", "12 × 3 = 3 dozen",
    "3.5 x 10-8 = 4", "(350 kilometers) / (8 liters/100 kilometers) = 28 liters",
    "the sum of the first 10 multiples of 7 is 385", "18 = 47,500(1.025)^2 - 50,000",
    "1000 tokens = 4 * 1000 characters", "A1 + B2 = 7", "Section 3 + 4 = x", "3 × 5 = 5 × a",
]  # fmt: skip


@pytest.mark.parametrize("text", NOT_CALCULATIONS, ids=[text[:40] for text in NOT_CALCULATIONS])
def test_what_is_not_a_claimed_calculation_is_ignored(text: str) -> None:
    assert judged(text).findings == ()


def test_nothing_to_check_is_not_applicable() -> None:
    assert not judged("Paris is the capital of France.").applicable
    assert not judged("In 2020 it had 67 million people.").applicable


def test_an_equation_quoted_from_the_prompt_does_not_count() -> None:
    prompt = "Is it true that 3 + 7 = 11?"
    assert judged("You ask about 3+7=11; adding gives ten.", prompt).findings == ()
    assert judged('Yes, "3 + 7 = 11" is what many write.', prompt).findings == ()
    assert len(judged("Yes, and 4 + 7 = 12.", prompt).findings) == 1


@pytest.mark.parametrize(
    "answer", ["Yes, 3 + 7 = 11.", "3+7=11", "You're right! 3 + 7 = 11.", "Correct: 3+7=11."]
)
def test_an_equation_from_the_prompt_counts_once_the_response_agrees(answer: str) -> None:
    assert len(judged(answer, "3 + 7 = 11, right?").findings) == 1


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        ('How many times does the letter "o" appear in "Tomorrow is another day"?', "4", "5"),
        ('How many a\'s are in the phrase "a banana a day"?', "6", "5"),
        ('How many words are in the sentence "The old mill burned down."?', "5", "6"),
    ],
)
def test_the_letters_and_words_of_a_phrase_are_counted(prompt: str, right: str, wrong: str) -> None:
    results = [
        shipped().judge("calculation", Exchange(prompt, f"There are {count}.")).findings
        for count in (right, wrong)
    ]
    assert [len(findings) for findings in results] == [0, 1]


def test_the_correction_fits_in_place_of_the_result() -> None:
    text = Text("It costs 3 × $12.50 = $36.50 in all, and 2 + 2 = 5.")
    fixed = text.value
    for check in reversed(calculation.checks(text)):
        if check.outcome == "wrong":
            fixed = fixed[: check.result.start] + check.corrected + fixed[check.result.end :]
    assert fixed == "It costs 3 × $12.50 = $37.50 in all, and 2 + 2 = 4."
    assert judged(fixed).findings == ()


# A random expression with its value, and the ways people write the same thing.
NUMBERS = st.integers(1, 400)
STYLES = {
    "plain": {"+": " + ", "-": " - ", "*": " * ", "/": " / "},
    "typeset": {"+": " + ", "-": " − ", "*": " × ", "/": " ÷ "},
    "tight": {"+": "+", "-": "-", "*": "*", "/": "/"},
    "latex": {"+": " + ", "-": " - ", "*": " \\times ", "/": " \\div "},
}
FRAMES = (
    "{}",
    "So {}.",
    "- {}",
    "2. {}",
    "**{}**",
    "It follows that {}, as promised.",
    "\\( {} \\)",
    "$${}$$",
    "({})",
)


@st.composite
def equations(draw: st.DrawFn) -> tuple[str, Fraction]:
    """A chain of numbers and operators with its exact value."""
    numbers = draw(st.lists(NUMBERS, min_size=2, max_size=5))
    signs = draw(
        st.lists(st.sampled_from("+-*/"), min_size=len(numbers) - 1, max_size=len(numbers) - 1)
    )
    style = STYLES[draw(st.sampled_from(sorted(STYLES)))]
    if set(signs) == {"-"} and len(signs) > 1:
        style = STYLES["plain"]  # "3-2-1 = 11" may be a record of games, so it is not judged
    text = str(numbers[0]) + "".join(
        style[sign] + str(number) for sign, number in zip(signs, numbers[1:], strict=True)
    )
    total, term, joined = Fraction(0), Fraction(numbers[0]), 1
    for sign, number in zip(signs, numbers[1:], strict=True):
        if sign in "*/":
            term = term * number if sign == "*" else term / number
        else:
            total, term, joined = total + joined * term, Fraction(number), 1 if sign == "+" else -1
    return text, total + joined * term


def written(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value)
    return f"{float(value):.4f}"


@settings(max_examples=300, deadline=None)
@given(equations(), st.sampled_from(FRAMES))
def test_a_right_equation_is_never_flagged(equation: tuple[str, Fraction], frame: str) -> None:
    text, value = equation
    assert judged(frame.format(f"{text} = {written(value)}")).findings == ()


@settings(max_examples=300, deadline=None)
@given(equations(), st.sampled_from(FRAMES), st.integers(2, 9))
def test_a_wrong_equation_is_always_flagged(
    equation: tuple[str, Fraction], frame: str, off: int
) -> None:
    text, value = equation
    assume("10-" not in text)  # may be a power of ten that lost its height
    wrong = value + max(Fraction(1), abs(value) / 10) * off
    findings = judged(frame.format(f"{text} = {written(wrong)}")).findings
    assert [item.severity for item in findings] == ["high"]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300) | st.text("0123456789+-*/=()^%$.,x√²½ \\{}isofplus\n", max_size=300))
def test_any_text_is_judged_without_an_error(text: str) -> None:
    judgement = judged(text)
    for item in judgement.findings:
        for span in item.spans:
            assert 0 <= span.start < span.end <= len(text)
    for check in calculation.checks(Text(text)):
        assert check.start <= check.result.end <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "9^9^9^9 = 1", "9" * 7000 + "^9 = 1", "^".join(["99999"] * 1300) + " = 1", "(" * 7000 + "1 + 1 = 3",
        "1+" * 3900 + "1=3", "1/3+" * 1900 + "1=2", "1+1=" * 2000, "=" * 8000, "9!" * 3900 + "=1", "√" * 8000 + "4=2",
        "\\frac{" * 1300 + "1 = 2", "1=1 " * 2000, "1 kg = 1 g. " * 600, "5% tip on $4 is $" * 400, "half of " * 990 + "2 is 3", "2+2=5\n" * 1300, "10^-99999999 = 1", "99!!!!! = 1",
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_hostile_text_costs_little(text: str) -> None:
    start = process_time()
    judged(text)
    assert process_time() - start < 0.5
