import type { AgentFiles } from './agent-files.ts';
import { readLevelDb, storedTexts } from './indexed-db/index.ts';
import { isObject } from './jsonc.ts';

/** Where the browser keeps what the page at code-server's address stores. */
const database = '/ide/chromium/Default/IndexedDB/http_127.0.0.1_8080.indexeddb.leveldb';
const prefix = 'vscode-web-state-db-';
const keys = { disabled: 'extensionsIdentifiers/disabled', enabled: 'extensionsIdentifiers/enabled' };

/**
 * Ids, in lower case, of extensions that are disabled: for all workspaces and not enabled for this one, or for this
 * one. VS Code in a browser keeps this with the browser, not in a file of its own. A text where it can't be read.
 */
export async function disabledExtensions(files: AgentFiles): Promise<ReadonlySet<string> | string> {
  const entries = await readLevelDb(files, database);
  if (entries === null) return new Set();
  if (typeof entries === 'string') return entries;
  try {
    const everywhere = idsIn(entries, keys.disabled, isGlobal);
    const here = idsIn(entries, keys.disabled, isWorkspace);
    const enabled = idsIn(entries, keys.enabled, isWorkspace);
    return new Set([...everywhere.filter((id) => !enabled.includes(id)), ...here]);
  } catch (error) {
    return `${database} is damaged: ${error instanceof Error ? error.message : 'unknown error'}`;
  }
}

function isGlobal(name: string): boolean {
  return name === `${prefix}global`;
}

/** The sandbox has one workspace. */
function isWorkspace(name: string): boolean {
  return name.startsWith(prefix) && !name.startsWith(`${prefix}global`);
}

function idsIn(
  entries: ReadonlyMap<string, Buffer>,
  key: string,
  ofScope: (name: string) => boolean,
): string[] {
  return storedTexts(entries, key)
    .filter(({ database: name }) => ofScope(name))
    .flatMap(({ text }) => JSON.parse(text) as unknown)
    .flatMap((entry) =>
      isObject(entry) && typeof entry['id'] === 'string' ? [entry['id'].toLowerCase()] : [],
    );
}
