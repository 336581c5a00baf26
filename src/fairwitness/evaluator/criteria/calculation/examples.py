"""Small exchanges with the verdict that calculation must give them."""

from fairwitness.evaluator.judgement import Example

EXAMPLES = (
    Example("The bill is 3 × $12.50 = $37.50, and with the tip $37.50 + $7.50 = $45.00.", "pass"),
    Example("The bill is 3 × $12.50 = $36.50.", "fail", why="3 × 12.50 is 37.50"),
    Example("So $\\frac{3}{4} + \\frac{1}{8} = \\frac{4}{12}$.", "fail", why="it is 7/8"),
    Example("20% of 50 is 10, and half of 30 is 15.", "pass"),
    Example("Twelve times fifteen is 75.", "fail", why="it is 180"),
    Example("1/3 = 0.33, and 2/3 ≈ 0.67.", "pass", why="as many decimals as are shown"),
    Example(
        "Each of us gets 100 / 7 = 14 sweets.",
        "pass",
        why="rounding that is not stated is a low finding only",
    ),
    Example("If 2 + 2 = 5, then anything follows.", "not_applicable", why="supposed, not claimed"),
    Example("Set x + 5 = 12 and solve.", "not_applicable", why="an unknown, not a result"),
    Example(
        "The match ended 3-1 and the screen is 16:9.", "not_applicable", why="a score and a ratio"
    ),
    Example(
        "- Rent: $1,200\n- Food: $400\n- Total: $1,700", "fail", why="the items add up to 1,600"
    ),
    Example("3 hours is 200 minutes.", "fail", why="it is 180"),
    Example("Two dozen roses is 60 dollars.", "not_applicable", why="a price, not a count"),
    Example(
        "It arrives at 17:05.",
        "fail",
        prompt="The train leaves at 14:50 and takes 2 hours 25 minutes. When does it arrive?",
        why="14:50 and 2 h 25 min make 17:15",
    ),
    Example("9.11 is larger than 9.9.", "fail", why="9.9 is larger"),
    Example(
        "| Item | Cost |\n|---|---|\n| Rent | 900 |\n| Food | 350 |\n| Total | 1,350 |",
        "fail",
        why="the column adds up to 1,250",
    ),
    Example("Sales rose from 50 to 75, which is a 50% increase.", "pass"),
)
