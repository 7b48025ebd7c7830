/** A value that is written in a program: a number, a text, True, False or None, or several. */
export type Literal = number | string | boolean | null | readonly Literal[];

/** A call such as `pyautogui.click(10, 20, button='right')`. */
export interface PythonCall {
  /** With its module, e.g. `time.sleep`. */
  readonly name: string;
  readonly positional: readonly Literal[];
  readonly named: ReadonlyMap<string, Literal>;
}

interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'end';
  readonly text: string;
  readonly value?: number | string;
}

/** The most tokens of a program, and brackets inside of each other: scripts of agents have a few dozen tokens. */
const mostTokens = 20_000;
const deepest = 20;

const tokenPattern =
  /[ \t\f]+|#[^\n]*|\\\r?\n|(?<end>[\n;\r]+)|(?<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?!["'])|(?<number>(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])|(?<prefix>[rRuU]?)(?<quoted>"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^\\"\n]|\\[^])*"|'(?:[^\\'\n]|\\[^])*')|(?<sign>[()[\],=+-])/uy;

/**
 * The calls of a Python program that does nothing but call functions with values that it writes itself, one after the other.
 * It may have imports, comments, and names that are given such values. Undefined for any other program.
 */
export function readPythonCalls(program: string): PythonCall[] | undefined {
  const tokens = tokenize(program);
  return tokens && new ProgramReader(tokens).read();
}

function tokenize(program: string): Token[] | undefined {
  const tokens: Token[] = [];
  let depth = 0;
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < program.length) {
    const groups = tokenPattern.exec(program)?.groups;
    if (!groups || tokens.length > mostTokens || depth > deepest) return undefined;
    const { end, name, number, quoted, prefix = '', sign } = groups;
    if (sign === '(' || sign === '[') depth += 1;
    if (sign === ')' || sign === ']') depth -= 1;
    // Inside of brackets, a line continues.
    if (end !== undefined && (depth === 0 || end.includes(';'))) tokens.push({ kind: 'end', text: end });
    if (name !== undefined) tokens.push({ kind: 'name', text: name });
    if (number !== undefined)
      tokens.push({ kind: 'number', text: number, value: Number(number.replaceAll('_', '')) });
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    if (quoted === undefined) continue;
    const value = readText(quoted, /r/i.test(prefix));
    if (value === undefined) return undefined;
    tokens.push({ kind: 'text', text: quoted, value });
  }
  return [...tokens, { kind: 'end', text: '' }];
}

const escapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '\n': '' },
  ...{ '\\': '\\', "'": "'", '"': '"' },
};

/** The text that a literal stands for; undefined for one with an escape that is not known. */
function readText(quoted: string, isRaw: boolean): string | undefined {
  const edge = /^("""|''')/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(edge, -edge).replaceAll('\r\n', '\n');
  if (isRaw) return inner;
  let isKnown = true;
  const text = inner.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([^]))/gu,
    (whole: string, ...groups: (string | undefined)[]) => {
      const [x, u, long, octal, sign] = groups;
      const code = x ?? u ?? long;
      if (code !== undefined || octal !== undefined) {
        const point = code === undefined ? parseInt(octal ?? '', 8) : parseInt(code, 16);
        if (point <= 0x10ffff) return String.fromCodePoint(point);
      }
      // Python keeps the backslash before any other character; of its names of characters none is known here.
      isKnown &&= sign !== undefined && !'xuUN'.includes(sign);
      return escapes[sign ?? ''] ?? whole;
    },
  );
  return isKnown ? text : undefined;
}

class Unreadable extends Error {}

class ProgramReader {
  readonly #tokens: readonly Token[];
  readonly #calls: PythonCall[] = [];
  readonly #values = new Map<string, Literal>([
    ['True', true],
    ['False', false],
    ['None', null],
  ]);
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): PythonCall[] | undefined {
    try {
      while (this.#at < this.#tokens.length) {
        if (this.#peek()?.kind !== 'end') this.#readStatement();
        this.#take('end');
      }
      return this.#calls;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #readStatement(): void {
    // A text alone is a comment.
    if (this.#peek()?.kind === 'text') return void this.#readValue();
    const name = this.#take('name').text;
    if (name === 'import') {
      do this.#take('name');
      while (this.#skip(','));
      return;
    }
    if (this.#skip('=')) this.#values.set(name, this.#readValues());
    else this.#readCall(name);
  }

  #readCall(name: string): void {
    this.#takeSign('(');
    const positional: Literal[] = [];
    const named = new Map<string, Literal>();
    while (!this.#skip(')')) {
      const key = this.#peek();
      if (key?.kind === 'name' && this.#peek(1)?.text === '=') {
        this.#at += 2;
        named.set(key.text, this.#readValue());
      } else positional.push(this.#readValue());
      if (!this.#skip(',') && this.#peek()?.text !== ')') throw new Unreadable();
    }
    this.#calls.push({ name, positional, named });
  }

  /** One value, or several without brackets. */
  #readValues(): Literal {
    const values = [this.#readValue()];
    let isTuple = false;
    while (this.#skip(',')) {
      isTuple = true;
      if (this.#peek()?.kind === 'end') break;
      values.push(this.#readValue());
    }
    return isTuple ? values : (values[0] ?? null);
  }

  #readValue(): Literal {
    const token = this.#next();
    if (token.kind === 'text') return this.#joinTexts(token);
    if (token.kind === 'number') return token.value ?? 0;
    if (token.kind === 'name') return this.#readName(token.text);
    if (token.text === '-' || token.text === '+') {
      const { value } = this.#take('number');
      return token.text === '-' ? -Number(value) : Number(value);
    }
    if (token.text === '[' || token.text === '(') return this.#readList(token.text);
    throw new Unreadable();
  }

  /** Texts that stand one after the other are one. */
  #joinTexts({ value }: Token): string {
    let text = String(value);
    for (let next = this.#peek(); next?.kind === 'text'; next = this.#peek()) {
      text += String(next.value);
      this.#at += 1;
    }
    return text;
  }

  #readName(name: string): Literal {
    const value = this.#values.get(name);
    if (value !== undefined) return value;
    // How the pointer moves is nothing that is played.
    if (/^pyautogui\.(ease|linear)\w*$/.test(name)) return null;
    if (/^pyautogui\.(LEFT|MIDDLE|RIGHT|PRIMARY|SECONDARY)$/.test(name)) return name.slice(10).toLowerCase();
    throw new Unreadable();
  }

  #readList(open: string): Literal {
    const close = open === '[' ? ']' : ')';
    const values: Literal[] = [];
    let isList = open === '[';
    while (!this.#skip(close)) {
      values.push(this.#readValue());
      if (this.#skip(',')) isList = true;
      else if (this.#peek()?.text !== close) throw new Unreadable();
    }
    return isList || values.length !== 1 ? values : (values[0] ?? null);
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #next(): Token {
    const token = this.#peek();
    if (!token) throw new Unreadable();
    this.#at += 1;
    return token;
  }

  #take(kind: Token['kind']): Token {
    const token = this.#next();
    if (token.kind !== kind) throw new Unreadable();
    return token;
  }

  #takeSign(sign: string): void {
    if (!this.#skip(sign)) throw new Unreadable();
  }

  #skip(sign: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#at += 1;
    return true;
  }
}
