import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { deadline, isTimeout, messageOf, raceSignal } from '../../../../bridge/lib/index.ts';
import {
  guardedCommands,
  toolError,
  type ideTools,
  type ToolInput,
  type ToolOutput,
} from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import { pathText } from '../place/index.ts';
import { revived } from './arguments.ts';
import { searchCommands } from './command-search.ts';

type List = typeof ideTools.listCommands;
type Run = typeof ideTools.runCommand;

/** Maximum UTF-16 code units of a result as JSON. */
const longest = 500_000;

export async function listCommands({ query, limit }: ToolInput<List>): Promise<ToolOutput<List>> {
  const titles = titlesOf();
  const known = (await vscode.commands.getCommands(true)).map((command) => ({
    command,
    title: titles.get(command) ?? '',
  }));
  const { found, allWords } = searchCommands(query, known);
  return {
    commands: found.slice(0, limit).map(({ command, title }) => ({
      command: clipText(command),
      title: clipText(title),
      guarded: whyGuarded(command) ?? null,
    })),
    total: found.length,
    all_words: allWords,
    truncated: found.length > limit,
  };
}

export async function runCommand(
  { command, arguments: given, timeout_ms: ms }: ToolInput<Run>,
  { signal }: ToolContext,
): Promise<ToolOutput<Run>> {
  const guard = whyGuarded(command);
  if (guard !== undefined) throw toolError('guarded', `${command} is not run: ${guard}`);
  const values = await Promise.all(given.map((one) => revived(one)));
  if (opening.has(command)) await refuseMissing(values);
  using limit = deadline(command, ms, signal);
  try {
    const asked = vscode.commands.executeCommand(command, ...values);
    return { state: 'finished', ...asJson(await raceSignal(Promise.resolve(asked), limit.signal)) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isTimeout(error))
      return { state: 'running', result: null, note: `${command} has not ended after ${ms} ms` };
    throw commandError(command, error);
  }
}

/** Commands that open a tab with an error for a missing file, without reporting an error. */
const opening: ReadonlySet<string> = new Set(['vscode.open', 'vscode.openWith', 'vscode.diff']);

async function refuseMissing(values: readonly unknown[]): Promise<void> {
  const files = values.filter((one) => one instanceof vscode.Uri && one.scheme === 'file') as vscode.Uri[];
  for (const { fsPath } of files)
    if (!(await lstat(fsPath).catch(() => undefined)))
      throw toolError('not-found', `there is no file ${pathText(fsPath)}`);
}

/**
 * VS Code does not list all commands that it can run, e.g. `vscode.execute…Provider`: only running a command shows
 * whether it exists.
 */
function commandError(command: string, cause: unknown): Error {
  const message = messageOf(cause);
  if (message !== `command '${command}' not found`)
    return toolError('failed', `${command}: ${message}`, { cause });
  return toolError('not-found', `there is no command ${command}`, {
    help: 'Look for it with list_commands',
    cause,
  });
}

function whyGuarded(command: string): string | undefined {
  return guardedCommands.find(({ pattern }) => pattern.test(command))?.why;
}

function asJson(value: unknown): { result: unknown; note: string } {
  if (value === undefined) return { result: null, note: '' };
  try {
    const text = JSON.stringify(value);
    if (text.length <= longest) return { result: JSON.parse(text) as unknown, note: '' };
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

function titlesOf(): Map<string, string> {
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
