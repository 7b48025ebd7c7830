import { isJsonObject } from '../../../../bridge/text/index.ts';
import { type AgentFiles, readJsonValue } from './agent-files.ts';
import { type Check, failed, passed, showValue } from './check-result.ts';
import { normalizeWhen, parseWhen, type WhenCondition, whenHolds, type WindowContext } from './conditions.ts';

const keybindingsPath = '/ide/data/User/keybindings.json';

interface ParsedRule {
  readonly chords: readonly string[];
  readonly command: string;
  readonly when: WhenCondition | undefined;
}

/** The key bindings in force in what the agent left: VS Code's own, then the user's rules over them. */
export class Keybindings {
  /** Why the file can't be believed; undefined if it can. */
  readonly problem: string | undefined;
  readonly #rules: readonly ParsedRule[];

  private constructor(problem: string | undefined, rules: readonly ParsedRule[]) {
    this.problem = problem;
    this.#rules = rules;
  }

  /** @param defaults all of VS Code's rules for the keys that will be requested */
  static async read(files: AgentFiles, defaults: readonly KeyRule[] = ideKeybindings): Promise<Keybindings> {
    const read = await readJsonValue(files, keybindingsPath);
    if (read.kind === 'malformed') return new Keybindings(read.why, []);
    const value = read.kind === 'missing' ? [] : (read.value ?? []);
    if (!Array.isArray(value)) return new Keybindings(`${keybindingsPath} does not hold a list of rules`, []);
    const user = value.flatMap(readRule);
    const removals = user.filter(({ command }) => command.startsWith('-'));
    const kept = defaults
      .map(parseRule)
      .filter((rule) => !removals.some((removal) => removes(removal, rule)));
    return new Keybindings(undefined, [...kept, ...user.filter((rule) => !removals.includes(rule))]);
  }

  /** The command that a key runs in this state of the window; undefined for none, or for the first of two chords. */
  commandFor(key: string, context: WindowContext): string | undefined {
    const chords = normalizeChords(key);
    const found = this.#rules.findLast(
      (rule) => chords.every((chord, index) => rule.chords[index] === chord) && whenHolds(rule.when, context),
    );
    return found?.chords.length === chords.length && found.command !== '' ? found.command : undefined;
  }
}

/** A key runs this command when the window is in this state. */
export function keyRuns(bindings: Keybindings, key: string, command: string, context: WindowContext): Check {
  return checkKey(bindings, key, context, (found) => found === command, `expected ${command}`);
}

/** A key runs anything but this command when the window is in this state. */
export function keyDoesNotRun(
  bindings: Keybindings,
  key: string,
  command: string,
  context: WindowContext,
): Check {
  return checkKey(bindings, key, context, (found) => found !== command, `expected anything else`);
}

function checkKey(
  bindings: Keybindings,
  key: string,
  context: WindowContext,
  isRight: (command: string | undefined) => boolean,
  expected: string,
): Check {
  const name = `${key} with ${Object.keys(context).join(', ') || 'nothing in focus'}`;
  if (bindings.problem !== undefined) return failed(name, bindings.problem);
  const found = bindings.commandFor(key, context);
  const says = `runs ${showValue(found)}`;
  return isRight(found) ? passed(name, says) : failed(name, `${says}, ${expected}`);
}

/** VS Code leaves out a rule that it can't read. */
function readRule(raw: unknown): ParsedRule[] {
  if (!isJsonObject(raw)) return [];
  const { key, command, when } = raw;
  if (typeof key !== 'string' || typeof command !== 'string') return [];
  return [parseRule({ key, command, ...(typeof when === 'string' ? { when } : {}) })];
}

function parseRule({ key, command, when }: KeyRule): ParsedRule {
  return { chords: normalizeChords(key), command, when: parseWhen(when) };
}

/**
 * A rule with a minus removes VS Code's own rules for this command: with this key, and this condition if it has one.
 */
function removes(removal: ParsedRule, rule: ParsedRule): boolean {
  if (removal.command !== `-${rule.command}`) return false;
  if (removal.chords.some((chord, index) => chord !== rule.chords[index])) return false;
  return removal.when === undefined || normalizeWhen(removal.when) === normalizeWhen(rule.when);
}

/** A rule of keybindings.json, or of VS Code's own. */
interface KeyRule {
  readonly key: string;
  readonly command: string;
  readonly when?: string;
}

/** The IDE's own rules for the commands that tasks are about; a later one is asked first. */
export const ideKeybindings: readonly KeyRule[] = [
  { key: 'ctrl+alt+f', command: 'list.find', when: 'listFocus && listSupportsFind' },
  { key: 'f3', command: 'list.find', when: 'listFocus && listSupportsFind' },
  { key: 'ctrl+f', command: 'actions.find', when: 'editorFocus || editorIsOpen' },
];

const modifierOrder = ['ctrl', 'shift', 'alt', 'meta'];
const otherModifierNames: Readonly<Record<string, string>> = {
  cmd: 'meta',
  win: 'meta',
  control: 'ctrl',
  option: 'alt',
};

/** The chords of a key, each in one way of writing it: `Alt+CTRL+F` is `ctrl+alt+f`. */
function normalizeChords(key: string): string[] {
  return key
    .toLowerCase()
    .split(/\s+/)
    .filter((chord) => chord !== '')
    .map(normalizeChord);
}

function normalizeChord(chord: string): string {
  const parts = chord.split('+').map((part) => otherModifierNames[part] ?? part);
  const modifiers = modifierOrder.filter((name) => parts.includes(name));
  const rest = parts.filter((part) => !modifierOrder.includes(part)).map(plainKey);
  return [...modifiers, ...rest].join('+');
}

/** The key itself where a rule names its place on the keyboard, e.g. `[KeyF]`. */
function plainKey(name: string): string {
  const [, letter, digit] = /^\[(?:key([a-z])|digit(\d))\]$/.exec(name) ?? [];
  return letter ?? digit ?? name;
}
