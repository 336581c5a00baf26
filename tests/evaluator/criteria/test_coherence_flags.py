"""What coherence flags and what it leaves alone, as a broken model and an honest writer would write it."""

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

ASK = "Please tell me about this."
TWO = "The river rises in the hills. It flows through two old towns. "
LINE = "The committee met on Monday and agreed on the plan for the bridge."
MASH = "sdkfj wlkrnt qwlkfd zxcvbn asdfgh pqrstl wkjhgf lkjhgf"

FLAGGED = {
    "article": ("cut.sentence", ASK, "You should first open the valve and then turn the"),
    "comma": ("cut.sentence", ASK, TWO + "Then it meets the sea,"),
    "habit": ("cut.sentence", ASK, TWO + "Later it turns north towards"),
    "half a word": ("cut.sentence", ASK, "The government met. The govern"),
    "half a word alone": ("cut.word", ASK, "The water is led through the old mill and then retur"),
    "hyphen": ("cut.sentence", ASK, TWO + "It is a well-"),
    "open bracket": ("cut.bracket", ASK, TWO + "It is long (about 300 km"),
    "open emphasis": ("cut.bracket", ASK, TWO + "It has **three large bridges"),
    "colon": ("cut.announced", ASK, TWO + "It has three bridges, which are these:"),
    "bare number": ("cut.list", ASK, "Do this:\n1. Open it.\n2. Close it.\n3."),
    "bare bullet": ("cut.list", ASK, "Do this:\n- Open it.\n- Close it.\n-"),
    "last item": ("cut.list", ASK, "Do:\n1. Open the box.\n2. Take it out.\n3. Read it.\n4. Put the"),
    "fence": ("cut.fence", ASK, "Run:\n```bash\nls -la\n"),
    "inner fence": ("cut.fence", ASK, "```js\na()\n```\nand\n```js\nb("),
    "display": ("cut.maths", ASK, "We get\n\\[ x = \\frac{1}{2}"),
    "environment": ("cut.maths", ASK, "So \\begin{align} x &= 1 \\\\ y &= 2"),
    "dollars": ("cut.maths", ASK, "We get $$x = 1"),
    "row": ("cut.table", ASK, "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | "),
    "spanish": ("cut.sentence", "¿Qué pasó?", "El río nace en la sierra. Luego cruza dos villas. Después gira hacia"),
    "chinese": ("cut.sentence", "怎么了？", "河流 发源 于 山中。 它 流经 两个 城镇。 然后 它 向北 转"),
    "cycle": ("loop.cycle", ASK, "We walk. " + "and then we go to the shop " * 5),
    "one word": ("loop.cycle", ASK, "It is very " + "very " * 30 + "good."),
    "stutter": ("loop.stutter", ASK, "Bees " + "bees " * 6 + "bees."),
    "long stutter": ("loop.stutter", ASK, "Bees" + " bees" * 11),
    "sentences": ("loop.cycle", ASK, (LINE + " ") * 4),
    "scattered": ("loop.passage", ASK, " ".join(f"{LINE} Point {n} is new here." for n in "abcd")),
    "paragraphs": ("loop.passage", ASK, f"{LINE} {TWO}{LINE}\n\nMeanwhile.\n\n" * 2),
    "small changes": (
        "loop.variety",
        ASK,
        " ".join(
            f"The old mill by the river was {a} and the people of the town said that it was {b}."
            for a, b in zip("big small red blue new cold warm".split() * 2, "good bad far near old high low".split() * 2, strict=True)
        )
        + " And so on it went.",
    ),
    "midway, hanging": (
        "cut.midway",
        ASK,
        "The river rises in the hills and flows down through the valley of the\n\nThe town is old and has a market.",
    ),
    "midway, by habit": (
        "cut.midway",
        ASK,
        f"{LINE}\n\nThey met. After a long talk the members of the council went on to look at the new\n\n{LINE}\n\n{LINE[:-1]} too.",
    ),
    "open quote in settings": (
        "code.syntax",
        ASK,
        'Use this:\n```yaml\n# the database\ndb:\n  image: "postgres:16\n  environment:\n    PASSWORD: ${PASSWORD}\n```',
    ),
    "another framework's language": (
        "code.language",
        "Write a small Express (Node) server with one page.",
        "```python\nimport os\nfrom flask import Flask\n\ndef page():\n    return 1\n```",
    ),
    "exactly so many": (
        "announced_count",
        ASK,
        "There are exactly three reasons why it fails:\n\n1. Heat.\n2. Cold.\n3. Salt.\n4. Time.",
    ),
    "misread accents after their letters": ("damage.misread", ASK, "The cafeÌ\x81 is open."),
    "lost": ("damage.lost", ASK, "The caf\ufffd is closed, and so is the op\ufffdra."),
    "misread": ("damage.misread", ASK, "The cafÃ© isnâ€™t open."),
    "misread cyrillic": ("damage.misread", ASK, "ÐŸÑ€Ð¸Ð²ÐµÑ‚ means hello."),
    "misread pound": ("damage.misread", ASK, "It costs Â£5."),
    "misread twice": ("damage.misread", ASK, "cafÃƒÂ© au lait"),
    "mash": ("gibberish.letters", ASK, MASH + " " + MASH),
    "run": ("gibberish.run", ASK, "Well " + "a" * 60),
    "bytes": ("gibberish.bytes", ASK, "ok \x00\x01\x02\x03\x04 fine"),
    "unassigned": ("gibberish.bytes", ASK, "ok " + chr(0x378) * 3 + "\U0003fffe\U0003ffff!"),
    "german to english": (
        "language.other",
        "Wie kann ich am besten mein Fahrrad reparieren, wenn die Kette ständig abspringt?",
        "You should first check whether the chain is worn, and then adjust the derailleur so that it "
        "does not jump off again when you change the gears on a hill.",
    ),
    "english to spanish": (
        "language.other",
        "What is the best way to repair the chain of my bike when it keeps falling off?",
        "Primero debe revisar si la cadena está gastada y después ajustar el cambio para que no vuelva a "
        "salirse cuando cambie de marcha en una cuesta.",
    ),
    "russian to english": (
        "language.other",
        "Как мне лучше всего починить велосипед, если постоянно слетает цепь?",
        "You should first check whether the chain is worn, and then adjust the derailleur so that it "
        "does not jump off again when you change the gears on a hill.",
    ),
    "python": ("code.syntax", ASK, "```python\ndef f(:\n    return 1\n```"),
    "python lost indent": ("code.syntax", ASK, "```python\nfor i in range(3):\nprint(i)\n```"),
    "python lost return": ("code.syntax", ASK, "```python\ndef f():\nreturn 1\n```"),
    "python quote": ("code.syntax", ASK, "```python\nprint('hi)\nx = 1\n```"),
    "python indent": ("code.syntax", ASK, "```py\ndef f():\n    x = 1\n  return x\n```"),
    "json comma": ("code.syntax", ASK, '```json\n{"a": 1,}\n```'),
    "json quotes": ("code.syntax", ASK, "```json\n{'a': 1}\n```"),
    "yaml": ("code.syntax", ASK, "```yaml\na: [1, 2\nb: 3\n```"),
    "yaml tab": ("code.syntax", ASK, "```yaml\na:\n\tb: 1\n```"),
    "toml": ("code.syntax", ASK, "```toml\n[a\nb = 1\n```"),
    "toml twice": ("code.syntax", ASK, "```toml\na = 1\na = 2\n```"),
    "xml": ("code.syntax", ASK, "```xml\n<a><b></a>\n```"),
    "bare json": ("code.json", ASK, '{"a": 1, "b": [1, 2}'),
    "numbering": ("outline.numbering", ASK, "1. One.\n2. Two.\n4. Four.\n5. Five."),
    "numbering of three": ("outline.numbering", ASK, "1. One.\n2. Two.\n4. Four."),
    "numbering twice": ("outline.numbering", ASK, "1. One.\n2. Two.\n2. Three.\n3. Four."),
    "empty heading": ("outline.heading", ASK, "## First\n\n## Second\n\nText is here."),
    "last heading": ("outline.heading", ASK, "## First\n\nText is here.\n\n## Second"),
    "dots": ("wordless", ASK, "..."),
    "blank": ("empty", ASK, " \n\t "),
}  # fmt: skip

LEFT_ALONE = {
    "settings with comments and variables": (
        ASK,
        "Use this:\n```yaml\n# the database\n---\ndb:\n  image: postgres:16\n  environment:\n    PASSWORD: ${PASSWORD}\n```",
    ),
    "settings with places to fill in": (ASK, "Use this:\n```yaml\ndb:\n  host: <your host>\n  [your port]\n```"),
    "a framework of the same language": (
        "Write a React component with a button.",
        "```tsx\nconst Press = () => {\n  return <button>Press</button>;\n};\nconsole.log(1)\n```",
    ),
    "a formula after a line": (
        ASK,
        "The area of a circle with a radius of two is given by\n\nA = 3.14 * 2 * 2 square units here.",
    ),
    "a title in a row of prose": (
        ASK,
        f"Seven things to know before you visit the old town\n\n{LINE}\n\n{LINE} {TWO}\n\n{TWO}",
    ),
    "an address in a letter": (
        ASK,
        "Dear all of you who came to the meeting on Monday\n\nThank you for your time and your help.",
    ),
    "number": ("What is 2 + 2?", "4"),
    "picked numbers": (ASK, "Rooms:\n1. Hall.\n2. Attic.\n5. Cellar."),
    "clues across and down": (ASK, "Across\n1. River.\n3. Hill.\n4. Lake.\n\nDown\n1. Sea.\n2. Pond."),
    "chess on one line": (ASK, "The game goes like this.\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6"),
    "chess after prose": (ASK, TWO + "White opens. 1. e4 e5 2. Nf3 d6 3. d4 exd4"),
    "chess by lines": (ASK, "White has played well.\n\n1. d4 d5.\n2. c4 e6.\n3. Nc3 Nf6.\n4. Bg5 Be7"),
    "word": ("Capital of France?", "Paris"),
    "no full stop": (ASK, "It rises in the hills and flows through two old towns"),
    "rare last word": (ASK, "It is a small animal of the west and is called the quokka"),
    "verb known only inflected": (ASK, "It is made of a kind of thread to which the seeds will cling"),
    "the prompt's own half word": ("What does retur mean to you?", "It seems to be short for the word that is retur"),
    "verse that ends in a half word": ("Write a poem.", "We sit by the river at the end of\nthe day and the town of\nold is in the retur"),
    "sign-off": (ASK, TWO + "\n\nBest regards,\nAnna"),
    "sign-off alone": (ASK, TWO + "\n\nYours sincerely,"),
    "placeholder": (ASK, "Dear Sir,\n\n" + TWO + "\n\n[Your Name]"),
    "address": (ASK, TWO + "See https://example.com/rivers"),
    "hashtags": (ASK, TWO + "#river #town"),
    "emoji": (ASK, TWO + "Enjoy 🎉"),
    "stage direction": (ASK, TWO + "Goodbye! *waves and walks off*"),
    "bracketed": (ASK, TWO + "(see also the chapter on towns)"),
    "list without stops": (ASK, "Buy:\n- milk\n- bread\n- two eggs"),
    "ends in a label": (ASK, TWO + "**Difficulty:** medium"),
    "poem": ("Write a poem.", "The river runs\nbeneath the moon\nand on and on\nit hums a tune"),
    "closed fence": (ASK, "Run:\n```bash\nls\n```"),
    "fence of four": (ASK, "````md\n```\ncode\n```\n````"),
    "maths": (ASK, "We get \\( x \\) and \\[ y = 1 \\] and $$z$$ and \\begin{a}x\\end{a}."),
    "prices": (ASK, "It is $5 or $$ on the scale."),
    "table": (ASK, "| a | b |\n|---|---|\n| 1 | 2 |"),
    "table without edges": (ASK, "a | b\n--|--\n1 | 2"),
    "answer on its line": (ASK, "We add them up and so the answer is\n42."),
    "horizontal rule": (ASK, TWO + "\n\n---"),
    "colon inside": (ASK, "Two things: milk and bread."),
    "quotation": (ASK, TWO + "She said, “It is long.”"),
    "thai": ("สวัสดี", "แม่น้ำไหลผ่านเมืองเก่าสองเมือง แล้วไหลลงทะเล"),
    "refrain": ("Write a song.", (LINE + "\n") * 5),
    "asked repetition": ("Write it 10 times.", (LINE + " ") * 10),
    "table rows": (ASK, "| the same old row of cells | 1 |\n" * 8),
    "code lines": (ASK, "```\n" + "print('the same line of code again')\n" * 8 + "```"),
    "list with a field": (ASK, "\n".join(f"{n}. Item {n}\n   - Price: ask in the shop, please" for n in range(1, 7))),
    "digits": (ASK, "The pattern is 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1."),
    "accents": (ASK, "Ça coûte 5 €, « déjà vu », naïve, CAFÉ… ÉTÉ’ Ü“ and Ångström."),
    "portuguese capitals": (ASK, "NÃO É POSSÍVEL, AMANHÃ. “MAÇÃ”"),
    "vietnamese": (ASK, "Tôi yêu Việt Nam, đất nước Â, Ã và Đ."),
    "encoding talk": ("Why do I see Ã© in my text? Is it an encoding matter?", "The Ã© comes from UTF-8."),
    "copied damage": ("What is cafÃ©?", "The word cafÃ© should read café."),
    "names": (ASK, "Krzysztof Szczęsny, Schwartzkopf, Ng, Hrvrd and Brzezinski met at Knightsbridge lengths."),
    "acronyms": (ASK, "HTTPS, HTML, XHTML, NFKC, WPF, BGP, DHCP and NTFS are all there."),
    "hash": (ASK, "The digest is 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08."),
    "czech": ("Napiš větu.", "Strč prst skrz krk. Vlk zmrzl, zhltl hrst zrn."),
    "welsh": ("Write.", "Mae'r cwrw yn dda yng nghwm Rhymni, llwyth o lyfrgelloedd."),
    "password": ("Give me a strong password.", "xkqzvbnm wrtplkjh sdfghjkl zxcvbnmq"),
    "laughing": (ASK, "Hahahahahahaha, noooooooooo way!"),
    "translation": (
        "Translate to Spanish: the chain of my bike keeps falling off when I ride it.",
        "La cadena de mi bicicleta se sale continuamente cuando la monto, y no sé qué hacer con ella.",
    ),
    "asked in german": (
        "Schreibe auf Englisch einen kurzen Text über mein Fahrrad und seine alte Kette.",
        "You should first check whether the chain is worn, and then adjust the derailleur so that it is fine.",
    ),
    "latin name list": (ASK, "Quercus robur, Fagus sylvatica, Acer campestre, Betula pendula, Alnus glutinosa, Pinus."),
    "code answer": ("Bitte schreibe eine Funktion, die zwei Zahlen addiert und das Ergebnis ausgibt.",
                    "```python\ndef add(first, second):\n    return first + second\n\nprint(add(1, 2))\n```"),
    "python fragment": (ASK, "```python\nelif x:\n    y()\n```"),
    "python indented": (ASK, "```python\n    x = 1\n    return x\n```"),
    "python ellipsis": (ASK, "```python\ndef f(a, ...):\n    ...\n```"),
    "python transcript": (ASK, "```python\n>>> 1 + 1\n2\n```"),
    "python two": (ASK, "```python\nprint 'hi'\n```"),
    "python shell": (ASK, "```python\npip install x\nimport x\n```"),
    "python notebook": (ASK, "```python\n!ls\n%matplotlib inline\nx = 1\n```"),
    "python template": (ASK, "```python\nx = {{ value }}\n```"),
    "python slot": (ASK, "```python\nx = <your value>\n```"),
    "python escapes": (ASK, "```python\nimport re\nre.match('\\d+\\s', x)\nopen('C:\\new')\n```"),
    "python await": (ASK, "```python\nawait f()\n```"),
    "buffalo": (ASK, "Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo."),
    "five times": (ASK, "It was a long long long long long way to the old town."),
    "row of names": (ASK, "| left | left | left | left | left | left | left |"),
    "python bodies left out": (ASK, "```python\ndef f():\n\ndef g():\n```"),
    "python no body": (ASK, "```python\ndef f():\n    # your code here\n```"),
    "json with elision": (ASK, '```json\n{"a": 1, ...}\n```'),
    "json with comment": (ASK, '```json\n{\n  // note\n  "a": 1\n}\n```'),
    "json members": (ASK, '```json\n"a": 1,\n"b": 2\n```'),
    "json lines": (ASK, '```json\n{"a": 1}\n{"a": 2}\n```'),
    "json with slot": (ASK, '```json\n{"a": <number>}\n```'),
    "yaml template": (ASK, "```yaml\na: {{ .Values.b }}\n```"),
    "yaml documents": (ASK, "```yaml\na: 1\n---\nb: 2\n```"),
    "xml fragment": (ASK, "```xml\n<a/>\n<b android:x='1'/>\n```"),
    "xml doctype": (ASK, "```xml\n<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;\n```"),
    "unknown language": (ASK, "```rust\nfn f( {\n```"),
    "broken on purpose": ("Show me an invalid python line.", "```python\ndef f(:\n```"),
    "brace talk": (ASK, "{curly} braces and [square] ones differ."),
    "json then words": (ASK, '{"a": 1}\n\nThis is the object you asked for.'),
    "all ones": (ASK, "1. One.\n1. Two.\n1. Three.\n1. Four."),
    "restart": (ASK, "1. One.\n2. Two.\n\nNext:\n\n1. One.\n2. Two."),
    "picked": (ASK, "The right ones are:\n2. b\n5. e\n7. g\n11. k"),
    "countdown": (ASK, "5. Five.\n4. Four.\n3. Three.\n2. Two.\n1. One."),
    "nested": (ASK, "1. One.\n   1. a\n   2. b\n2. Two.\n   1. a\n3. Three."),
    "years": (ASK, "It began in\n1990. Then came more."),
    "sub-heading": (ASK, "# Title\n\n## Part\n\nText is here."),
    "heading that speaks": (ASK, "## Part\n\nText.\n\n## Thank you for reading!"),
    "operator": ("Which operator adds two numbers? Reply with the symbol only.", "+"),
    "emoji answer": ("How are you?", "😀"),
    "letter answer": ("Which option is right?", "B"),
    "nul talk": (ASK, "The form feed and the tab\tare fine.\r\nSo is this."),
    "unfinished on purpose": ("Write an unfinished story.", TWO + "And then the"),
}  # fmt: skip


def detectors(prompt: str, response: str, finish_reason: str | None = None) -> set[str]:
    judgement = shipped().judge("coherence", Exchange(prompt, response, finish_reason))
    return {finding.detector.removeprefix("coherence.") for finding in judgement.findings}


@pytest.mark.parametrize("name", FLAGGED)
def test_flagged(name: str) -> None:
    detector, prompt, response = FLAGGED[name]
    assert detector in detectors(prompt, response)


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_left_alone(name: str) -> None:
    assert detectors(*LEFT_ALONE[name]) == set()


@pytest.mark.parametrize("reason", ["length", "max_tokens"])
def test_the_finish_reason_of_a_provider_counts(reason: str) -> None:
    assert detectors(ASK, TWO.strip(), reason) == {"cut.provider"}


def test_a_finished_answer_is_not_cut() -> None:
    assert detectors(ASK, TWO.strip(), "stop") == set()


@pytest.mark.parametrize("kind", ["CERTIFICATE", "PGP PUBLIC KEY BLOCK", "RSA PRIVATE KEY"])
def test_the_last_line_of_a_key_is_an_end(kind: str) -> None:
    block = f"-----BEGIN {kind}-----\nmDMEZkq1\n-----END {kind}-----"
    assert not any(name.startswith("cut.") for name in detectors(ASK, block))
