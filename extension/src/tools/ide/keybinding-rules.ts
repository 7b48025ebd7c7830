import { parse } from 'jsonc-parser';

/** A keybinding of keybindings.json. A user's keybinding whose command begins with `-` removes defaults. */
export interface KeybindingRule {
  /** Normal form: see {@link normalizeKeybinding}. */
  readonly key: string;
  readonly command: string;
  /** Empty if it always applies. */
  readonly when: string;
  readonly args?: unknown;
  readonly source: 'default' | 'user';
}

type PlainRule = Omit<KeybindingRule, 'source'>;

/** The rules of a text; as in VS Code, invalid entries are ignored. */
export function parseRules(text: string): PlainRule[] {
  const parsed: unknown = parse(text, [], { allowTrailingComma: true });
  return (Array.isArray(parsed) ? parsed : []).flatMap((one: unknown) => {
    const { key, command, when, args } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof command !== 'string' || (key !== undefined && typeof key !== 'string')) return [];
    const condition = typeof when === 'string' ? when.trim() : '';
    return [
      { key: normalizeKeybinding(key ?? ''), command, when: condition, ...(args !== undefined && { args }) },
    ];
  });
}

/**
 * The effective rules, the strongest first: of several rules for one key the last one wins, and the user's come after
 * the defaults. A removal removes the defaults of its command that have its key and its condition, if it names them.
 */
export function resolveRules(
  defaults: readonly PlainRule[],
  user: readonly PlainRule[],
): { rules: KeybindingRule[]; removed: KeybindingRule[] } {
  const removals = user.filter(({ command }) => command.startsWith('-'));
  const isRemoved = (rule: PlainRule) =>
    removals.some(
      ({ key, command, when }) =>
        command.slice(1) === rule.command &&
        (key === '' || key === rule.key) &&
        (when === '' || sameCondition(when, rule.when)),
    );
  const known = defaults.map((rule) => ({ ...rule, source: 'default' as const }));
  const own = user
    .filter(({ command, key }) => !command.startsWith('-') && command !== '' && key !== '')
    .map((rule) => ({ ...rule, source: 'user' as const }));
  const kept = known.filter((rule) => !isRemoved(rule));
  return { rules: [...kept, ...own].toReversed(), removed: known.filter(isRemoved) };
}

const modifiers = ['ctrl', 'shift', 'alt', 'meta'];

/** Lower case, modifiers in one order, one space between the parts of a chord: `Shift+Ctrl+K` is `ctrl+shift+k`. */
export function normalizeKeybinding(key: string): string {
  return key
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .map((stroke) => {
      const parts = stroke.replace(/\+\+$/, '+plus').split('+');
      const held = modifiers.filter((one) => parts.slice(0, -1).map(normalizeModifier).includes(one));
      return [...held, (parts.at(-1) ?? '').replace('plus', '+')].join('+');
    })
    .join(' ');
}

/** The first part of a key before a `+` that is not a modifier; undefined if all are modifiers. */
export function findUnknownModifier(key: string): string | undefined {
  const strokes = key.trim().toLowerCase().split(/\s+/);
  const held = strokes.flatMap((stroke) => stroke.replace(/\+\+$/, '+plus').split('+').slice(0, -1));
  return held.find((one) => !modifiers.includes(normalizeModifier(one)));
}

function normalizeModifier(name: string): string {
  return ['cmd', 'win', 'super'].includes(name) ? 'meta' : name;
}

function sameCondition(a: string, b: string): boolean {
  const parts = (text: string) => text.replaceAll(/\s+/g, '').split('&&').sort().join('&&');
  return parts(a) === parts(b);
}
