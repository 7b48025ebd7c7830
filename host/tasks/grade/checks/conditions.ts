/** The result of a condition. */
type ConditionValue = number | boolean;
export type ConditionVariables = Readonly<Record<string, ConditionValue>>;

const mostExpressionLength = 500;
const expressionToken = /\s*(\d+(?:\.\d+)?|[A-Za-z_]\w*|\/\/|\*\*|[<>=!]=|[-+*/%<>()])/y;

/**
 * The value of an expression over numbers in Python's words, as conditions of breakpoints are: names, numbers,
 * arithmetic, chains of comparisons, `not`, `and`, `or`. Undefined for anything else; nothing is ever run.
 */
export function evaluate(text: string, variables: ConditionVariables): ConditionValue | undefined {
  const tokens = text.length > mostExpressionLength ? undefined : splitTokens(text, expressionToken);
  if (tokens === undefined) return undefined;
  try {
    const parser = new ExpressionParser(tokens, variables);
    const value = parser.either();
    return parser.ended ? value : undefined;
  } catch {
    return undefined;
  }
}

const expressionComparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
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

class ExpressionParser {
  readonly #tokens: readonly string[];
  readonly #variables: ConditionVariables;
  #at = 0;

  constructor(tokens: readonly string[], variables: ConditionVariables) {
    this.#tokens = tokens;
    this.#variables = variables;
  }

  get ended(): boolean {
    return this.#at === this.#tokens.length;
  }

  either(): ConditionValue {
    let value = this.#both();
    while (this.#take('or')) {
      const right = this.#both();
      value = value || right;
    }
    return value;
  }

  #both(): ConditionValue {
    let value = this.#negated();
    while (this.#take('and')) {
      const right = this.#negated();
      value = value && right;
    }
    return value;
  }

  #negated(): ConditionValue {
    return this.#take('not') ? !this.#negated() : this.#compared();
  }

  /** `0 < n < 3` holds when each pair does. */
  #compared(): ConditionValue {
    let left = this.#chain(sums, () => this.#product());
    let result: ConditionValue | undefined;
    for (
      let compare = this.#operator(expressionComparisons);
      compare;
      compare = this.#operator(expressionComparisons)
    ) {
      const right = this.#chain(sums, () => this.#product());
      result = (result ?? true) && compare(Number(left), Number(right));
      left = right;
    }
    return result ?? left;
  }

  #product(): ConditionValue {
    return this.#chain(products, () => this.#atom());
  }

  #chain(
    operators: Readonly<Record<string, (a: number, b: number) => number>>,
    part: () => ConditionValue,
  ): ConditionValue {
    let left = part();
    for (let combine = this.#operator(operators); combine; combine = this.#operator(operators)) {
      left = combine(Number(left), Number(part()));
    }
    return left;
  }

  #atom(): ConditionValue {
    if (this.#take('-')) return -Number(this.#atom());
    if (this.#take('+')) return Number(this.#atom());
    if (this.#take('(')) {
      const value = this.either();
      if (!this.#take(')')) throw new Error('expected )');
      return value;
    }
    return this.#nameOrNumber();
  }

  #nameOrNumber(): ConditionValue {
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

/** A condition of a key binding, as VS Code reads it. */
export type WhenCondition =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly WhenCondition[] }
  | { readonly kind: 'not'; readonly part: WhenCondition }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'compare'; readonly key: string; readonly operator: string; readonly value: string };

/** VS Code's state of the window, by context key; a key that is not there is false. */
export type WindowContext = Readonly<Record<string, boolean | number | string>>;

const mostWhenLength = 2000;
const whenToken =
  /\s*(\|\||&&|==|!=|=~|<=|>=|<|>|!|\(|\)|'[^']*'|\/(?:\\.|[^/\\])+\/[a-z]*|[^\s=!&|()<>~']+)/y;
const whenComparisons = ['==', '!=', '=~', '<', '<=', '>', '>=', 'in'];

/** Undefined for no condition, which always holds. VS Code ignores a condition that it can't read. */
export function parseWhen(text: string | undefined): WhenCondition | undefined {
  const tokens =
    text === undefined || text.length > mostWhenLength ? undefined : splitTokens(text, whenToken);
  if (tokens === undefined || tokens.length === 0) return undefined;
  const parser = new WhenParser(tokens);
  try {
    const when = parser.any();
    return parser.peek() === undefined ? when : undefined;
  } catch {
    return undefined;
  }
}

class WhenParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  any(): WhenCondition {
    return this.#list('any', '||', () => this.#list('all', '&&', () => this.#term()));
  }

  #list(kind: 'all' | 'any', separator: string, part: () => WhenCondition): WhenCondition {
    const first = part();
    const parts = [first];
    while (this.#take(separator)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts };
  }

  #term(): WhenCondition {
    if (this.#take('!')) return { kind: 'not', part: this.#term() };
    if (this.#take('(')) {
      const inner = this.any();
      if (!this.#take(')')) throw new Error('expected )');
      return inner;
    }
    const key = this.#next();
    if (key === 'true' || key === 'false') return { kind: 'constant', value: key === 'true' };
    const operator = this.peek();
    if (operator !== undefined && whenComparisons.includes(operator)) {
      this.#at += 1;
      return { kind: 'compare', key, operator, value: this.#next().replaceAll(/^'|'$/g, '') };
    }
    return { kind: 'key', key };
  }

  #take(wanted: string): boolean {
    if (this.peek() !== wanted) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const found = this.peek();
    if (found === undefined || /^([|&=!<>()]|=~)/.test(found)) throw new Error('expected a name or a value');
    this.#at += 1;
    return found;
  }
}

export function whenHolds(when: WhenCondition | undefined, context: WindowContext): boolean {
  if (when === undefined) return true;
  switch (when.kind) {
    case 'all':
      return when.parts.every((part) => whenHolds(part, context));
    case 'any':
      return when.parts.some((part) => whenHolds(part, context));
    case 'not':
      return !whenHolds(when.part, context);
    case 'constant':
      return when.value;
    case 'key':
      return Boolean(readContextValue(context, when.key));
    case 'compare':
      return compareContextValue(readContextValue(context, when.key), when.operator, when.value);
  }
}

function readContextValue(context: WindowContext, key: string): WindowContext[string] | undefined {
  return Object.hasOwn(context, key) ? context[key] : undefined;
}

function compareContextValue(
  found: WindowContext[string] | undefined,
  operator: string,
  value: string,
): boolean {
  switch (operator) {
    case '==':
      return String(found ?? false) === value;
    case '!=':
      return String(found ?? false) !== value;
    case '<':
      return Number(found) < Number(value);
    case '<=':
      return Number(found) <= Number(value);
    case '>':
      return Number(found) > Number(value);
    case '>=':
      return Number(found) >= Number(value);
    default:
      // Patterns and lists ask for texts, which no task's context has.
      return false;
  }
}

/** One text for conditions that mean the same except for the order of their parts. */
export function normalizeWhen(when: WhenCondition | undefined): string {
  if (when === undefined) return '';
  switch (when.kind) {
    case 'all':
    case 'any':
      return `${when.kind}(${when.parts.map(normalizeWhen).sort().join(',')})`;
    case 'not':
      return `not(${normalizeWhen(when.part)})`;
    case 'constant':
      return String(when.value);
    case 'key':
      return JSON.stringify(when.key);
    case 'compare':
      return JSON.stringify([when.key, when.operator, when.value]);
  }
}

/**
 * The words of a text that consists of nothing else, white space aside; undefined for any other text.
 * @param word a word, as a sticky pattern with the word as its first group
 */
function splitTokens(text: string, word: RegExp): string[] | undefined {
  const tokens: string[] = [];
  const pattern = new RegExp(word);
  const whole = text.trimEnd();
  while (pattern.lastIndex < whole.length) {
    const [, found] = pattern.exec(whole) ?? [];
    if (found === undefined) return undefined;
    tokens.push(found);
  }
  return tokens;
}
