"""Answers to demands on code, mail, results and food: each prompt with right answers and wrong ones."""

from __future__ import annotations


def _fenced(language: str, code: str) -> str:
    return f"```{language}\n{code}\n```"


_MODE = "def mode(xs):\n    return max(set(xs), key=xs.count)"
_COUNTER = (
    "from collections import Counter\n\ndef mode(xs):\n    return Counter(xs).most_common(1)[0][0]"
)
_SUM_LOOP = "def total(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s"
_SUM_SELF = "def total(xs):\n    return xs[0] + total(xs[1:]) if xs else 0"
_JS_LOOP = "function pow(a, n) {\n  let r = 1;\n  for (let i = 0; i < n; i++) {\n    r *= a;\n  }\n  return r;\n}"
_JS_SELF = (
    "function pow(a, n) {\n  return n === 0 ? 1 : a * pow(a, n - 1);\n}\nconsole.log(pow(2, 3));"
)

# The prompt, answers that keep it, answers that break it.
ANSWERS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "Tar command to unpack a .tgz file? One command, no explanation.",
        ("`tar -xzf file.tgz`", "tar -xzf file.tgz", _fenced("bash", "tar -xzf file.tgz"),
         "Here you go:\n\n" + _fenced("bash", "tar -xzf file.tgz  # unpack it here")),
        (_fenced("bash", "tar -xzf file.tgz") + "\n\nThe `x` extracts, the `z` handles gzip and the `f` names the archive to read.",
         "Run `tar -xzf file.tgz` in the folder that holds the archive, and all of it is unpacked there."),
    ),
    (
        "Regex for a German postcode. Just the regex, nothing else.",
        (r"^\d{5}$", _fenced("", r"^\d{5}$"), r"`^\d{5}$`"),
        ("Here is the regex:\n\n" + _fenced("", r"^\d{5}$"), r"`^\d{5}$` matches exactly five digits."),
    ),
    (
        "What is 15% of 80 plus 4? Just the result, please.",
        ("16", "**16**", "The result is 16."),
        ("First, 15% of 80 is 12. Then we add 4 to that number, which gives us a total of 16.",),
    ),
    (
        "Suggest some jazz albums. Only titles, nothing else.",
        ("1. Kind of Blue\n2. Blue Train", "- The Black Saint and the Sinner Lady\n- Mingus Ah Um"),
        ("1. Kind of Blue – the calm modal record by Miles Davis that everyone should hear once\n"
         "2. Blue Train – a hard bop session led by John Coltrane with a great horn section",),
    ),
    (
        "A YAML config with one service, no code fence please.",
        ("services:\n  web:\n    image: nginx",),
        (_fenced("yaml", "services:\n  web:\n    image: nginx"),),
    ),
    (
        "Draft an email to my landlord about the boiler. Just the body please.",
        ("Dear Mr Hale,\n\nThe boiler has been cold since Monday.\n\nBest,\nIda",),
        ("Subject: Boiler\n\nDear Mr Hale,\n\nThe boiler has been cold since Monday.",
         "**Subject:** Boiler\n\nHello,\n\nthe boiler is cold."),
    ),
    (
        "Convert 3, 7 and 12 inches to centimetres, rounded to one decimal.",
        ("- 7.6 cm\n- 17.8 cm\n- 30.5 cm", "3 × 2.54 = 7.62, so 7.6 cm; 17.8 cm; 30.5 cm", "About 8 cm, 18 cm and 30 cm."),
        ("- 7.62 cm\n- 17.78 cm\n- 30.48 cm",),
    ),
    (
        "Python function for the mode of a list. No imports allowed.",
        (_fenced("python", _MODE), _fenced("python", _MODE) + "\n\nWith imports it would be:\n\n" + _fenced("python", _COUNTER),
         _fenced("python", 'def mode(xs):\n    """Never import anything."""\n    return max(xs, key=xs.count)')),
        (_fenced("python", _COUNTER),),
    ),
    (
        "Sum a list in Python, no loops please.",
        (_fenced("python", _SUM_SELF), _fenced("python", "def total(xs):\n    # no for or while here\n    return sum(xs)"),
         _fenced("python", "total = sum([x for x in xs])")),
        (_fenced("python", _SUM_LOOP),),
    ),
    (
        "Write a recursive function in Python that sums a list.",
        (_fenced("python", _SUM_SELF), _fenced("python", "def even(n):\n    return n == 0 or odd(n - 1)\n\ndef odd(n):\n    return n != 0 and even(n - 1)")),
        (_fenced("python", _SUM_LOOP),),
    ),
    (
        "Sum a list in Python without recursion.",
        (_fenced("python", _SUM_LOOP),),
        (_fenced("python", _SUM_SELF),),
    ),
    (
        "Power function in JavaScript. It must be recursive.",
        (_fenced("js", _JS_SELF), _fenced("js", "const pow = (a, n) => (n ? a * pow(a, n - 1) : 1);")),
        (_fenced("js", _JS_LOOP),),
    ),
    (
        "Python function that returns the even numbers of a list, don't print them.",
        (_fenced("python", "def evens(xs):\n    return [x for x in xs if x % 2 == 0]\n\nprint(evens([1, 2]))"),),
        (_fenced("python", "def evens(xs):\n    for x in xs:\n        if x % 2 == 0:\n            print(x)"),),
    ),
    (
        "Squares of the even numbers in Python as a list comprehension, please.",
        (_fenced("python", "[x * x for x in xs if x % 2 == 0]"),),
        (_fenced("python", "out = []\nfor x in xs:\n    if x % 2 == 0:\n        out.append(x * x)"),),
    ),
    (
        "CSS for two columns. Use grid instead of flexbox.",
        (_fenced("css", ".a {\n  display: grid;\n}"), _fenced("css", ".a { display: grid; }\n.a > nav { display: flex; }"),
         _fenced("css", "/* not display: flex */\n.a { display: grid; }")),
        (_fenced("css", ".a {\n  display: flex;\n}"),),
    ),
    (
        "Load a list in JavaScript with fetch, not axios.",
        (_fenced("js", "const r = await fetch('/list'); // axios.get is not needed"),),
        (_fenced("js", "const r = await axios.get('/list');"),),
    ),
    (
        "Python function that doubles and sums a list. Add a comment on every line.",
        (_fenced("python", "def f(xs):  # takes a list\n    ys = [2 * x for x in xs]  # doubles\n    total = sum(ys)  # adds\n    return total  # hands it back"),
         _fenced("python", "# takes a list\ndef f(xs):\n    # doubles\n    ys = [2 * x for x in xs]\n    # adds\n    total = sum(ys)\n    # hands it back\n    return total")),
        (_fenced("python", "def f(xs):\n    # doubles\n    ys = [2 * x for x in xs]\n    total = sum(ys)\n    print(total)\n    return total"),),
    ),
    (
        "Bash script that copies and packs a folder and exits on the first error.",
        (_fenced("bash", "#!/bin/bash\nset -euo pipefail\ncp -r a b\ntar -cf b.tar b\necho ok"), _fenced("bash", "cp -r a b && tar -cf b.tar b && echo ok"),
         _fenced("bash", "#!/bin/sh -e\ncp -r a b\ntar -cf b.tar b\necho ok")),
        (_fenced("bash", "#!/bin/bash\ncp -r a b\ntar -cf b.tar b\necho ok"),),
    ),
    (
        "SQL for the ten oldest users, lowercase keywords please.",
        (_fenced("sql", "-- SELECT in lower case\nselect name from users order by born limit 10;"), _fenced("sql", "select 'FROM' as word from users;")),
        (_fenced("sql", "SELECT name FROM users ORDER BY born LIMIT 10;"), "SELECT name FROM users ORDER BY born LIMIT 10;"),
    ),
    (
        "I need a Postgres query that lists logins per month.",
        (_fenced("sql", "SELECT date_trunc('month', at), count(*) FROM logins GROUP BY 1;"),),
        (_fenced("sql", "SELECT DATE_FORMAT(at, '%Y-%m'), COUNT(*) FROM logins GROUP BY 1;"),),
    ),
    (
        "Suggest a cake for a friend who can't eat gluten.",
        ("A lemon cake with almond flour, eggs and sugar.", "Sponge: 200 g gluten-free flour, 3 eggs.", "Mix the flour with the eggs and bake it."),
        ("A lemon cake: beat 3 eggs with sugar, fold in 200 g wheat flour and bake it.", "Mix 200 g all-purpose flour with 3 eggs."),
    ),
    (
        "An easy dessert, no dairy, for six people.",
        ("Fruit salad with mint.", "Berries with coconut cream.", "A tart with dairy-free cheese."),
        ("Panna cotta with cream and berries.", "Greek yogurt with honey and figs."),
    ),
    (
        "Give me a pizza recipe, no olives.",
        ("Spread the sauce, add mozzarella, brush it with olive oil and bake it.",),
        ("Spread the sauce, add mozzarella and olives and bake it.",),
    ),
    (
        "JS function that doubles the values of an array, no loops.",
        (_fenced("js", "function twice(a) {\n  return a.map((x) => x * 2);\n}\n\nfor (const x of twice([1])) console.log(x);"),),
        (_fenced("js", "function twice(a) {\n  const out = [];\n  for (const x of a) out.push(x * 2);\n  return out;\n}"),),
    ),
    (
        "Recipe for a stew. My son can't stand carrots.",
        ("Brown the beef, add potatoes and stock and simmer it.", "Use parsnips instead of carrots."),
        ("Brown the beef, add potatoes and two carrots and simmer it.", "Beef and carrot stew with thyme."),
    ),
)  # fmt: skip
