import { readFile } from 'node:fs/promises';

/** Variables of a file with NAME=value lines, some values in quotes; empty if the file does not exist. */
export async function readEnvFile(path: string): Promise<Record<string, string>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return variablesIn(text);
}

export function variablesIn(text: string): Record<string, string> {
  const found = text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)[ \t]*$/gm);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, unquoted(value)]));
}

function unquoted(value: string): string {
  const [, , inside] = /^(["'])(.*)\1$/.exec(value) ?? [];
  return inside ?? value;
}
