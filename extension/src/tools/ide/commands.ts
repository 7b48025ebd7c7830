import { lstat, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { deadline, describeError, isTimeout, raceSignal } from '../../../../bridge/lib/index.ts';
import {
  guardedCommands,
  type ideTools,
  toolError,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import { readDefaultsText } from '../../state/index.ts';
import { formatPath, resolvePlace } from '../workspace-place.ts';
import { searchCommands } from './command-search.ts';
import {
  findUnknownModifier,
  type KeybindingRule,
  normalizeKeybinding,
  parseRules,
  resolveRules,
} from './keybinding-rules.ts';

type ListCommands = typeof ideTools.listCommands;
type RunCommand = typeof ideTools.runCommand;

/** Maximum UTF-16 code units of a result as JSON. */
const maxResultLength = 500_000;

export async function listCommands({
  query,
  limit,
}: ToolInput<ListCommands>): Promise<ToolOutput<ListCommands>> {
  const titles = collectTitles();
  const known = (await vscode.commands.getCommands(true)).map((command) => ({
    command,
    title: titles.get(command) ?? '',
  }));
  const { found, allWords } = searchCommands(query, known);
  return {
    commands: found.slice(0, limit).map(({ command, title }) => ({
      command: clipText(command),
      title: clipText(title),
      guarded: explainGuarded(command) ?? null,
    })),
    total: found.length,
    all_words: allWords,
    truncated: found.length > limit,
  };
}

export async function runCommand(
  { command, arguments: given, timeout_ms: ms }: ToolInput<RunCommand>,
  { signal }: ToolContext,
): Promise<ToolOutput<RunCommand>> {
  const guard = explainGuarded(command);
  if (guard !== undefined) throw toolError('guarded', `${command} is not run: ${guard}`);
  const values = await Promise.all(given.map((one) => reviveArguments(one)));
  if (tabOpeningCommands.has(command)) await refuseMissing(values);
  using limit = deadline(command, ms, signal);
  try {
    const asked = vscode.commands.executeCommand(command, ...values);
    return {
      state: 'finished',
      ...describeJsonResult(await raceSignal(Promise.resolve(asked), limit.signal)),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isTimeout(error))
      return { state: 'running', result: null, note: `${command} has not ended after ${ms} ms` };
    throw toCommandError(command, error);
  }
}

/** Commands that open a tab with an error for a missing file, without reporting an error. */
const tabOpeningCommands: ReadonlySet<string> = new Set(['vscode.open', 'vscode.openWith', 'vscode.diff']);

async function refuseMissing(values: readonly unknown[]): Promise<void> {
  const files = values.filter((one) => one instanceof vscode.Uri && one.scheme === 'file') as vscode.Uri[];
  for (const { fsPath } of files)
    if (!(await lstat(fsPath).catch(() => undefined)))
      throw toolError('not-found', `there is no file ${formatPath(fsPath)}`);
}

/**
 * VS Code does not list all commands that it can run, e.g. `vscode.execute…Provider`: only running a command shows
 * whether it exists.
 */
function toCommandError(command: string, cause: unknown): Error {
  const message = describeError(cause);
  if (message !== `command '${command}' not found`)
    return toolError('failed', `${command}: ${message}`, { cause });
  return toolError('not-found', `there is no command ${command}`, {
    help: 'Look for it with list_commands',
    cause,
  });
}

function explainGuarded(command: string): string | undefined {
  return guardedCommands.find(({ pattern }) => pattern.test(command))?.why;
}

function describeJsonResult(value: unknown): { result: unknown; note: string } {
  if (value === undefined) return { result: null, note: '' };
  try {
    const text = JSON.stringify(value);
    if (text.length <= maxResultLength) return { result: JSON.parse(text) as unknown, note: '' };
    return { result: null, note: `the result is left out: it has ${text.length} characters of JSON` };
  } catch {
    return { result: null, note: 'the result is left out: JSON can not express it' };
  }
}

interface Contributed {
  readonly contributes?: {
    readonly commands?: readonly { command?: unknown; title?: unknown; category?: unknown }[];
  };
}

function collectTitles(): Map<string, string> {
  const titles = new Map<string, string>();
  for (const { packageJSON } of vscode.extensions.all) {
    const { commands } = (packageJSON as Contributed).contributes ?? {};
    for (const { command, title, category } of Array.isArray(commands) ? commands : []) {
      if (typeof command !== 'string' || typeof title !== 'string') continue;
      titles.set(command, typeof category === 'string' ? `${category}: ${title}` : title);
    }
  }
  return titles;
}

/** Deeper than any command needs. */
const maxDepth = 50;

/**
 * Converts an argument of a command from JSON: descriptions of VS Code's objects become objects. Errors: `bad-arguments`,
 * and those of `place` for a path.
 */
async function reviveArguments(value: unknown, depth = 0): Promise<unknown> {
  if (depth > maxDepth) throw toolError('bad-arguments', `an argument is more than ${maxDepth} levels deep`);
  if (typeof value !== 'object' || value === null) return value;
  const inner = (one: unknown) => reviveArguments(one, depth + 1);
  if (Array.isArray(value)) return Promise.all(value.map(inner));
  const fields = Object.entries(value);
  const [[name, given] = ['', undefined]] = fields;
  if (fields.length === 1 && name === '$uri') return reviveUri(given);
  if (fields.length === 1 && name === '$position') return revivePosition(given);
  if (fields.length === 1 && name === '$range') return reviveRange(given);
  const entries = await Promise.all(fields.map(async ([key, one]) => [key, await inner(one)] as const));
  return Object.fromEntries(entries);
}

async function reviveUri(given: unknown): Promise<vscode.Uri> {
  if (typeof given !== 'string') throw toolError('bad-arguments', '$uri takes a path');
  return (await resolvePlace(given)).uri;
}

function revivePosition(given: unknown): vscode.Position {
  const { line, column } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (!isCount(line) || !isCount(column))
    throw toolError('bad-arguments', '$position takes {"line": …, "column": …}, which count from 1');
  return new vscode.Position(line - 1, column - 1);
}

function reviveRange(given: unknown): vscode.Range {
  const { start, end } = (given ?? {}) as Readonly<Record<string, unknown>>;
  return new vscode.Range(revivePosition(start), revivePosition(end));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

type ListKeybindings = typeof ideTools.listKeybindings;

export async function listKeybindings(
  { command = '', key, limit }: ToolInput<ListKeybindings>,
  _: ToolContext,
  profile: vscode.Uri,
): Promise<ToolOutput<ListKeybindings>> {
  const unknown = key === undefined ? undefined : findUnknownModifier(key);
  if (unknown !== undefined)
    throw toolError(
      'bad-arguments',
      `${unknown} in ${key} is not a modifier: they are ctrl, shift, alt and meta`,
    );
  const user = parseRules(await readUserKeybindings(vscode.Uri.joinPath(profile, 'keybindings.json').fsPath));
  const { rules, removed } = resolveRules(parseRules(await readDefaultsText('keybindings.json')), user);
  const wanted = key === undefined ? undefined : normalizeKeybinding(key);
  const fits = (rule: KeybindingRule) =>
    rule.command.toLowerCase().includes(command.toLowerCase()) &&
    (wanted === undefined || rule.key === wanted || rule.key.startsWith(`${wanted} `));
  const found = rules.filter(fits);
  return {
    keybindings: found.slice(0, limit).map(describeKeybinding),
    total: found.length,
    removed: removed.filter(fits).slice(0, 500).map(describeKeybinding),
    truncated: found.length > limit,
  };
}

function describeKeybinding({
  key,
  command,
  when,
  args,
  source,
}: KeybindingRule): ToolOutput<ListKeybindings>['keybindings'][number] {
  return {
    key: clipText(key),
    command: clipText(command),
    when: clipText(when),
    ...(args !== undefined && { arguments: args }),
    source,
  };
}

/** Empty if the user has none. */
async function readUserKeybindings(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
