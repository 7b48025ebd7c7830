import { tokensOf } from '../tokens.ts';

/** A condition of a key binding, as VS Code reads it. */
export type When =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly When[] }
  | { readonly kind: 'not'; readonly part: When }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'compare'; readonly key: string; readonly operator: string; readonly value: string };

/** VS Code's state of the window, by context key; a key that is not there is false. */
export type Context = Readonly<Record<string, boolean | number | string>>;

const maxLength = 2000;
const token = /\s*(\|\||&&|==|!=|=~|<=|>=|<|>|!|\(|\)|'[^']*'|\/(?:\\.|[^/\\])+\/[a-z]*|[^\s=!&|()<>~']+)/y;
const comparisons = ['==', '!=', '=~', '<', '<=', '>', '>=', 'in'];

/** Undefined for no condition, which always holds. VS Code ignores a condition that it can't read. */
export function parseWhen(text: string | undefined): When | undefined {
  const tokens = text === undefined || text.length > maxLength ? undefined : tokensOf(text, token);
  if (tokens === undefined || tokens.length === 0) return undefined;
  const parser = new Parser(tokens);
  try {
    const when = parser.any();
    return parser.peek() === undefined ? when : undefined;
  } catch {
    return undefined;
  }
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  any(): When {
    return this.#list('any', '||', () => this.#list('all', '&&', () => this.#term()));
  }

  #list(kind: 'all' | 'any', separator: string, part: () => When): When {
    const first = part();
    const parts = [first];
    while (this.#take(separator)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts };
  }

  #term(): When {
    if (this.#take('!')) return { kind: 'not', part: this.#term() };
    if (this.#take('(')) {
      const inner = this.any();
      if (!this.#take(')')) throw new Error('expected )');
      return inner;
    }
    const key = this.#next();
    if (key === 'true' || key === 'false') return { kind: 'constant', value: key === 'true' };
    const operator = this.peek();
    if (operator !== undefined && comparisons.includes(operator)) {
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

export function holds(when: When | undefined, context: Context): boolean {
  if (when === undefined) return true;
  switch (when.kind) {
    case 'all':
      return when.parts.every((part) => holds(part, context));
    case 'any':
      return when.parts.some((part) => holds(part, context));
    case 'not':
      return !holds(when.part, context);
    case 'constant':
      return when.value;
    case 'key':
      return Boolean(valueOf(context, when.key));
    case 'compare':
      return compares(valueOf(context, when.key), when.operator, when.value);
  }
}

function valueOf(context: Context, key: string): Context[string] | undefined {
  return Object.hasOwn(context, key) ? context[key] : undefined;
}

function compares(found: Context[string] | undefined, operator: string, value: string): boolean {
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
export function normal(when: When | undefined): string {
  if (when === undefined) return '';
  switch (when.kind) {
    case 'all':
    case 'any':
      return `${when.kind}(${when.parts.map(normal).sort().join(',')})`;
    case 'not':
      return `not(${normal(when.part)})`;
    case 'constant':
      return String(when.value);
    case 'key':
      return JSON.stringify(when.key);
    case 'compare':
      return JSON.stringify([when.key, when.operator, when.value]);
  }
}
