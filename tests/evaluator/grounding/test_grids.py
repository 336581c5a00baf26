"""Tables of every form, and what responses state of their cells, extremes, bands and marks."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.criteria.grounding import claims
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.facts.grid_labels import Labels
from fairwitness.evaluator.facts.grid_values import Values
from fairwitness.evaluator.facts.grid_words import tokens_of
from fairwitness.evaluator.facts.grids import grids_of
from fairwitness.evaluator.given import given
from fairwitness.evaluator.text import Region, Text

FERRY = """Ferry times, summer:

| Pier | Boat 1 | Boat 2 | Boat 3 |
|---|---|---|---|
| Northquay | 09:10 | 11:40 | 15:05 |
| Gull Island | 09:45 | 12:15 | 15:40 |
| Saltmouth | 10:20 | 12:50 | 16:15 |

"""
CAMP = """pitch,nights,adults,fee,power
A1,3,2,66.00,yes
A2,1,4,38.00,no
B1,5,2,105.00,yes
B2,2,3,54.00,no
C4,7,1,98.00,yes

"""
TEMP = """City | Mon | Tue | Wed | Thu
Bergen | 9 | 11 | 8 | 12
Porto | 21 | 19 | 23 | 22
Turku | 4 | 6 | 5 | 3
Split | 18 | 20 | 17 | 19

"""
LAPTOP = """Nimbus 13: 1.1 kg, 14 h battery, 16 GB, $1,199
Forge 15: 1.9 kg, 9 h battery, 32 GB, $1,499
Pebble 11: 0.9 kg, 11 h battery, 8 GB, $649
Atlas 14: 1.4 kg, 12 h battery, 16 GB, $999

"""
ROTA = """Clinic rota:

| | Monday | Tuesday | Wednesday |
|---|---|---|---|
| Reception | Priya | Tom | Priya |
| Triage | Tom | Elif | Gwen |
| Pharmacy | Elif | Gwen | Tom |

"""
POST = """Weight,Second class,First class
up to 100 g,0.85,1.35
101 to 250 g,1.40,2.10
251 to 500 g,1.90,2.75
501 to 1000 g,2.60,3.60

"""
SALES = """Branch | Q1 | Q2 | Q3 | Q4
Leeds | 410 | 395 | 430 | 480
York | 220 | 260 | 240 | 255
Hull | 180 | 175 | 190 | 210

"""
GYM = """| Class | Day | Start | Room | Places | Beginners |
|---|---|---|---|---|---|
| Spin | Tue | 18:00 | 2 | 20 | no |
| Yoga | Wed | 19:15 | 1 | 14 | yes |
| Boxing | Thu | 18:30 | 3 | 16 | no |
| Pilates | Sat | 10:00 | 1 | 12 | yes |
| Stretch | Sun | 11:30 | 1 | 18 | yes |

"""
BOOKS = """Here are the titles we stock:

- Tidewater, Ilse Maartens, 2016, 312 pages, €18
- The Glass Orchard, Ben Okri-Hale, 2019, 268 pages, €15
- Low Country, Ilse Maartens, 2021, 404 pages, €22
- Winter Ledger, Asta Brandt, 2018, 190 pages, €12

"""
TWO = """North store:

| Item | Stock | Price |
|---|---|---|
| Hammer | 12 | 14.50 |
| Saw | 7 | 19.00 |
| Drill | 3 | 89.00 |

South store:

| Item | Stock | Price |
|---|---|---|
| Hammer | 4 | 15.00 |
| Saw | 9 | 18.50 |
| Drill | 0 | 85.00 |

"""
YEARS = """| Country | 2019 | 2020 | 2021 | 2022 |
|---|---|---|---|---|
| Norway | 5.33 | 5.37 | 5.39 | 5.43 |
| Iceland | 0.36 | 0.36 | 0.37 | 0.38 |
| Finland | 5.52 | 5.53 | 5.54 | 5.55 |

Population in millions.

"""
PLANS = """| | Basic | Plus | Pro |
|---|---|---|---|
| Storage | 10 GB | 100 GB | 1 TB |
| Users | 1 | 5 | 25 |
| Support | email | chat | phone |
| Offline mode | no | yes | yes |
| Monthly price | $4 | $9 | $29 |

"""
MEALS = """Lunch counts this week:
Monday: 48 meals, 9 vegetarian
Tuesday: 52 meals, 14 vegetarian
Wednesday: 39 meals, 11 vegetarian
Thursday: 61 meals, 8 vegetarian
Friday: 44 meals, 20 vegetarian

"""
TRAIN = """Dep    Train   To        Platform
08:04  IC 201  Graz      3
08:21  RE 17   Leoben    1
09:02  IC 203  Graz      4
09:40  S 8     Bruck     2

"""
MEM = """name;joined;fee paid;boat
Vera Lund;2011;yes;Seal
Odd Berg;2018;no;Tern
Mika Aho;2020;yes;-
Stina Ek;2015;no;Puffin
Jens Holm;2009;yes;Auk

"""


KIT = """Room measurements and flooring quote:

| Room | Length (m) | Width (m) | Carpet (£) | Laminate (£) |
|---|---|---|---|---|
| Hall | 5.2 | 1.4 | 182 | 236 |
| Study | 3.1 | 2.8 | 217 | 282 |
| Lounge | 5.2 | 4.1 | 533 | 693 |
| Box room | 2.4 | 2.1 | 126 | 164 |

"""
DOSE = """Syrup, single dose by age:
under 2 years: do not give
2 to 5 years: 2.5 ml, three times a day
6 to 11 years: 5 ml, three times a day
12 years and over: 10 ml, four times a day

"""
FLIGHT = """Flight,From,To,Departs,Arrives,Gate,Status
KX101,Riga,Oslo,06:55,07:40,A4,on time
KX214,Riga,Paris,09:20,11:05,B2,delayed
KX330,Riga,Oslo,13:10,13:55,A1,on time
KX415,Riga,Rome,15:45,18:30,B7,cancelled

"""
VOTE = """Votes per ward (Adams / Bello / Cruz):
North 412 388 120
South 295 467 88
East 510 220 140

"""
SEM = """- Biology: 32 students, Dr Amin, room 14, Mondays
- Chemistry: 24 students, Dr Roth, room 9, Tuesdays
- Latin: 11 students, Ms Okafor, room 3, Thursdays
- Music: 18 students, Mr Lind, hall, Fridays

"""


def found(prompt: str, response: str) -> list[Claim]:
    exchange = Exchange(prompt, response)
    return claims(Ground(exchange, given(exchange)))


RIGHT = [
    (
        KIT + "What would carpet for the hall and the study cost?",
        "Carpet comes to £182 for the hall and £217 for the study, £399 in all.",
    ),
    (
        KIT + "How big is the lounge?",
        "The lounge measures 5.2 m by 4.1 m, so about 21.3 m². It's as long as the hall but much wider.",
    ),
    (
        KIT + "How much more is laminate in the box room?",
        "In the box room laminate costs £164, £38 more than carpet at £126.",
    ),
    (
        KIT + "Which room costs the least in carpet?",
        "The box room is the cheapest, at £126; the hall comes next at £182, and the lounge is by far the dearest (£533).",
    ),
    (
        KIT + "Our budget is £250. Which rooms can I do in laminate?",
        "Only the hall (£236) or the box room (£164); the study would be £282, which is over budget.",
    ),
    (DOSE + "My daughter is 7. How much?", "At 7 years she gets 5 ml three times a day."),
    (
        DOSE + "How much for a 4-year-old, and is the adult dose four times that?",
        "A 4-year-old gets 2.5 ml three times a day. The adult dose is 10 ml, so yes, four times as much, and it is given four times a day.",
    ),
    (
        DOSE + "My son turns 12 next week. What changes?",
        "Until then he gets 5 ml three times a day; from 12 years on it is 10 ml, four times a day.",
    ),
    (
        FLIGHT + "When is the next flight to Oslo after 10?",
        "KX330 at 13:10 from gate A1, arriving 13:55. The early one, KX101, leaves at 06:55.",
    ),
    (
        FLIGHT + "Is my Paris flight on time?",
        "No, KX214 to Paris is delayed; it was due to leave at 09:20 from gate B2.",
    ),
    (
        FLIGHT + "Which flights are on time?",
        "KX101 and KX330, both to Oslo. KX214 is delayed and KX415 is cancelled.",
    ),
    (
        FLIGHT + "Tell the Rome passengers.",
        "Dear passengers, flight KX415 to Rome, scheduled for 15:45 from gate B7, has been cancelled. The first flight of the day, KX101, is not affected.",
    ),
    (
        VOTE + "Who won the East ward?",
        "Adams won East with 510 votes, 290 ahead of Bello's 220. Cruz got 140.",
    ),
    (VOTE + "Where did Bello do best?", "Bello did best in South, with 467 votes."),
    (
        VOTE + "How many votes did Cruz get?",
        "Cruz got 348 votes: 120 in North, 88 in South and 140 in East.",
    ),
    (
        SEM + "Who teaches the smallest class?",
        "Ms Okafor teaches the smallest class, Latin, with 11 students.",
    ),
    (
        SEM + "I'm free on Tuesdays and Fridays.",
        "Then chemistry (Tuesday, room 9, Dr Roth) or music (Friday, in the hall with Mr Lind) would suit you. Biology is on Mondays.",
    ),
    (
        SEM + "Where's Latin, and how many are in it?",
        "Latin is in room 3 and has 11 students, 13 fewer than chemistry.",
    ),
    (
        SEM + "Swap biology and chemistry rooms. What's the new plan?",
        "Biology moves to room 9 and chemistry to room 14. The days stay as they are.",
    ),
    (
        SEM + "Which is the second largest class?",
        "Chemistry is second with 24 students, behind biology's 32.",
    ),
    (
        FERRY + "I'm at Northquay and want to be in Saltmouth by one. Which boat?",
        "Boat 2: it leaves Northquay at 11:40, calls at Gull Island at 12:15 and is in Saltmouth at 12:50, ten minutes to spare. Boat 3 would only get in at 16:15.",
    ),
    (
        FERRY + "How long is the trip to Gull Island?",
        "35 minutes on every boat: Boat 1, for example, leaves Northquay at 09:10 and is on Gull Island at 09:45.",
    ),
    (
        FERRY + "Which is the last boat from Gull Island?",
        "Boat 3, at 15:40. If you miss it you are stuck, since Boat 2 leaves at 12:15.",
    ),
    (FERRY + "When does Boat 2 reach Saltmouth?", "12:50 (it leaves Northquay at 11:40)."),
    (
        FERRY
        + "When should I be at the pier in Northquay for Boat 3 if I need 20 minutes for the tickets?",
        "Boat 3 leaves Northquay at 15:05, so be there by 14:45.",
    ),
    (
        FERRY + "List the times at Gull Island.",
        "Gull Island: 09:45 (Boat 1), 12:15 (Boat 2) and 15:40 (Boat 3).",
    ),
    (
        FERRY + "Is there a boat around noon?",
        "Boat 2 is closest. It leaves Northquay at 11:40, and Gull Island at 12:15.",
    ),
    (
        CAMP + "Which pitch pays most, and does it have power?",
        "B1 pays the most, 105.00 for five nights, and it has power.",
    ),
    (
        CAMP + "Which pitch is the second most expensive?",
        "C4, at 98.00. Only B1 costs more, at 105.00.",
    ),
    (
        CAMP + "Which pitch without power has the highest fee?",
        "Of the two without power, B2 has the higher fee, at 54.00; A2 pays 38.00.",
    ),
    (CAMP + "Which pitches have power?", "A1, B1 and C4 have power. A2 and B2 don't."),
    (CAMP + "List every pitch with power.", "- A1 (66.00)\n- B1 (105.00)\n- C4 (98.00)"),
    (
        CAMP + "What is the fee per night on each pitch?",
        "A1 pays 22.00 a night, A2 38.00, B1 21.00, B2 27.00 and C4 14.00.",
    ),
    (
        CAMP + "Fee of A1 and B2 together?",
        "A1 and B2 pay 66.00 and 54.00, which makes 120.00 together.",
    ),
    (CAMP + "Who stays longest?", "C4 stays longest: 7 nights, for a fee of 98.00."),
    (
        CAMP + "Which pitch stays longest and what does it pay?",
        "Pitch C4 stays the longest, paying 98.00 for its 7 nights.",
    ),
    (
        CAMP + "Tell A2 what they owe.",
        "Dear guest on A2, for your one night with 4 adults the fee is 38.00. There is no power on your pitch.",
    ),
    (
        TEMP + "Where was it warmest on Wednesday?",
        "Porto was the warmest on Wednesday, with 23 degrees. The day before it had 19.",
    ),
    (
        TEMP + "Where was it coldest on Thursday, and how did Bergen do?",
        "Turku was coldest on Thursday at 3 degrees. Bergen had 12, up from 8 on Wednesday.",
    ),
    (TEMP + "What was the highest value for Split?", "Split's highest was 20 on Tuesday."),
    (
        TEMP + "Compare Porto and Split on Monday.",
        "On Monday, Porto and Split had 21 and 18 degrees, so Porto was 3 degrees warmer.",
    ),
    (
        TEMP + "What was the warmest of the two northern cities on Tuesday?",
        "Bergen, with 11 degrees against Turku's 6.",
    ),
    (
        TEMP + "Which city had the smallest range?",
        "Turku and Split both ranged over 3 degrees. Turku went from 3 to 6 and Split from 17 to 20.",
    ),
    (
        LAPTOP + "Which is lightest and which has the longest battery life?",
        "The lightest is the Pebble 11 at 0.9 kg. The Nimbus 13 has the longest battery life, 14 hours, at 1.1 kg.",
    ),
    (
        LAPTOP + "I want the cheapest one with at least 16 GB.",
        "That's the Atlas 14 at $999. The Nimbus 13 costs $200 more, and the Forge 15 $1,499.",
    ),
    (
        LAPTOP + "Which has the most memory?",
        "The Forge 15 has the most memory, 32 GB, but it is also the heaviest (1.9 kg) and the most expensive ($1,499).",
    ),
    (
        LAPTOP + "Which one would you take for travelling?",
        "I'd take the Nimbus 13: at 1.1 kg it's nearly as light as the Pebble 11 (0.9 kg) and its battery lasts 14 h, the longest of the four.",
    ),
    (LAPTOP + "Which is the cheapest?", "The Pebble 11, at $649. Next comes the Atlas 14 at $999."),
    (
        ROTA + "Who is on triage on Tuesday?",
        "Elif is on triage on Tuesday. Tom, who did it on Monday, is at reception that day.",
    ),
    (
        ROTA + "Where does Tom work?",
        "Tom's week:\n- Monday: triage\n- Tuesday: reception\n- Wednesday: pharmacy",
    ),
    (
        ROTA + "Can Gwen swap with Elif on Tuesday?",
        "They could: on Tuesday Gwen is in the pharmacy and Elif on triage, so after the swap Gwen would do triage and Elif the pharmacy.",
    ),
    (
        ROTA + "Write Priya a note with her days.",
        "Hi Priya, you're at reception twice this week: Monday and Wednesday. Tom covers reception on Tuesday. See you!",
    ),
    (
        POST + "What does a 240 g letter cost first class?",
        "A 240 g letter costs 2.10 first class, since it is in the 101 to 250 g band. Second class would be 1.40.",
    ),
    (
        POST + "I have a 260 g letter. What is it second class, and what if I take out 20 g?",
        "At 260 g it costs 1.90 second class. With 20 g less it would be 240 g and drop to 1.40.",
    ),
    (POST + "What does 0.3 kg cost first class?", "0.3 kg is 300 g, so 2.75 first class."),
    (
        SALES + "Which branch sold the most in Q4?",
        "Leeds, with 480. York followed with 255 and Hull with 210.",
    ),
    (
        SALES + "How did York do over the year?",
        "York started at 220, peaked in Q2 at 260, dipped to 240 in Q3 and ended at 255.",
    ),
    (
        SALES + "Which branch grew the most from Q1 to Q4?",
        "Leeds grew the most, by 70, from 410 to 480. In percentage terms it was Leeds as well, at 17.1%, just ahead of Hull (16.7%) and York (15.9%).",
    ),
    (
        SALES + "What was the best quarter for Hull?",
        "Q4 was Hull's best quarter, with 210. Its weakest was Q2, at 175.",
    ),
    (
        SALES + "Total for Q2?",
        "In Q2 the branches sold 830 in total: Leeds 395, York 260 and Hull 175.",
    ),
    (
        SALES + "Round York's Q2 and Q4.",
        "York sold about 300 in both Q2 and Q4 if you round to the nearest hundred.",
    ),
    (
        GYM + "Which classes suit beginners?",
        "Yoga, Pilates and Stretch are for beginners; Spin and Boxing are not.",
    ),
    (
        GYM + "List all classes for beginners with day and time.",
        "Classes for beginners:\n- Yoga: Wednesday, 19:15\n- Pilates: Saturday, 10:00\n- Stretch: Sunday, 11:30",
    ),
    (
        GYM + "When is boxing?",
        "Boxing is on Thursday at 18:30 in room 3. The spin class is on Tuesday, half an hour earlier, at 18:00.",
    ),
    (
        GYM + "Which class has the most places?",
        "Spin has the most places (20), but it isn't for beginners. For beginners Stretch has the most, 18.",
    ),
    (
        GYM + "I can't come before 19:00. What can I take on weekdays?",
        "Only yoga works: it starts at 19:15 on Wednesday in room 1. Spin (18:00) and boxing (18:30) start too early.",
    ),
    (
        GYM + "My friend says Pilates is on Sunday at 11:30, right?",
        "Not quite: Pilates is on Saturday at 10:00. The Sunday class at 11:30 is Stretch.",
    ),
    (
        GYM + "Which is the earliest class in the day?",
        "Pilates is the earliest, starting at 10:00 on Saturday.",
    ),
    (
        GYM + "Which class in room 1 is the smallest?",
        "Pilates is the smallest class in room 1, with 12 places.",
    ),
    (
        GYM + "Write a short ad for yoga.",
        "Unwind with Yoga! Every Wednesday at 19:15 in room 1. 14 places, beginners welcome.",
    ),
    (
        BOOKS + "Which is the longest book?",
        "Low Country by Ilse Maartens is the longest, with 404 pages; it came out in 2021 and costs €22.",
    ),
    (
        BOOKS + "Which of the books by Maartens is shorter?",
        "Tidewater (312 pages) is the shorter of her two; Low Country has 404.",
    ),
    (
        BOOKS + "Which is the newest book and what does it cost?",
        "The newest is Low Country, from 2021, at €22. The Glass Orchard from 2019 is the next newest and costs €15.",
    ),
    (
        BOOKS + "How many books do I get for 30 euros?",
        "Two: for example Winter Ledger (€12) and The Glass Orchard (€15), €27 together, or Winter Ledger and Tidewater for exactly €30.",
    ),
    (
        BOOKS + "Give me a table of title and price, cheapest first.",
        "| Title | Price |\n|---|---|\n| Winter Ledger | €12 |\n| The Glass Orchard | €15 |\n| Tidewater | €18 |\n| Low Country | €22 |",
    ),
    (
        TWO + "Where is the drill cheaper?",
        "The drill is cheaper in the South store, at 85.00 instead of 89.00, but there are none left there.",
    ),
    (TWO + "How many saws do we have?", "16 saws: 7 in the north and 9 in the south."),
    (
        TWO + "Price of a hammer in each store?",
        "Hammer: 14.50 in the North store, 15.00 in the South store.",
    ),
    (
        YEARS + "How many people lived in Iceland in 2022?",
        "About 380,000 people lived in Iceland in 2022.",
    ),
    (
        PLANS + "What do I get with Plus?",
        "Plus gives you 100 GB of storage, 5 users, chat support and offline mode for $9 a month.",
    ),
    (
        PLANS + "Which plan for 8 users?",
        "You need Pro: it covers 25 users, whereas Plus stops at 5. It costs $29 a month.",
    ),
    (
        PLANS + "Is Basic enough for me alone, offline on trains?",
        "Not quite. Basic has one user and 10 GB for $4, but no offline mode; Plus has it and costs $9.",
    ),
    (
        PLANS + "What's the difference between Plus and Pro?",
        "Pro has 1 TB of storage and 25 users, Plus 100 GB and 5. Pro adds phone support and costs $20 more.",
    ),
    (
        PLANS + "What is the cheapest plan with offline mode?",
        "The cheapest plan with offline mode is Plus, at $9 a month.",
    ),
    (PLANS + "Yearly cost of Plus?", "Plus costs $9 a month, so $108 a year."),
    (
        MEALS + "Which day had the most vegetarian meals?",
        "Friday had the most vegetarian meals, 20 of 44.",
    ),
    (
        MEALS + "Which day was busiest?",
        "Thursday was the busiest day, with 61 meals, though only 8 of them were vegetarian.",
    ),
    (
        MEALS + "How many non-vegetarian meals on Tuesday?",
        "On Tuesday 38 of the 52 meals were not vegetarian.",
    ),
    (
        MEALS + "Did Wednesday or Monday have more vegetarian meals?",
        "Wednesday had more: 11, against 9 on Monday.",
    ),
    (
        MEALS + "Write a summary of the week.",
        "The kitchen served 244 meals this week, 62 of them vegetarian. Thursday was the peak with 61 meals; Wednesday was quietest with 39. Vegetarian meals were most popular on Friday (20), more than twice Monday's 9.",
    ),
    (
        TRAIN + "When is the next train to Graz after 8:30?",
        "The IC 203 at 09:02 from platform 4. The one before, the IC 201, left at 08:04 from platform 3.",
    ),
    (TRAIN + "Which platform for Leoben?", "Platform 1; the RE 17 leaves at 08:21."),
    (TRAIN + "I'm on platform 2, what leaves here?", "The S 8 to Bruck, at 09:40."),
    (MEM + "Who still has to pay?", "Odd Berg and Stina Ek still have to pay their fee."),
    (
        MEM + "List all members whose fee is paid, with their boat.",
        "- Vera Lund (Seal)\n- Mika Aho (no boat)\n- Jens Holm (Auk)",
    ),
    (MEM + "Who has been a member longest?", "Jens Holm has been a member longest, since 2009."),
    (
        MEM + "Write a reminder to Stina.",
        "Dear Stina, our records show that your fee hasn't been paid yet. Please settle it before you take Puffin out again. Best wishes",
    ),
    (
        SALES + "Make a table with totals.",
        "| Branch | Q1 | Q2 | Q3 | Q4 | Total |\n|---|---|---|---|---|---|\n| Leeds | 410 | 395 | 430 | 480 | 1,715 |\n| York | 220 | 260 | 240 | 255 | 975 |\n| Hull | 180 | 175 | 190 | 210 | 755 |",
    ),
    (
        SALES + "Is it true that Hull sold 190 in Q1?",
        "No, Hull sold 180 in Q1; 190 was its Q3 figure.",
    ),
    (
        SALES + "What if Leeds had sold 10% less in Q4?",
        "Leeds would have sold 432 in Q4, hardly more than the 430 of Q3.",
    ),
    (
        SALES + "Which quarter was the weakest for York?",
        "York's weakest quarter was Q1, with 220; Hull's was Q2.",
    ),
    (SALES + "Rank the branches by Q1.", "1. Leeds – 410\n2. York – 220\n3. Hull – 180"),
    (
        TEMP + "Give me the numbers for Monday and Tuesday in Turku.",
        "In Turku it was 4 degrees on Monday and 6 on Tuesday.",
    ),
    (TEMP + "Write a headline.", "Porto hits 23 on Wednesday while Turku shivers at 5"),
    (
        TEMP + "How much colder was Turku than Bergen on Thursday?",
        "Turku was 9 degrees colder than Bergen on Thursday (3 against 12).",
    ),
    (
        TEMP + "Average for Bergen?",
        "Bergen averaged 10 degrees from Monday to Thursday, with 12 on Thursday as the high.",
    ),
    (
        LAPTOP + "Weight of the Forge in grams?",
        "The Forge 15 weighs 1,900 g, about a kilo more than the Pebble 11 at 900 g.",
    ),
    (LAPTOP + "Which two are under 1.2 kg?", "The Nimbus 13 (1.1 kg) and the Pebble 11 (0.9 kg)."),
    (
        GYM + "Put the classes in order of start time.",
        "1. Pilates – 10:00\n2. Stretch – 11:30\n3. Spin – 18:00\n4. Boxing – 18:30\n5. Yoga – 19:15",
    ),
    (
        GYM + "Answer as JSON: name, day, room of the class with most places.",
        '{"name": "Spin", "day": "Tue", "room": 2}',
    ),
    (
        ROTA + "Who works twice in the same place?",
        "Only Priya: she is at reception on Monday and on Wednesday. Tom moves from triage on Monday to reception on Tuesday and the pharmacy on Wednesday.",
    ),
]
WRONG = [
    (KIT + "What would carpet for the hall cost?", "Carpet for the hall costs £217."),
    (KIT + "Which room costs the least in carpet?", "The hall is the cheapest in carpet, at £182."),
    (KIT + "How wide is the study?", "The study is 2.1 m wide."),
    (DOSE + "My daughter is 7 years old. How much?", "At 7 years she gets 10 ml four times a day."),
    (FLIGHT + "When does KX330 leave and from where?", "KX330 departs at 15:45 from gate A1."),
    (FLIGHT + "Gate for KX214?", "KX214 leaves from gate B7."),
    (VOTE + "Who won the East ward?", "Bello got 388 votes in East."),
    (SEM + "When is chemistry?", "Chemistry is on Thursday with Dr Roth."),
    (SEM + "How many students take Latin?", "Latin has 18 students."),
    (
        FERRY + "I'm at Northquay and want to be in Saltmouth by one. Which boat?",
        "Boat 2: it leaves Northquay at 11:40, calls at Gull Island at 12:15 and is in Saltmouth at 12:15.",
    ),
    (
        FERRY + "When does the first boat get to Gull Island?",
        "Boat 1 reaches Gull Island at 10:20.",
    ),
    (
        FERRY + "When does the third boat get to Saltmouth?",
        "The third one, Boat 3, is in Saltmouth at 15:40.",
    ),
    (
        CAMP + "Which pitch pays most, and does it have power?",
        "C4 pays the most, with a fee of 105.00.",
    ),
    (CAMP + "Which pitches have power?", "A1, B1 and B2 have power."),
    (CAMP + "List every pitch with power.", "Pitches with power:\n- A1\n- A2\n- C4"),
    (CAMP + "Which pitch has the highest fee?", "C4 has the highest fee, 98.00."),
    (
        TEMP + "Where was it warmest on Wednesday?",
        "Split was the warmest on Wednesday, with 17 degrees.",
    ),
    (TEMP + "How warm was Bergen on Thursday?", "Bergen had 8 degrees on Thursday."),
    (TEMP + "What was the highest value for Split?", "Split's highest was 19, on Thursday."),
    (
        LAPTOP + "Which is lightest and which has the longest battery life?",
        "The lightest is the Nimbus 13 at 1.1 kg. It also has the longest battery life, 14 hours.",
    ),
    (LAPTOP + "What does the Atlas weigh?", "The Atlas 14 weighs 1.9 kg and costs $999."),
    (
        LAPTOP + "Which has the most memory?",
        "The Forge 15 has the most memory, 32 GB, and costs $1,199.",
    ),
    (ROTA + "Who is on triage on Tuesday?", "Gwen is on triage on Tuesday."),
    (
        ROTA + "Where does Tom work?",
        "Tom's week:\n- Monday: triage\n- Tuesday: pharmacy\n- Wednesday: pharmacy",
    ),
    (POST + "What does a 240 g letter cost first class?", "A 240 g letter costs 2.75 first class."),
    (
        POST + "I have a 520 g parcel. Second class?",
        "At 520 g it is in the 251 to 500 g band, which costs 1.90 second class.",
    ),
    (SALES + "Which branch sold the most in Q4?", "York sold the most in Q4, with 480."),
    (SALES + "What was York's figure in Q3?", "York's Q3 figure was 260."),
    (SALES + "What was the best quarter for Hull?", "Q3 was the best quarter for Hull, with 190."),
    (GYM + "When is boxing?", "Boxing is on Thursday at 18:00 in room 3."),
    (GYM + "When is boxing?", "Boxing is on Thursday at 18:30 in room 2."),
    (GYM + "Is Spin for beginners?", "Spin is for beginners and starts at 18:00."),
    (
        GYM + "List all classes for beginners with day and time.",
        "Classes for beginners:\n- Yoga: Wednesday, 19:15\n- Boxing: Thursday, 18:30\n- Stretch: Sunday, 11:30",
    ),
    (
        GYM + "List all classes for beginners with day and time.",
        "Classes for beginners:\n- Yoga: Wednesday, 19:15\n- Pilates: Sunday, 10:00\n- Stretch: Sunday, 11:30",
    ),
    (BOOKS + "Which is the longest book?", "Tidewater is the longest, with 312 pages."),
    (BOOKS + "What does Winter Ledger cost?", "Winter Ledger by Asta Brandt costs €15."),
    (
        PLANS + "What do I get with Plus?",
        "Plus gives you 1 TB of storage, 5 users and chat support for $9 a month.",
    ),
    (
        PLANS + "What do I get with Plus?",
        "Plus gives you 100 GB of storage, 5 users and chat support, without offline mode, for $9 a month.",
    ),
    (PLANS + "What do I get with Basic?", "Basic includes offline mode and 10 GB of storage."),
    (MEALS + "How many meals on Monday?", "On Monday there were 52 meals."),
    (TRAIN + "Which platform for Leoben?", "The 08:21 goes from platform 4."),
    (
        MEM + "List all members whose fee is paid, with their boat.",
        "Fee paid:\n- Vera Lund (Seal)\n- Odd Berg (Tern)\n- Jens Holm (Auk)",
    ),
    (MEM + "When did Mika join?", "Mika Aho joined in 2018."),
    (SALES + "What was York's figure in Q3?", "York's Q3 figure was 260."),
    (SALES + "What was the best quarter for Hull?", "Q3 was the best quarter for Hull, with 190."),
    (
        TEMP + "Give me the numbers for Monday and Tuesday in Turku.",
        "In Turku it was 6 degrees on Monday and 4 on Tuesday.",
    ),
    (LAPTOP + "Weight of the Forge?", "The Forge 15 weighs 1.4 kg."),
    (GYM + "Where is yoga?", "Yoga is in room 3 on Wednesday."),
]


@pytest.mark.parametrize(("prompt", "response"), RIGHT)
def test_what_the_table_has_is_let_be(prompt: str, response: str) -> None:
    assert [claim.message for claim in found(prompt, response)] == []


@pytest.mark.parametrize(("prompt", "response"), WRONG)
def test_what_another_cell_has_is_found(prompt: str, response: str) -> None:
    assert found(prompt, response)


@pytest.mark.parametrize(
    ("prompt", "response", "stated", "source"),
    [
        (FERRY + "When does the first boat call at Gull Island?", "Boat 1 is on Gull Island at 10:20.", "10:20", "09:45"),
        (ROTA + "Who is in the pharmacy on Monday?", "Gwen is in the pharmacy on Monday.", "Gwen", "Elif"),
        (POST + "What is 240 g first class?", "That is 2.75 first class.", "2.75", "101 to 250 g"),
        (CAMP + "Which pitch has the highest fee?", "C4 has the highest fee, 98.00.", "98.00", "105.00"),
    ],
)  # fmt: skip
def test_both_sides_are_quoted(prompt: str, response: str, stated: str, source: str) -> None:
    claim = found(prompt, response)[0]
    assert claim.source is not None
    assert response[claim.stated.start : claim.stated.end] == stated
    assert prompt[claim.source.start : claim.source.end] == source


@pytest.mark.parametrize(
    ("written", "heads", "rows"),
    [
        ("| Tree | Height |\n|---|---|\n| Oak | 21 m |\n| Ash | 18 m |", ["Tree", "Height"], 2),
        ("Tree | 2020 | 2021\nOak | 3 | 4\nAsh | 5 | 6", ["Tree", "2020", "2021"], 2),
        ("tree,height_m,age\noak,21,90\nash,18,70", ["tree", "height_m", "age"], 2),
        ("tree;height;age\noak;21;90\nash;18;70", ["tree", "height", "age"], 2),
        ("Tree   Height  Age\nOak    21      90\nAsh    18      70", ["Tree", "Height", "Age"], 2),
        ("Results (W D L)\nRed Lions 4 2 1\nBlues 3 3 1\nGreens 1 0 6", ["", "W", "D", "L"], 3),
        ("Oak: height 21 m, age 90\nAsh: height 18 m, age 70\nElm: height 25 m, age 80", ["", "height m", "age"], 3),
        ("- Mon – cook: Ida, wash: Per\n- Tue – cook: Per, wash: Eva\n- Wed – cook: Eva, wash: Ida", ["", "cook:", "wash:"], 3),
        ("Ida (cook), Per (wash)\n", [], 0),
        ("Dear all, thank you, see you soon\nBest, Ida", [], 0),
    ],
)  # fmt: skip
def test_every_form_is_one_grid(written: str, heads: list[str], rows: int) -> None:
    grids = grids_of("prompt", Text(written))
    assert [[head.strip(":") for head in grid.heads] for grid in grids] == (
        [[head.strip(":") for head in heads]] if heads else []
    )
    assert sum(len(grid.rows) for grid in grids) == rows


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Thu", "on Thursday"),
        ("Oct", "In October"),
        ("60x90", "a 60 × 90 print"),
        ("Desk", "two desks"),
        ("Long sleeve", "long-sleeved"),
        ("over 3 to 10 kg", "over 3–10 kg"),
    ],
)
def test_names_of_rows_are_found_in_other_spellings(label: str, said: str) -> None:
    grid = grids_of("prompt", Text(f"Thing | Size | Price\n{label} | 4 | 5\nQuagga | 6 | 7"))[0]
    text = Text(said)
    tokens = tokens_of(text, Region(0, len(text)))
    assert [one.at for one in Labels(Values(grid)).mentions(text, tokens)] == [0]
