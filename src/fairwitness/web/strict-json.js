// Reads JSON so strictly that every JSON library would read the same: JSON.parse alone keeps the last
// of two equal keys and rounds numbers silently, and a digest must not depend on either.

const DEPTH_MAX = 32;
const LITERAL_MAX = 400;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS = { true: true, false: false, null: null };

export class BadDocument extends Error {}

/** Return the value a text or its UTF-8 bytes hold, or throw BadDocument. */
export function readStrict(document) {
  const reader = new Reader(typeof document === "string" ? document : decode(document));
  const value = reader.value(1);
  reader.space();
  if (reader.at < reader.text.length) reader.refuse();
  return value;
}

function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadDocument("not valid UTF-8");
  }
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  refuse() {
    const lines = this.text.slice(0, this.at).split("\n");
    const where = `line ${lines.length}, column ${lines.at(-1).length + 1}`;
    throw new BadDocument(`not valid JSON (${where})`);
  }

  space() {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1;
  }

  take(char) {
    this.space();
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  value(depth) {
    if (depth > DEPTH_MAX) throw new BadDocument("nested too deeply");
    if (this.take("{")) return this.object(depth);
    if (this.take("[")) return this.array(depth);
    if (this.text[this.at] === '"') return this.string();
    for (const [word, value] of Object.entries(WORDS)) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  object(depth) {
    const members = new Map();
    if (!this.take("}")) {
      do {
        this.space();
        if (this.text[this.at] !== '"') this.refuse();
        const key = this.string();
        if (members.has(key)) {
          throw new BadDocument(`the key ${JSON.stringify(key)} appears twice in one object`);
        }
        if (!this.take(":")) this.refuse();
        members.set(key, this.value(depth + 1));
      } while (this.take(","));
      if (!this.take("}")) this.refuse();
    }
    // Not an assignment: a member called __proto__ must be a member like any other.
    return Object.fromEntries(members);
  }

  array(depth) {
    const items = [];
    if (this.take("]")) return items;
    do items.push(this.value(depth + 1));
    while (this.take(","));
    if (!this.take("]")) this.refuse();
    return items;
  }

  string() {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === "\\" ? 2 : 1;
    let value;
    try {
      value = JSON.parse(this.text.slice(this.at, end + 1));
    } catch {
      this.refuse();
    }
    if (/\p{Surrogate}/u.test(value)) throw new BadDocument("a text contains a lone surrogate");
    this.at = end + 1;
    return value;
  }

  number() {
    NUMBER.lastIndex = this.at;
    const literal = NUMBER.exec(this.text)?.[0];
    if (literal === undefined) this.refuse();
    const value = Number(literal);
    const safe = Number.isFinite(value) && !(Number.isInteger(value) && !Number.isSafeInteger(value));
    if (!safe || literal.length > LITERAL_MAX || !asWritten(literal, value)) {
      const start = literal.slice(0, 40);
      throw new BadDocument(`the number ${start} is one that JSON parsers disagree on`);
    }
    this.at += literal.length;
    return value;
  }
}

// Writers print a double in its shortest form or with 17 digits; nothing else is taken.
function asWritten(literal, value) {
  const written = decimal(literal);
  return written === decimal(String(value)) || written === decimal(value.toPrecision(17));
}

function decimal(literal) {
  const [number, power = "0"] = literal.toLowerCase().split("e");
  const [whole, fraction = ""] = number.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  const exponent = Number(power) - fraction.length + digits.length - kept.length;
  return `${number.startsWith("-") ? "-" : ""}${kept}e${exponent}`;
}
