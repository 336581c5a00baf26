"""Small exchanges with the verdict this criterion must give them; tests and docs read these."""

from __future__ import annotations

from fairwitness.evaluator.judgement import Example

EXAMPLES = (
    Example(
        prompt="Describe the sea in exactly two sentences and do not use any commas.",
        response="The sea is wide and grey. It never keeps still.",
        expect="pass",
        why="both demands are met",
    ),
    Example(
        prompt="List three fruits as exactly 3 bullet points.",
        response="- apple\n- pear\n- plum",
        expect="pass",
        why="three bullets were asked for and three are there",
    ),
    Example(
        prompt='Say hello to Ada. End your reply with "See you soon."',
        response="Hello Ada! See you soon.",
        expect="pass",
        why="the last words are the ones asked for",
    ),
    Example(
        prompt="Why is the sky blue? Answer in all lowercase letters.",
        response="Because air scatters blue light more than red.",
        expect="fail",
        why="the only demand is not met: there is a capital letter",
    ),
    Example(
        prompt='Write a note to a friend. Include the keywords "bread" and "river".',
        response="I walked along the river today and thought of you.",
        expect="fail",
        why="one of the two words is missing, and it is the only demand",
    ),
    Example(
        prompt="Give me the capital of France as JSON and nothing else.",
        response="The capital of France is Paris.",
        expect="fail",
        why="prose instead of JSON",
    ),
    Example(
        prompt="Name a bird. Use fewer than 5 words and do not use commas.",
        response="One bird I like is the wren.",
        expect="needs_review",
        why="one of two demands is met",
    ),
    Example(
        prompt="Write a 40-word note about rain.",
        response="Rain fell all night. It filled the barrels and the ditches. In the morning the "
        "road shone. We stayed inside and read.",
        expect="needs_review",
        why="a round figure is missed, though not by half",
    ),
    Example(
        prompt="Give me exactly 4 fruits.",
        response="1. Apple\n2. Pear\n3. Plum",
        expect="fail",
        why="clearly a list, and one thing short",
    ),
    Example(
        prompt="Give me exactly 4 fruits.",
        response="I like apples most, and my sister likes pears.",
        expect="not_applicable",
        why="what is no list cannot be counted",
    ),
    Example(
        prompt="Explain why tweets must be under 280 characters.",
        response="It was once the length of a text message.",
        expect="not_applicable",
        why="the length is asked of tweets, not of the response",
    ),
    Example(
        prompt="Summarise this 500 word essay for me.",
        response="It says that rivers matter.",
        expect="not_applicable",
        why="the number describes the essay, not the response",
    ),
    Example(
        prompt="What is the tallest mountain?",
        response="Mount Everest.",
        expect="not_applicable",
        why="nothing in the prompt can be checked by rule",
    ),
    Example(
        "Try scrambled eggs on toast.",
        "fail",
        prompt="I'm vegan. Suggest a quick breakfast.",
        why="eggs",
    ),
    Example(
        "Oats with almond milk.",
        "pass",
        prompt="I'm vegan. Suggest a quick breakfast.",
        why="no milk of animals",
    ),
    Example(
        "Good luck with the exam!",
        "fail",
        prompt="Write a note to my sister. Don't mention the exam.",
    ),
)
