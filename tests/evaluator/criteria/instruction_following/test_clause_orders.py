"""Short clauses that order something, in whatever sentence they stand; and clauses that only tell of an order."""

from __future__ import annotations

import time

import pytest

from fairwitness.evaluator.criteria.instruction_following import check, demands
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.text import Text

POEM = "Grey clouds drift over the hill.\nA gull calls once."
KETTLES = "Fill the pan. Salt the water. Boil the pasta for nine minutes."

# The kind of the demand, its prompt, a response that meets it and one that does not.
ORDERS: tuple[tuple[str, str, str, str], ...] = (
    # Words to avoid or to keep.
    ("forbidden_words", 'We have to move the party, but don\'t use the word "cancelled". Write the notice.', "The party moves to May.", "The party is cancelled until May."),
    ("forbidden_words", "I'm shy about it, so please avoid the word salary. Write to my boss.", "Could we talk about my pay?", "Could we talk about my salary?"),
    ("forbidden_words", 'My aunt is hard of hearing, and don\'t say the phrase "speak up". Draft a card for her.', "Dear aunt, see you soon.", "Dear aunt, just tell me to speak up."),
    ("forbidden_words", 'Write a club report, third person, no "I" or "my".', "The club met in June.", "I met the club in June."),
    ("forbidden_words", 'The newsletter is for members. Draft the text, with no "dear".', "Members, the hall opens at nine.", "Dear members, the hall opens at nine."),
    ("forbidden_words", 'It is an ad for soap, so no "best" and no "cheapest". Write it.', "Soap that smells of pine.", "The best soap in town."),
    ("forbidden_words", "Describe the flat. Avoid words like cosy, quaint or charming.", "A small flat with two rooms.", "A cosy flat with two rooms."),
    ("forbidden_words", 'Write about our shop, but no buzzwords such as "synergy" or "leverage".', "We sell shoes.", "We leverage our shoes."),
    ("forbidden_words", "Explain interest to my son. Don't use terms like compound, principal and yield.", "The bank pays you for waiting.", "The principal grows each year."),
    ("required_words", 'Put this into English but keep the word "Gemütlichkeit" as it is: Wir lieben Gemütlichkeit.', "We love Gemütlichkeit.", "We love cosiness."),
    ("required_words", 'Translate the menu into English, leave "Spätzle" untranslated.', "Cheese Spätzle", "Cheese noodles"),
    ("required_words", 'Shorten my note and keep the names "Ada" and "Bo" unchanged.', "Ada met Bo.", "Ada met Bob."[:8] + "him."),
    # How not to start.
    ("starts_with", 'Tell me something odd about snails. Don\'t start with "Fun fact".', "Snails can sleep for years.", "Fun fact: snails can sleep for years."),
    ("starts_with", 'I need a mail to the landlord, but please don\'t begin with "I hope this finds you well".', "Dear Mr Noll,\n\nThe tap drips.", "Dear Mr Noll,\n\nI hope this finds you well. The tap drips."),
    ("starts_with", 'Write a toast for Ben. Never open with "Ladies and gentlemen" or "Dear guests".', "Ben, you old fox!", "Dear guests, this is Ben."),
    ("starts_with", 'Write a caption for the photo, and don\'t start it with the words "Check out".', "Sun on the pier.", "**Check out** the pier."),
    # Facts and things to leave out.
    ("topic", "Write a note to my landlord. Don't mention that we have two cats.", "We would like to renew the lease.", "We and our two cats would like to stay."),
    ("topic", "Draft my bio, but don't mention the fact that I was suspended from school.", "I love chess and rowing.", "After I was suspended from school, I took up chess."),
    ("topic", "Please write to Mia. Don't reveal that I'm pregnant, she should hear it in person.", "Shall we meet on Sunday?", "I'm pregnant! Shall we meet?"),
    ("topic", "Write a reference for Tom without mentioning that he failed his driving test.", "Tom is always on time.", "Despite his driving test, Tom is on time."),
    ("excluded_items", "Suggest three outings near Graz, no castles please.", "1. Lake Thal\n2. The zoo in Herberstein\n3. A walk", "1. Lake Thal\n2. Riegersburg Castle\n3. A walk"),
    ("excluded_items", "What should we do in Oslo for a day? No museums, we saw them all.", "- **Opera roof**: a walk\n- **Café by the Munch Museum**: coffee", "- **Opera roof**: a walk\n- **Museum of Cultural History**: Vikings"),
    ("excluded_items", "Top 4 things to do in Bern, no churches please, we saw enough", "1. **Walk by the river.** It's lovely.\n2. **Old town.** Near a church.", "1. **Climb the tower of the church.** It's lovely.\n2. **Old town.** Busy."),
    ("excluded_items", "Give me gift ideas for a neighbour (no candles).", "- A jar of honey\n- A candlestick", "- A jar of honey\n- Two scented candles"),
    # Numbering.
    ("forbidden_marks", "Six words for rain, one per line, no numbering", "drizzle\nshower", "1. drizzle\n2. shower"),
    ("forbidden_marks", "List the moons of Mars without numbering or bullets.", "Phobos\nDeimos", "- Phobos\n- Deimos"),
    ("forbidden_marks", "Name some herbs. Just the names, no bullets or numbering please.", "sage\nthyme", "1. sage\n2. thyme"),
    ("forbidden_marks", "Names of four winds, each on its own line. Don't number them.", "Bora\nMistral", "1. Bora\n2. Mistral"),
    ("numbered_steps", "How do I cook pasta? Numbered steps please.", "1. Fill the pan.\n2. Boil.", KETTLES),
    ("numbered_steps", "Tell me how to cook pasta, in numbered steps.", "**Step 1:** Fill the pan.\n**Step 2:** Boil.", KETTLES),
    ("numbered_steps", "Explain how pasta is cooked as numbered instructions.", "### 1. Fill\nWater.\n### 2. Boil\nNine minutes.", KETTLES),
    # Lengths.
    ("sentence_count", "why do cats purr? 2-3 sentences max", "They are calm. Or ill.", "One. Two is here. Three is here. Four is here."),
    ("sentence_count", "Sum up Hamlet for me? Like two or three sentences, tops.", "A prince doubts. All die.", "He doubts. He waits. He fights. All of them die."),
    ("sentence_count", "Review of a bakery I liked. Honest, plain, 2 to 4 sentences, max.", "Good bread. Kind staff.", "Good. Kind. Warm. Cheap. Near."),
    ("word_count", "a one-word answer: is a whale a fish?", "No", "No, it is a mammal"),
    ("word_count", "Is Lyon north of Nice? One word answer please.", "Yes.", "Yes, it is."),
    ("word_count", "What is the capital of Peru? Single-word answer only.", "Lima", "It is Lima"),
    # First letters.
    ("item_initial", "Think of names for a boat. They should all start with M.", "- Mara\n- The Mistral\n- Moby", "- Mara\n- Storm\n- Moby"),
    ("item_initial", "I need a list of spices, all beginning with the letter C.", "cumin\ncloves", "cumin\npepper"),
    ("item_initial", "Suggest dog names that all start with 'B'.", "Bella, Bruno and Bo", "Bella, Rex and Bo"),
    # Years.
    ("dated_order", "Which Olympic summer games were held in Asia? Newest first.", "- Tokyo 2020\n- Beijing 2008\n- Seoul 1988", "- Seoul 1988\n- Beijing 2008\n- Tokyo 2020"),
    ("dated_order", "List the Dune films, oldest first.", "1. Dune (1984)\n2. Dune (2021)", "1. Dune (2021)\n2. Dune (1984)"),
    ("dated_order", "Give me the main events of the moon race in chronological order.", "- 1957: Sputnik\n- 1969: Apollo 11", "- 1969: Apollo 11\n- 1957: Sputnik"),
    ("dated_order", "List her albums in reverse chronological order.", "- Home (2019)\n- Away (2011)", "- Away (2011)\n- Home (2019)"),
    ("year_start", "Give me a timeline of radio, with the year at the start of each line.", "1895 – Marconi\n1920 – first station", "Marconi in 1895\nfirst station in 1920"),
    ("year_start", "List the treaties. Put the year at the beginning of every line.", "- 1648: Münster\n- 1815: Vienna", "- Münster, 1648\n- Vienna, 1815"),
    ("year_start", "Write down the wars of the Roses; each entry should start with the year.", "1455: St Albans\n1485: Bosworth", "St Albans, 1455\nBosworth, 1485\nStoke, 1487"),
    # Headings, columns and rows.
    ("headings", "Give me tips for a move, grouped under the headings Before, During and After.", "## Before\n- Pack\n\n## During\n- Lift\n\n## After\n- Rest", "- Pack\n- Lift\n- Rest"),
    ("headings", 'Describe the town using the headings "History", "Food" and "Walks".', "**History**\nOld.\n\n**Food:** Fish.\n\n1. Walks\nMany.", "**History**\nOld.\n\n**Food**\nFish."),
    ("headings", "Sort these chores into two headings: Daily and Weekly.", "Daily\n- dishes\nWeekly\n- windows", "- dishes\n- windows"),
    ("only_columns", 'Make a table with the columns "City" and "River".', "| City | River |\n|---|---|\n| Ulm | Danube |", "| City | River | Length |\n|---|---|---|\n| Ulm | Danube | 2850 |"),
    ("only_columns", 'I need a table with exactly the columns "Tree", "Height" and "Leaf".', "| # | Tree | Height | Leaf |\n|---|---|---|---|\n| 1 | Oak | 30 | lobed |", "| Tree | Height | Leaf | Note |\n|---|---|---|---|\n| Oak | 30 | lobed | - |"),
    ("only_columns", 'Please put it in a table with columns “Day” and “Task”.', "| Day | Task |\n|---|---|\n| Mon | Wash |", "| Day | Task | Who |\n|---|---|---|\n| Mon | Wash | Al |"),
    ("row_count", "CSV with two made-up users, header name,age", "name,age\nAl,3\nBo,4", "name,age\nAl,3\nBo,4\nCy,5"),
    ("row_count", "Return a JSON array of three fictional books.", '[{"t": "A"}, {"t": "B"}, {"t": "C"}]', '[{"t": "A"}, {"t": "B"}]'),
    ("row_count", "Give me four countries in a table with their capitals.", "| Country | Capital |\n|---|---|\n| A | a |\n| B | b |\n| C | c |\n| D | d |", "| Country | Capital |\n|---|---|\n| A | a |\n| B | b |\n| C | c |"),
)  # fmt: skip

# Orders that somebody else has given, or that are spoken of: none is made on the response.
TOLD = (
    'My teacher says: don\'t use the word "nice". Is she right?',
    'Our style guide is strict: never open with "Dear". Is that common?',
    'The editor told me, don\'t start with "So". Why would that matter?',
    'Why do recruiters tell people, never begin with "I"?',
    "My lawyer told me: don't mention that I was drinking. Can he ask that?",
    "Don't mention that I was drinking, my lawyer says. Is that legal?",
    'The page shows a list with a header, no "back" or "next". Is that bad design?',
    "The contest has odd rules, no museums please, it said. What could they mean?",
    "He always replies with a one-word answer. What does it mean?",
    "My abstract has to be short, 2-3 sentences max, and mine has five. Is that bad?",
    "Their blog shows posts, newest first. How can I change that in WordPress?",
    "Write a SQL query that returns the orders, newest first.",
    "Write a Python script that prints the names, one per line, no numbering.",
    "The form sorts dates in chronological order. Why?",
    "In our club the boats' owners choose names. Why did all of them choose one starting with S?",
    "The recipe comes in numbered steps. Is that usual for old cookbooks?",
    'The teacher wants a table with the columns "A" and "B". How do I draw one in Word?',
    "My boss wants a CSV with three customers. Which program opens that?",
    "My report is grouped under the headings Sales, Costs and Plans. Is that a good idea?",
    'Proofread this: "Please don\'t use the word nice, 2-3 sentences max."',
    "What has a bed, no pillows, and runs all day?",
    "I want a flat with two rooms, no balconies. What will it cost?",
    "She texted: don't mention that I was suspended from school. Should I lie?",
    "Write it as prose, not as numbered steps.",
    "Give tips on interviews, e.g. don't mention that I got divorced.",
    "Make a quiz on rivers. Numbered questions, one word answer.",
    'We love the band, but don\'t use the word "loud" in the title.',
    "What are good names starting with the letter Z, and why are they rare?",
    "Is snow white? Not a one word answer please, explain.",
    "Give me pros and cons of scooters in a table with two rows each.",
    "List books on Rome, but not in chronological order.",
    "Explain how a JSON array of three objects is stored.",
    'Add a column "C" to the table with the columns "A" and "B".',
    "They should all start with a warm-up. Plan my training week.",
    "Write an apology for the data leak: 300 names, no passwords. List what users should do.",
)

# What of the response a check leaves alone: it is no one list, or it is only near to what was ruled out.
LET_BE = (
    ("Name films by Kubrick, oldest first.", "His films range from 1953 to 1999."),
    ("Name rulers of Spain, newest first.", "- Juan Carlos (1975–2014)\n- Felipe (2014–today)"),
    ("Name a fruit and a country that begin with the letter K.", "- Fruit: kiwi\n- Country: Kenya"),
    ("Put my jobs in reverse chronological order.", "**Work**\n- Chef, 2015\n\n**School**\n- Diploma, 2019"),
    ("I need names for a boat. They should all start with M.", "How big is the boat?"),
    ("Suggest outings near Graz, no castles please.", "1. A walk below the castle\n2. Castle Street market\n3. Lake (no castle)"),
    ('Write a table with the columns "City" and "River".', "I have no data on this."),
    ("Return a JSON array of three fictional books.", "I cannot do that."),
    ("Describe tea and coffee; give me two drinks in a table.", "| | Tea | Coffee |\n|---|---|---|\n| Price | 1 | 2 |\n| Taste | mild | strong |\n| Heat | hot | hot |"),
    ("Give me four countries in a table with their area.", "| Country | Area |\n|---|---|\n| A | 1 |\n| B | 2 |\n| C | 3 |\n| D | 4 |\n| **Total** | 10 |"),
    ('Tell me about snails. Don\'t start with "So".', "Some snails can sleep for years."),
)  # fmt: skip

_NEW = frozenset(kind for kind, *_ in ORDERS)


@pytest.mark.parametrize(("kind", "prompt", "right", "wrong"), ORDERS)
def test_orders(kind: str, prompt: str, right: str, wrong: str) -> None:
    found = [demand for demand in demands(Text(prompt)) if demand.kind == kind]
    # A mark that another family reads is a demand of its own.
    assert len(found) == 1 or (found and kind == "forbidden_marks")
    assert all(0 <= one.span.start < one.span.end <= len(prompt) for one in found)
    for response, met in ((right, True), (wrong, False)):
        outcomes = [check(demand, Exchange(prompt, response)) for demand in found]
        assert all(outcome.met for outcome in outcomes) is met, outcomes
        assert not any(outcome.unchecked for outcome in outcomes)
        spans = [span for outcome in outcomes for span in outcome.spans]
        assert all(0 <= span.start < span.end <= len(response) for span in spans)


@pytest.mark.parametrize("prompt", TOLD)
def test_told_only(prompt: str) -> None:
    assert [demand for demand in demands(Text(prompt)) if demand.kind in _NEW] == []


@pytest.mark.parametrize(("prompt", "response"), LET_BE)
def test_let_be(prompt: str, response: str) -> None:
    outcomes = [
        check(demand, Exchange(prompt, response))
        for demand in demands(Text(prompt))
        if demand.kind in _NEW
    ]
    assert all(outcome.met or outcome.unchecked for outcome in outcomes), outcomes


@pytest.mark.parametrize(
    "piece",
    [
        "no a, ",
        "don't use the word \"",
        "don't mention that i was ",
        "with the headings A, ",
        "two or 3 sentences, ",
        "newest first, ",
        'table with the columns "a", ',
        "csv, 3 rows in a table ",
    ],
)
def test_hostile_prompts_take_little_time(piece: str) -> None:
    prompt = piece * (200_000 // len(piece))
    started = time.process_time()
    demands(Text(prompt))
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("prompt", "piece"),
    [
        ("Suggest outings, no castles please.", "- castle of "),
        ("Name films, oldest first.", "- 1999\n"),
        ("Tell me of it using the headings Sea, Sky and Sun.", "|"),
        ("Return a JSON array of three fictional books.", "["),
        ('Make a table with the columns "A" and "B".', "|-|-|\n"),
    ],
)
def test_hostile_responses_take_little_time(prompt: str, piece: str) -> None:
    exchange = Exchange(prompt, piece * (300_000 // len(piece)))
    started = time.process_time()
    for demand in demands(exchange.prompt):
        check(demand, exchange)
    assert time.process_time() - started < 10
