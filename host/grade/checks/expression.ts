import { tokensOf } from './tokens.ts';

/** The result of a condition. */
export type Value = number | boolean;
export type Variables = Readonly<Record<string, Value>>;

const maxLength = 500;
const token = /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|\/\/|\*\*|[<>=!]=|[-+*/%<>()])/y;

/**
 * The value of an expression over numbers in Python's words, as conditions of breakpoints are: names, numbers,
 * arithmetic, chains of comparisons, `not`, `and`, `or`. Undefined for anything else; nothing is ever run.
 */
export function evaluate(text: string, variables: Variables): Value | undefined {
  const tokens = text.length > maxLength ? undefined : tokensOf(text, token);
  if (tokens === undefined) return undefined;
  try {
    const parser = new Parser(tokens, variables);
    const value = parser.either();
    return parser.ended ? value : undefined;
  } catch {
    return undefined;
  }
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
const sums: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
};
const products: Readonly<Record<string, (a: number, b: number) => number>> = {
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => a - b * Math.floor(a / b),
};

class Parser {
  readonly #tokens: readonly string[];
  readonly #variables: Variables;
  #at = 0;

  constructor(tokens: readonly string[], variables: Variables) {
    this.#tokens = tokens;
    this.#variables = variables;
  }

  get ended(): boolean {
    return this.#at === this.#tokens.length;
  }

  either(): Value {
    let value = this.#both();
    while (this.#take('or')) {
      const right = this.#both();
      value = value || right;
    }
    return value;
  }

  #both(): Value {
    let value = this.#negated();
    while (this.#take('and')) {
      const right = this.#negated();
      value = value && right;
    }
    return value;
  }

  #negated(): Value {
    return this.#take('not') ? !this.#negated() : this.#compared();
  }

  /** `0 < n < 3` holds when each pair does. */
  #compared(): Value {
    let left = this.#chain(sums, () => this.#product());
    let result: Value | undefined;
    for (let compare = this.#operator(comparisons); compare; compare = this.#operator(comparisons)) {
      const right = this.#chain(sums, () => this.#product());
      result = (result ?? true) && compare(Number(left), Number(right));
      left = right;
    }
    return result ?? left;
  }

  #product(): Value {
    return this.#chain(products, () => this.#atom());
  }

  #chain(operators: Readonly<Record<string, (a: number, b: number) => number>>, part: () => Value): Value {
    let left = part();
    for (let combine = this.#operator(operators); combine; combine = this.#operator(operators)) {
      left = combine(Number(left), Number(part()));
    }
    return left;
  }

  #atom(): Value {
    if (this.#take('-')) return -Number(this.#atom());
    if (this.#take('+')) return Number(this.#atom());
    if (this.#take('(')) {
      const value = this.either();
      if (!this.#take(')')) throw new Error('expected )');
      return value;
    }
    return this.#nameOrNumber();
  }

  #nameOrNumber(): Value {
    const word = this.#tokens[this.#at] ?? '';
    this.#at += 1;
    if (/^\d/.test(word)) return Number(word);
    if (word === 'True' || word === 'False') return word === 'True';
    const value = Object.hasOwn(this.#variables, word) ? this.#variables[word] : undefined;
    if (value === undefined) throw new Error(`what is ${word}?`);
    return value;
  }

  #operator<F>(table: Readonly<Record<string, F>>): F | undefined {
    const word = this.#tokens[this.#at] ?? '';
    const found = Object.hasOwn(table, word) ? table[word] : undefined;
    if (found !== undefined) this.#at += 1;
    return found;
  }

  #take(wanted: string): boolean {
    if (this.#tokens[this.#at] !== wanted) return false;
    this.#at += 1;
    return true;
  }
}
