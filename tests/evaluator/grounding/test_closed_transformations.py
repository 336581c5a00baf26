"""What is taken out of a text, sorted, grouped or put into another form: everything, in order, each value at its record."""

from __future__ import annotations

import pytest

from tests.evaluator.grounding.accusing import accused

LETTER = (
    '\n\n"Dear team, parcel KX-2201 left on 4 July 2025 and KX-2207 on 6 July 2025; we paid €88.20 plus €7.10 for the box. '
    "Ask nora@post.example or +43 1 555 0182 (fax 01 555 0199), and see https://post.example/where and www.post.example/faq. "
    '#parcels #Summer. Paul has 555-0164 and paul.ritt@post.example. KX-2255 follows on 2 August."'
)
RENTS = "Sort these boats by the price for a day, cheapest first:\n- Sea Fern: $140\n- Old Otter: $1,020\n- Little Wren: $75\n- Blue Heron: $310"
TICKETS = "Put the following reports under Hardware or Software.\n\nR-31: screen flickers\nR-32: app crashes\nR-33: fan is loud\nR-34: login loops\nR-35: key is stuck"
RIDERS = (
    "Turn my notes into a Markdown table with the columns Rider, Town, Rounds, Paid.\n\n"
    '"Ines Mota from Porto rode 14 rounds and has paid. Karl Rein came from Graz; he did 9 rounds and has not paid. '
    'Third was Owen Pyke, Cardiff, with 11 rounds, paid. Suki Arai of Osaka managed 17 rounds, unpaid so far."'
)
TOOLS = "Convert these lines to JSON.\n\n- Drill, 2 pieces, shelf A4\n- Rake, 5 pieces, shelf B1\n- Spade, 3 pieces, shelf A2\n- Hoe, 7 pieces, shelf C9"


def table(*rows: str) -> str:
    return "\n".join(["| Rider | Town | Rounds | Paid |", "|---|---|---|---|", *rows])


def tools(*rows: tuple[str, int, str]) -> str:
    objects = ", ".join(
        f'{{"tool": "{name}", "count": {count}, "shelf": "{shelf}"}}' for name, count, shelf in rows
    )
    return f"[{objects}]"


INES, KARL = "| Ines Mota | Porto | 14 | yes |", "| Karl Rein | Graz | 9 | no |"
OWEN, SUKI = "| Owen Pyke | Cardiff | 11 | yes |", "| Suki Arai | Osaka | 17 | no |"
DRILL, RAKE, SPADE, HOE = (
    ("Drill", 2, "A4"),
    ("Rake", 5, "B1"),
    ("Spade", 3, "A2"),
    ("Hoe", 7, "C9"),
)


@pytest.mark.parametrize(
    ("request_", "response", "item"),
    [
        ("Copy out every e-mail address from the letter below.", "nora@post.example", "paul.ritt@post.example"),
        ("List all tracking numbers in the message below.", "KX-2201, KX-2207", "KX-2255"),
        ("Find all the dates mentioned in the text below, one per line.", "2025-07-04\n2025-07-06", "2 August"),
        ("Give me all URLs in the text below.", "https://post.example/where", "www.post.example/faq"),
        ("Pull out all phone numbers from the message below.", "+43 1 555 0182", "555-0164"),
        ("Extract all hashtags from the post below.", "#parcels", "#Summer"),
        ("Extract all money amounts from the text below.", "€88.20", "€7.10"),
        ("List every e-mail address and every phone number in the text below.",
         "nora@post.example, paul.ritt@post.example; +43 1 555 0182", "555-0164"),
    ],
)  # fmt: skip
def test_what_was_to_be_extracted_and_is_not_there(request_: str, response: str, item: str) -> None:
    assert accused(request_ + LETTER, response) == [
        f"The list leaves out “{item}”, which is in the source."
    ]


def test_what_is_listed_and_stands_nowhere() -> None:
    prompt = "Copy out every e-mail address from the letter below." + LETTER
    response = "nora@post.example\npaul.ritt@post.example\nida@mail.example"
    assert accused(prompt, response) == ["Lists “ida@mail.example”, which is not in the source."]


@pytest.mark.parametrize(
    ("request_", "response"),
    [
        ("Copy out every e-mail address from the letter below.", "- **Nora@post.example**\n- paul.ritt@post.example."),
        ("Copy out every e-mail address from the letter below, except Nora's.", "paul.ritt@post.example"),
        ("List all e-mail addresses of the suppliers in the letter below.", "nora@post.example"),
        ("Extract the sender's e-mail address from the letter below.", "nora@post.example"),
        ("Extract the date from the letter below.", "4 July 2025"),
        ("List all tracking numbers in the message below.", "KX-2201\nKX-2207\nKX-2255"),
        ("Find all the dates mentioned in the text below.", "07/04/2025, 07/06/2025 and 08/02"),
        ("Pull out all phone numbers from the message below.", "01 555 0182\n5550164\n01 555 0199 (fax)"),
        ("Give me all links in the text below.", "[Where](https://post.example/where), [FAQ](https://www.post.example/faq)"),
        ("Extract all hashtags from the post below.", "parcels and Summer"),
        ("Copy out every e-mail address from the letter below.", "nora@post.example (I left out paul's)"),
    ],
)  # fmt: skip
def test_what_is_extracted_in_another_form_or_in_part_as_asked(
    request_: str, response: str
) -> None:
    assert not accused(request_ + LETTER, response)


@pytest.mark.parametrize(
    ("prompt", "response", "message"),
    [
        (RENTS, "1. Little Wren – $75\n2. Blue Heron – $310\n3. Sea Fern – $140\n4. Old Otter – $1,020",
         "Not in the requested order: “Sea Fern” comes after “Blue Heron”."),
        (RENTS, "Little Wren, Sea Fern, Old Otter, Blue Heron", "Not in the requested order: “Blue Heron” comes after “Old Otter”."),
        (RENTS, "1. Little Wren\n2. Sea Fern\n3. Blue Heron", "The list leaves out “Old Otter”."),
        ("Arrange the following from newest to oldest.\n\nBazaar, 12 April 2023\nNew roof, 3 January 2022\nFirst day, 30 June 2019\nFlood, 14 November 2021",
         "Bazaar\nFlood\nNew roof\nFirst day", "Not in the requested order: “New roof” comes after “Flood”."),
        ("Sort these from lowest to highest: Oslo -4°C, Rome 12°C, Cairo 19°C, Minsk -11°C",
         "Oslo, Minsk, Rome, Cairo", "Not in the requested order: “Minsk” comes after “Oslo”."),
        (TICKETS, "Hardware\n- R-31\n- R-35\n\nSoftware\n- R-32\n- R-34", "The list leaves out “R-33”."),
        (TOOLS, tools(DRILL, RAKE, HOE), "The list leaves out “Spade”."),
    ],
)  # fmt: skip
def test_records_out_of_order_or_lost(prompt: str, response: str, message: str) -> None:
    assert message in accused(prompt, response)


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        (RENTS, "| Boat | Price |\n|---|---|\n| Little Wren | $75 |\n| Sea Fern | $140 |\n| Blue Heron | $310 |\n| Old Otter | $1,020 |\n\nLittle Wren is the cheapest."),
        (RENTS + "\n\nShow only the top two.", "Little Wren, Sea Fern"),
        ("Put these events in chronological order:\n- Battle of Actium: 31 BC\n- Death of Caesar: 44 BC\n- Fall of Rome: 476\n- Nicaea: 325",
         "1. Death of Caesar (44 BC)\n2. Battle of Actium (31 BC)\n3. Nicaea (325)\n4. Fall of Rome (476)"),
        ("Sort the following from lowest to highest: Tea £2.50; Coffee £3; Iced Tea £3.20; Water £1", "Water, Tea, Coffee, Iced Tea"),
        ("Sort these planets from largest to smallest: Earth 12,756 km, Mars 6,792 km, Venus 12,104 km, Saturn 120,536 km",
         "Saturn (120,536 km), Earth (12,756 km), Venus (12,104 km), Mars (6,792 km)"),
        ("Rank these runners from fastest to slowest: Ada 12.4 s, Ben 11.9 s, Cleo 13.0 s, Dov 12.1 s", "Ben, Dov, Ada, Cleo"),
        ("Sort these from coldest to warmest: Oslo -4, Rome 12, Cairo 19, Minsk -11", "Minsk, Oslo, Rome, Cairo"),
        (TICKETS, "**Hardware**: R-31, R-33, R-35\n**Software**: R-32, R-34\n\nR-33 may also be dust."),
        (TICKETS + "\n\nLeave out what is only annoying.", "**Hardware**: R-31, R-35\n**Software**: R-32, R-34"),
    ],
)  # fmt: skip
def test_records_in_order_and_groups_that_are_whole(prompt: str, response: str) -> None:
    assert not accused(prompt, response)


@pytest.mark.parametrize(
    ("prompt", "response", "messages"),
    [
        (RIDERS, table(INES, KARL.replace("no", "yes"), OWEN, SUKI), ["States “yes” where the source has “has not paid” for this record."]),
        (RIDERS, table(INES, KARL.replace("Graz", "Porto"), OWEN, SUKI), ["States “Porto” where the source has “Graz” for this record."]),
        (RIDERS, table(INES, KARL.replace("9", "11"), OWEN.replace("11", "9"), SUKI),
         ["States “11” where the source has “9” for this record.", "States “9” where the source has “11” for this record."]),
        (TOOLS, tools(DRILL, ("Rake", 5, "A2"), ("Spade", 3, "B1"), HOE),
         ["States “A2” where the source has “B1” for this record.", "States “B1” where the source has “A2” for this record."]),
        ("Make a CSV with family,room,guests out of this message:\n\nHi, the Bauers have the Blue Room, four people. In the Rose Room there will be the "
         "Lopez family, 3 guests. Two for the Nakamuras, who get the Garden Room. And the Olsens (5) take the Attic.",
         "family,room,guests\nBauer,Blue Room,4\nLopez,Garden Room,3\nNakamura,Rose Room,2\nOlsen,Attic,5",
         ["States “Garden Room” where the source has “Rose Room” for this record.",
          "States “Rose Room” where the source has “Garden Room” for this record."]),
    ],
)  # fmt: skip
def test_a_value_of_another_record(prompt: str, response: str, messages: list[str]) -> None:
    assert accused(prompt, response) == messages


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        (RIDERS, table(INES, KARL, OWEN, SUKI)),
        (RIDERS, table(SUKI, OWEN, KARL, INES)),
        (TOOLS, tools(DRILL, RAKE, SPADE, HOE)),
        ("Turn this into a table with dish, price, total for 2 of each:\n\nTea costs £2. Cake costs £4. Soup costs £8. Pie costs £3.",
         "| dish | price | total |\n|---|---|---|\n| Tea | £2 | £4 |\n| Cake | £4 | £8 |\n| Soup | £8 | £16 |\n| Pie | £3 | £6 |"),
        ("Make a table with bird and place.\n\nFirst stop was Reed Pond. There I saw coots. After that came Hill Wood. Lots of nuthatches. Last was Old Quarry. Some martins.",
         "| bird | place |\n|---|---|\n| coots | Reed Pond |\n| nuthatches | Hill Wood |\n| martins | Old Quarry |"),
        ("Make a table of my shifts with day, place and hours.\n\nOn Monday I worked 5 hours at the Harbour Cafe. Tuesday was the same place for 6 hours. "
         "Wednesday I did 4 hours at the Mill Shop.",
         "| day | place | hours |\n|---|---|---|\n| Monday | Harbour Cafe | 5 |\n| Tuesday | Harbour Cafe | 6 |\n| Wednesday | Mill Shop | 4 |"),
        ("Convert to JSON with name, member, age.\n\nLia is a member and 30. Mo was a member until 2020 and is 41. Ned is not yet a member at 25.",
         '[{"name":"Lia","member":true,"age":30},{"name":"Mo","member":false,"age":41},{"name":"Ned","member":false,"age":25}]'),
        ("Turn these notes into a table and merge duplicate entries.\n\n- Anna, 3 boxes\n- Ann, 2 boxes\n- Carl, 1 box\n- Dan, 4 boxes",
         "| Name | Boxes |\n|---|---|\n| Anna | 5 |\n| Carl | 1 |\n| Dan | 4 |"),
    ],
)  # fmt: skip
def test_records_as_the_source_has_them(prompt: str, response: str) -> None:
    assert not accused(prompt, response)
