import { findProgram, imagePrograms } from '../../../bridge/lib/index.ts';
import { readFile } from 'node:fs/promises';

/** The environment of all programs that this extension starts: without variables for the IDE's own processes. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = /^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL|NODE_EXEC_PATH$|MALLOC_ARENA_MAX$|PWP_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

/** What `python3` is in a terminal, e.g. that of an active environment of conda, else ours. */
export function findPython(): string {
  return findProgram(process.env['PATH'], 'python3', 'python') ?? imagePrograms.python;
}

/** Variables of a file with NAME=value lines, some values in quotes; empty if the file does not exist. */
export async function readEnvFile(path: string): Promise<Record<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return parseVariables(text);
}

export function parseVariables(text: string): Record<string, string> {
  const found = text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)[ \t]*$/gm);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, removeQuotes(value)]));
}

function removeQuotes(value: string): string {
  const [, , inside] = /^(["'])(.*)\1$/.exec(value) ?? [];
  return inside ?? value;
}
