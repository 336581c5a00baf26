"""The words that matter to demands, each with the symbol used for it in patterns.

Words of one meaning share a symbol, so that patterns name USE, RESP and NEG and not every
verb and noun; words that mean nothing for a demand have the empty symbol and are left out.
"""

from __future__ import annotations


def _each(symbol: str, words: str) -> dict[str, str]:
    return dict.fromkeys(words.split(), symbol)


def _plurals(words: str) -> dict[str, str]:
    return {form: word for word in words.split() for form in (word, f"{word}s")}


# Nouns for what is being written; a demand on one of them is a demand on the response.
WORKS = frozenset(
    """essay story poem email e-mail letter article blog post tweet thread song lyrics rap haiku
    limerick resume cv summary report review pitch proposal script speech itinerary plan guide
    description advertisement ad copy riddle joke list rubric template outline paper document text
    message note memo dialogue conversation caption bio biography paragraph-essay critique analysis
    explanation recipe quiz lecture lesson tale fable novel chapter headline slogan translation
    rewrite version passage piece content write-up writeup monologue sonnet ballad verse parody
    manual brochure flyer newsletter announcement invitation press-release release statement
    abstract overview narrative commentary advice tldr tl;dr schema tweetstorm storm
    entry presentation editorial argument feedback postcard toast eulogy vlog transcript
    synopsis reflection testimonial podcast acrostic ode hymn anthem jingle writing composition
    completion generation product work""".split()
)
RESPONSES = frozenset("response responses answer answers reply replies output outputs".split())

QUESTION_WORDS = frozenset("what why how who whom whose which where".split())

# What makes a sentence that does not start with a command speak to the writer.
MODALS = frozenset(
    """should must shall need needs needed cannot can't mustn't shouldn't don't allowed permitted
    required please ensure sure avoid refrain forbidden prohibited requirement requirements required
    acceptable banned taboo off-limits disallowed want remember necessary let's kindly supposed ought expected""".split()
)
COMMANDS = frozenset(
    """write use include make wrap put ensure avoid keep limit add end start begin finish conclude
    close highlight respond answer reply give provide create generate compose draft produce list
    explain describe summarize summarise rewrite elaborate expand translate tell show repeat
    separate mark mention refrain format output return present capitalize italicize bold
    underline enclose surround place insert incorporate employ utilize feature contain have do
    be don't never choose pick select say state name plan design develop suggest recommend
    brainstorm imagine pretend act improve edit proofread fix convert turn transform compare
    contrast discuss analyze analyse critique criticize review evaluate organize organise
    structure divide split break number label title capitalise stick restrict confine aim try help let
    please remember note consider think take follow come find identify define outline sketch
    paraphrase reword rephrase simplify shorten condense extend continue complete fill
    construct build prepare propose pen craft author record print display express
    focus quote cite attach append prepend open sign leave omit exclude skip drop
    tldr describe sum recap send share post speak talk sing count target adopt follow maintain
    model read render report reproduce copy restate reiterate echo solve calculate compute
    estimate introduce teach walk assume play recite rap devise formulate assemble gather arrange
    assess clarify comment react predict guess justify prove demonstrate rate grade interview stay emphasize
    emphasise go get ask italicise encase incorporate wrap weave work separated separating debate defend
    persuade convince argue address advertise announce invent
    classify categorize rank sort group extract highlight verify check confirm double-check
    explore examine research investigate narrate recount depict illustrate cover
    indicate denote signal specify designate head set apply adhere comply guarantee embed sprinkle intersperse
    scatter throw stress accentuate lowercase uppercase enumerate itemize annotate tag preface precede terminate
    minimize maximize vary type jot pitch sell market promote praise roast mock rhyme retell rework revise refine
    revamp update modernize adapt reflect ponder speculate role-play roleplay channel mimic emulate imitate
    impersonate deliver relay convey communicate inform instruct educate congratulate thank apologize invite
    welcome greet celebrate endorse refute rebut counter challenge quiz chart tabulate draw dedicate detail
    sign-off forego forgo abstain bar ban prohibit forbid eliminate remove delete strip shout yell scream whisper
    boil squeeze cut trim compress reduce distil distill tighten abridge""".split()
)
FRAGMENTS = frozenset(
    """in with using without no not all at under up within between about around approximately
    exactly only max maximum min minimum less fewer more over least word length format language
    keywords keyword words forbidden required lowercase uppercase capital json markdown
    single one two three four five six seven eight nine ten output response answer entire
    whole entirely strictly your you also as from and but then none each code just yes true plain
    nothing every tl dr""".split()
)
CODE = frozenset(
    """code program function bash shell regex query sql class method algorithm python javascript java
    c++ html css api app application software loop array variable database terminal website webpage page string""".split()
)
# Names that parts of a text go by, whatever it is about.
LABELS = frozenset(
    "introduction intro conclusion body abstract background methodology methods results discussion".split()
)

_UNITS = _plurals(
    "word sentence paragraph line section part character placeholder hashtag letter time item "
    "keyword phrase term comma bullet symbol asterisk emoji heading header table stanza verse "
    "option choice language version column row point alphabet subheading"
)
_NEGATIONS = _each(
    "NEG",
    """not never no without avoid avoids avoiding don't doesn't shouldn't mustn't can't cannot won't
    isn't aren't refrain refrains refraining exclude excluding excludes omit omitting didn't none
    zero nor neither skip wouldn't couldn't forbidden prohibited banned ban taboo off-limits disallowed devoid""",
)
_USE = _each(
    "USE",
    """use uses using used include includes including included contain contains containing contained
    mention mentions mentioning mentioned have has having feature features featuring incorporate
    incorporates incorporating incorporated employ employing employs insert inserting add adds
    adding added utilize utilizing utilise insertion usage
    involve involves involving inclusion containment comprise carry carries work weave""",
)
_SAY = _each("SAY", "say says saying said")
_WRITE = _each(
    "WRITE",
    """write writes writing written compose composed create created draft generate generated produce
    produced give provide provided respond responds responding tell present presented
    formatted return returned deliver delivered speak explain describe rewrite
    rewritten structured list make summarize summarise translate format express stated""",
)
_APPEAR = _each(
    "APPEAR",
    """appear appears appearing appeared occur occurs occurring show shows showing shown found
    present repeated featured occurrence occurrences exist""",
)
_END = _each(
    "ENDS",
    "end ends ending ended finish finishes finishing conclude concludes concluding close closes closing",
)
_START = _each("STARTS", "start starts starting started begin begins beginning open opens opening")
_SHAPES = {
    **_each(
        "highlight",
        "highlight highlights highlighted highlighting italic italics italicize italicized "
        "italicise italicised bold bolded bolding emphasize emphasized emphasised emphasis emphasize",
    ),
    **_each("lowercase", "lowercase lower-case lowercased lower-cased uncapitalized lowercases"),
    **_each(
        "uppercase", "uppercase upper-case uppercased upper-cased all-caps caps allcaps capitals"
    ),
    **_each(
        "capitalize",
        "capitalize capitalized capitalise capitalised capitalizing capitalization "
        "capitalisation capitalizes",
    ),
    **_each(
        "all", "all every entirely fully completely everything solely exclusively purely wholly"
    ),
    **_each("each", "each per apiece"),
    **_each(
        "SEP",
        "separate separated separating separates separator separators separation divide divided divider "
        "split delimited delimiter dividing divides delimit",
    ),
    **_each(
        "WRAP",
        "wrap wraps wrapped wrapping enclose enclosed enclosing surround surrounded surrounding "
        "encase encased put place placed putting around inside within bracketed encapsulate encapsulated",
    ),
    **_each("quotation", "quotation quotations quote quotes quoted quotemarks"),
    **_each("mark", "mark marks marked marking"),
    **_each("angle", "angle angular angled"),
    **_each("bracket", "bracket brackets"),
    **_each("REPEAT", "repeat repeats repeating restate reiterate reproduce repleat"),
    **_each("postscript", "postscript post-script postscripts post-scripts"),
    **_each("bullet", "bulleted bullet-point bullet-points bulletpoint bulletpoints bulletpoint"),
    **_each("numbered", "numbered enumerated"),
    **_each("title", "title titles titled"),
    **_each("json", "json json-formatted json-format"),
    **_each("yaml", "yaml yml"),
    **_each("code", "code snippet codes"),
    **_each("commafree", "comma-free comma-less commaless"),
    **_each("allow", "allowed allow permitted permit acceptable tolerated"),
    **_each("limit", "limit limits limited restrict cap"),
    **_each("only", "only nothing just"),
    **_each("request", "request prompt question query instruction instructions task requests"),
    **_each("period", "period periods"),
    **_each("exclamation", "exclamation exclamations"),
    **_each("semicolon", "semicolon semicolons semi-colon semi-colons"),
    **_each("hyphen", "hyphen hyphens dash dashes"),
    **_each("emdash", "em-dash em-dashes"),
    **_each("contraction", "contraction contractions"),
    **_each("link", "link links url urls hyperlink hyperlinks"),
    **_each("parenthesis", "parenthesis parentheses"),
    **_each("digit", "digit digits numeral numerals"),
    **_each("punctuation", "punctuation punctuations"),
    **_each("emoji", "emoji emojis emoticon emoticons"),
    **_each("table", "table tables tabular"),
    **_each("tick", "tick ticks backtick backticks"),
}
_EMPTY = _each(
    "",
    """the a an your yours this that these those it its is are be been being was were should must
    shall will would could can may might need needs needed to of do does please also kindly sure
    ensure ensures ensuring certain entire whole complete total really so then you i we me us my
    our their his her any there here which who somewhere throughout anywhere overall want wants like
    d exact specific exactly actual actually very strictly absolutely simply directly basically
    explicitly specifically respectively if possible both one's own them they itself himself what
    let's get even ever still remember supposed sort kind type desired make makes""",
)

SYMBOLS: dict[str, str] = {
    **_EMPTY,
    **_each("WORK", " ".join(WORKS)),
    **_each("RESP", " ".join(RESPONSES)),
    **_WRITE,
    **_UNITS,
    **_USE,
    **_SAY,
    **_APPEAR,
    **_END,
    **_START,
    **_SHAPES,
    **_NEGATIONS,
    "but": "|",
    "however": "|",
    "make": "",
    "makes": "",
    "words": "words",
    "keywords": "keywords",
    "phrases": "phrases",
    "terms": "terms",
    "letters": "letters",
}
