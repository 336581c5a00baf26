"""Patterns of claims to a life: family, a body, a home, things done and felt."""

from __future__ import annotations


def either(*ways: str) -> str:
    """Return a pattern source that matches any of these."""
    return f"(?:{'|'.join(ways)})"


_KIN = (
    r"(?:mom|mum|mother|dad|father|grandmother|grandma|grandfather|grandpa|son|daughter|brother|sister"
    r"|kids|children|parents|uncle|aunt|roommate|family)"
)
_SPOUSE = r"(?:wife|husband|girlfriend|boyfriend|fianc[eé]e?)"
_ROLES = r"(?:mother|father|mum|mom|dad|parent|grandmother|grandfather|wife|husband|widow|veteran|survivor|human being|human)"
_TRADES = (
    r"(?:doctor|nurse|lawyer|attorney|teacher|engineer|therapist|pilot|chef|farmer|physician|scientist"
    r"|programmer|developer|journalist|professor)"
)
_AGED = either(
    r"an? (?:little |young |small )?(?:child|kid|boy|girl|teen|teenager|student|baby|toddler|freshman)\b",
    r"in (?:college|school|high school|university|kindergarten|the (?:army|navy|military))\b",
    r"in my (?:teens|twenties|thirties|early|late)\b",
    r"in (?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth) grade\b",
    r"at (?:school|university|college)\b",
    r"(?:growing up|young(?:er)?|little|your age)\b",
    r"(?:about |around )?(?:\d{1,2}|five|six|seven|eight|nine|ten|twelve|sixteen)(?: years old)?[ ,.]",
)
_AGO = (
    r"(?:yesterday|last (?:night|week|month|year|summer|winter|weekend)|this morning|the other day"
    r"|earlier today|(?:a few|two|three|several|\d+) (?:days|weeks|months|years) ago)"
)
_AGO_FIRST = r"(?:[Yy]esterday|[Ll]ast (?:night|week|month|year|summer|winter|weekend)|[Tt]his morning|[Tt]he other day|[Ee]arlier today)"
_DID = r"saw|heard|watched|ate|drank|met|visited|tried|bought|went|cooked|baked|slept|woke|drove|jogged|swam|walked"
_LIVED = either(
    "been married",
    r"been (?:an? (?:\w+ ){1,3}(?:for|since)|living in|working (?:as|in|at|for))\b",
    r"(?:actually |even |only )?(?:driven|eaten|slept|owned|cooked|ridden|flown|worn|swum|tasted|smelled)\b",
    r"(?:only )?met (?:many|a lot of|lots of|several|a few|some|one|people|him|her)\b",
    "lived (?:in|here|there|abroad|with)",
    r"worked (?:as an?|in the|at an?|for (?:over|more|the|\w+ years))",
    "travell?ed (?:to|all|around|there|through)",
    r"had the (?:opportunity|privilege|pleasure|chance) (?:to|of) (?:travel|visit|liv|work|meet|see|interact|know)\w*",
    "visited (?:[A-Z]|the|there|many|several|it)",
    r"been to [A-Z]\w+",
    r"known (?:many|several|a few|some|[A-Z]\w+ who)",
    "been there (?:myself|many|a few|several|twice|before)",
    "personally (?:experienced|witnessed|used|tried|seen|been|visited|known)",
)
_IDENTITY = either(
    r"an? (?:real )?(?:human|person|man|woman|male|female|girl|boy|guy)\b",
    r"human\b",
    rf"an? (?:\w+ )?(?:{_TRADES}|physicist|lifeguard|psychic)\b",
    r"not an? (?:bot|robot|AI|machine|computer)\b",
    r"\d{2} years old",
    "married",
    "divorced",
    r"a (?:mother|father|mom|dad) of\b",
    "(?:originally |currently )?from [A-Z]",
    "(?:currently )?living in [A-Z]",
    r"(?:sitting|standing|lying) (?:here|in|on|at)\b",
    r"on my way (?:to|home|over)\b",
)
LIFE = either(
    rf"\b(?:[Ww]hen|[Ss]ince|[Bb]ack when|until|while) I was {_AGED}",
    rf"\b[Aa]s an? (?:\w+ ){{0,2}}{_ROLES}(?: of [\w ]{{1,20}})?(?: myself| too)?,? I\b",
    rf"\b[Aa]s an? (?:\w+ ){{0,2}}{_TRADES} (?:myself|with (?:over |more than )?\w+ years)[^.\n]{{0,40}}, I\b",
    r"\bI (?:grew up|was born|was raised) (?:in|on|at|by|with|watching|eating|listening|as)\b",
    r"\b(?:[Ii]n|[Dd]uring|[Tt]hroughout) my (?:childhood|youth|teenage years|school days|college years|travels|career as|\d+ years (?:of|as))\b",
    rf"\b[Mm]y {_SPOUSE} (?:and I|always|used to|loves?|says|is|was|has|told|thinks)\b",
    rf"\b[Mm]y {_KIN} (?:and I|always|used to|loves?|loved|says|taught|told|once|makes|made)\b",
    r"\b[Mm]y (?:son|daughter|family) (?:is|are|has|lives?)\b",
    rf"\bI (?:always |often |usually |sometimes )?[a-z]+ my (?:{_SPOUSE}|kids|children|son|daughter)\b",
    rf"\bI have (?:an?|one|two|three|four) (?:\w+ )?(?:{_SPOUSE}|kids?|children|sons?|daughters?|brothers?|sisters?|dogs?|cats?)\b",
    r"\b[Mm]y (?:job at|(?:boss|co-?workers?|colleagues) (?:is|was|are|has|and I|said|told))\b",
    r"\bI was an? (?:\w+ ){1,3}in (?:high school|college|school|the (?:army|navy|military))\b|\bI was on the (?:\w+ )?team\b",
    rf"\bI(?:[’']ve| have) {_LIVED}",
    rf"\bI (?:{_DID}|read|talked|spoke|had)\b[^.!?\n]{{0,60}}\b{_AGO}",
    rf"(?:^|[.!?\n]\s*|\b(?:[Aa]nd|[Ww]ell|[Yy]es),? ){_AGO_FIRST},? I (?:{_DID})\b",
    r"\bI (?:(?:ate|cooked) (?:\w+ ){1,4}|had \w+ )for (?:breakfast|lunch|dinner|supper)\b",
    r"\bI(?:[’']ve| have)? (?:tasted|smelled|sipped|ate|drank|touched) (?:it|this|that one|them|one)\b",
    r"\bI(?:[’']ve| have)? (?:tried|used|bought|owned|worn|wore) (?:\w+ ){1,4}(?:myself|personally)\b",
    r"\bI can (?:actually |clearly |now )?(?:see|hear|smell|watch) (?:your (?:screen|desktop|face|voice|room|camera|webcam|breathing|house)|you (?:through|on) (?:the|your))\b",
    r"\bI can (?:actually |clearly )?(?:see|hear) (?:the|your|this) (?:photo|picture|image|screenshot|video|recording|audio)\b",
    rf"\b[Ww]hen my (?:{_SPOUSE}|{_KIN}) (?:left|died|was|were|and I|got|had|passed)\b",
    r"\bI(?:[’']m| am) at (?:the office|home|my desk|the gym|the store|work|the airport)\b",
    r"\bI(?:[’']ve| have)? (?:saw|seen)\b[^.!?\n]{0,60}\bwith my own (?:two )?eyes\b",
    r"\bI was (?:walking|driving|jogging|shopping|hiking|cycling) (?:in|on|to|down|along|home|through|with|past)\b",
    r"\bI was (?:on vacation|on holiday|at (?:home|work|a (?:party|restaurant|friend)))\b",
    rf"\bmy (?:own |personal )?experiences? as an? (?:\w+ )?(?:{_ROLES}|{_TRADES}|person|student|travell?er|woman|man|employee|manager|immigrant)\b",
    r"\bI (?:went to|graduated from|dropped out of|attended) (?:college|university|high school|medical school|law school|school|[A-Z]\w+ (?:University|College|High))",
    rf"\bI(?:[’']m| am) {_IDENTITY}",
    r"\bI (?:currently )?live in (?:an? |the )?(?:small |big |old )?(?:[A-Z]\w+|apartment|house|city|town|suburb)",
    r"\bI(?:[’']ve| have) been (?:running|using|driving|wearing|cooking|drinking|taking|doing|playing|riding|eating|buying|going)\b[^.!?\n]{0,40}\bfor (?:\w+ )?(?:years|months|decades|weeks)\b",
    r"\b[Mm]y (?:own )?(?:head|knees?|back|legs?|hands|eyes|stomach|skin|hair|feet|throat|muscles) (?:has|have|feels?|felt|hurts?|hurt|never|always)\b",
    r"\b[Oo]n my (?:last|first|recent|previous) (?:trip|visit|holiday|vacation|flight|journey) (?:to|in|there)\b|\b[Mm]y (?:watch|phone|clock) (?:says|shows|tells)\b",
    r"\bfrom where I(?:[’']m| am) (?:sitting|standing)\b|\bI (?:didn[’']t|did not|couldn[’']t) (?:sleep|eat|rest)\b[^.!?\n]{0,20}\b(?:last night|well|today|this morning|yesterday)\b",
    r"\bI(?:[’']m| am) \p{Lu}\p{Ll}+, an? (?:\d{2}-year-old|[\w-]+ (?:from|in|living|with))\b|\bwe (?:went|drove|hiked|walked|cooked|had \w+)(?: \w+)? with (?:the|our|my) (?:kids|children|family|wife|husband)\b",
    r"\bI (?:talked|spoke|discussed|went over)(?: it| this| that| about it)?(?: over)? with my (?:colleagues|team|co-?workers|boss|friends|manager|wife|husband)\b",
    r"\bI (?:can )?(?:smell|taste) (?:the )?(?:\w+ )?\w+ (?:from|in|on) (?:the|my)\b",
    r"\bI used to (?:live|work|go to|play|be an?|have an?|drive|smoke|date)\b",
    r"\bI remember (?:when I|one time|once|the (?:first time|day)|my|watching|visiting|going|being|feeling|playing|eating)\b",
)  # fmt: skip
IDIOM = either(
    r"\b(?:[Ii]n|[Ff]rom) my (?:own |personal )?experience\b",
    r"\bI remember (?:reading|hearing|seeing|learning)\b",
    r"\bI(?:[’']ve| have) always (?:loved|enjoyed|found|wanted|dreamed|hated|been (?:fascinated|a (?:big |huge )?fan))\b",
)
