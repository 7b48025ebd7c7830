import { isObject } from './jsonc.ts';

/**
 * Settings as VS Code holds them: a tree in which `files.autoSave` and `{"files": {"autoSave": …}}` are one thing.
 * The value of a setting may be an object of its own; its keys are not split.
 */
export type Values = Readonly<Record<string, unknown>>;

/** Settings of one language: the languages that an override such as `[json][jsonc]` is for, and its values. */
export interface Override {
  readonly languages: readonly string[];
  readonly values: Values;
}

/** The two kinds of things in a settings.json. */
export function splitSettings(raw: Readonly<Record<string, unknown>>): {
  values: Values;
  overrides: Override[];
} {
  const plain: [string, unknown][] = [];
  const overrides: Override[] = [];
  for (const [key, value] of Object.entries(raw)) {
    if (!isOverride(key)) plain.push([key, value]);
    else if (isObject(value))
      overrides.push({ languages: languagesOf(key), values: toTree(Object.entries(value)) });
  }
  return { values: toTree(plain), overrides };
}

/** The value at a dotted key, or undefined. */
export function lookUp(values: Values, key: string): unknown {
  let value: unknown = values;
  for (const part of key.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** Later values over earlier ones; objects are merged key by key, as VS Code does across scopes. */
export function merge(below: unknown, over: unknown): unknown {
  if (!isObject(below) || !isObject(over)) return over;
  const merged = emptyTree();
  for (const [key, value] of [...Object.entries(below), ...Object.entries(over)]) {
    merged[key] = Object.hasOwn(merged, key) ? merge(merged[key], value) : value;
  }
  return merged;
}

/** The same without the values at these dotted keys. */
export function without(values: Values, keys: readonly string[]): Values {
  return keys.reduce((left, key) => remove(left, key.split('.')), values);
}

function remove(values: Values, [first = '', ...rest]: readonly string[]): Values {
  const { [first]: below, ...others } = values;
  if (below === undefined) return values;
  return rest.length > 0 && isObject(below) ? { ...others, [first]: remove(below, rest) } : others;
}

export function toTree(entries: readonly (readonly [string, unknown])[]): Values {
  const tree = emptyTree();
  for (const [key, value] of entries) insert(tree, key.split('.'), value);
  return tree;
}

function insert(tree: Record<string, unknown>, parts: readonly string[], value: unknown): void {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) {
    tree[first] = value;
    return;
  }
  const below = Object.hasOwn(tree, first) ? tree[first] : (tree[first] = emptyTree());
  // As in VS Code, a key below a plain value is left out.
  if (isObject(below)) insert(below, rest, value);
}

/** Without a prototype, so that a key such as `__proto__` is a key like any other. */
function emptyTree(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function isOverride(key: string): boolean {
  return /^(\[[^\]]+\])+$/.test(key);
}

function languagesOf(key: string): string[] {
  return [...key.matchAll(/\[([^\]]+)\]/g)].map(([, language = '']) => language.trim());
}
