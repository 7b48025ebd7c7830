import type { AgentFiles } from '../agent-files.ts';
import { failed, passed, show, type Check } from '../check.ts';
import { isObject, readJsonValue } from '../jsonc.ts';
import { ideKeybindings, type Rule } from './defaults.ts';
import { chordsOf } from './keys.ts';
import { holds, normal, parseWhen, type Context, type When } from './when.ts';

const path = '/ide/data/User/keybindings.json';

interface Parsed {
  readonly chords: readonly string[];
  readonly command: string;
  readonly when: When | undefined;
}

/** The key bindings in force in what the agent left: VS Code's own, then the user's rules over them. */
export class Keybindings {
  /** Why the file can't be believed; undefined if it can. */
  readonly problem: string | undefined;
  readonly #rules: readonly Parsed[];

  private constructor(problem: string | undefined, rules: readonly Parsed[]) {
    this.problem = problem;
    this.#rules = rules;
  }

  /** @param defaults all of VS Code's rules for the keys that will be requested */
  static async read(files: AgentFiles, defaults: readonly Rule[] = ideKeybindings): Promise<Keybindings> {
    const read = await readJsonValue(files, path);
    if (read.kind === 'malformed') return new Keybindings(read.why, []);
    const value = read.kind === 'missing' ? [] : (read.value ?? []);
    if (!Array.isArray(value)) return new Keybindings(`${path} does not hold a list of rules`, []);
    const user = value.flatMap(ruleOf);
    const removals = user.filter(({ command }) => command.startsWith('-'));
    const kept = defaults.map(parsed).filter((rule) => !removals.some((removal) => removes(removal, rule)));
    return new Keybindings(undefined, [...kept, ...user.filter((rule) => !removals.includes(rule))]);
  }

  /** The command that a key runs in this state of the window; undefined for none, or for the first of two chords. */
  commandFor(key: string, context: Context): string | undefined {
    const chords = chordsOf(key);
    const found = this.#rules.findLast(
      (rule) => chords.every((chord, index) => rule.chords[index] === chord) && holds(rule.when, context),
    );
    return found?.chords.length === chords.length && found.command !== '' ? found.command : undefined;
  }
}

/** A key runs this command when the window is in this state. */
export function keyRuns(bindings: Keybindings, key: string, command: string, context: Context): Check {
  return check(bindings, key, context, (found) => found === command, `expected ${command}`);
}

/** A key runs anything but this command when the window is in this state. */
export function keyDoesNotRun(bindings: Keybindings, key: string, command: string, context: Context): Check {
  return check(bindings, key, context, (found) => found !== command, `expected anything else`);
}

function check(
  bindings: Keybindings,
  key: string,
  context: Context,
  isRight: (command: string | undefined) => boolean,
  expected: string,
): Check {
  const name = `${key} with ${Object.keys(context).join(', ') || 'nothing in focus'}`;
  if (bindings.problem !== undefined) return failed(name, bindings.problem);
  const found = bindings.commandFor(key, context);
  const says = `runs ${show(found)}`;
  return isRight(found) ? passed(name, says) : failed(name, `${says}, ${expected}`);
}

/** VS Code leaves out a rule that it can't read. */
function ruleOf(raw: unknown): Parsed[] {
  if (!isObject(raw)) return [];
  const { key, command, when } = raw;
  if (typeof key !== 'string' || typeof command !== 'string') return [];
  return [parsed({ key, command, ...(typeof when === 'string' ? { when } : {}) })];
}

function parsed({ key, command, when }: Rule): Parsed {
  return { chords: chordsOf(key), command, when: parseWhen(when) };
}

/**
 * A rule with a minus removes VS Code's own rules for this command: with this key, and this condition if it has one.
 */
function removes(removal: Parsed, rule: Parsed): boolean {
  if (removal.command !== `-${rule.command}`) return false;
  if (removal.chords.some((chord, index) => chord !== rule.chords[index])) return false;
  return removal.when === undefined || normal(removal.when) === normal(rule.when);
}
