import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { toolError, type ToolInput, type refactorTools } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { catchUpWithDisk, documentAt, looseScripts } from '../code/index.ts';
import { refuseRename, renameNow } from '../files/index.ts';
import { ignoredFolders, pathText, placeOfLink, type Place } from '../place/index.ts';
import { answer, applyEdits, type ChangedFile, type Refactored } from './apply.ts';
import { editsIn, type FileCodeEdits } from './ts-edits.ts';
import { TypeScriptServer, isScript } from './tsserver.ts';

export async function moveFile(
  input: ToolInput<typeof refactorTools.moveFile>,
  { signal }: ToolContext,
): Promise<Refactored> {
  const from = await placeOfLink(input.path);
  const to = await placeOfLink(input.new_path);
  const script = await scriptIn(from);
  await refuseRename(from, to, false);
  const document = await documentAt(script);
  await catchUpWithDisk(document, signal);
  const loose = await looseScripts(document);
  using server = TypeScriptServer.start();
  server.openAll([document.uri, ...loose.uris]);
  const asked = { file: script, oldFilePath: from.path, newFilePath: to.path };
  const edits = ((await server.ask('getEditsForFileRename', asked, signal)) ??
    []) as readonly FileCodeEdits[];
  const title = `move ${pathText(from.path)} to ${pathText(to.path)}`;
  const { preview, wait_ms: waitMs } = input;
  const changed = await applyEdits(editsIn(edits), {
    title,
    preview,
    waitMs,
    signal,
    move: {
      from,
      run: async () => void (await renameNow(from, to)),
      pathOf: (path) => (isWithin(from.path, path) ? to.path + path.slice(from.path.length) : path),
    },
  });
  const { incomplete } = loose;
  return answer({ title, incomplete }, [moved(from, to, !preview), ...changed.files], !preview);
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function moved(from: Place, to: Place, saved: boolean): ChangedFile {
  return {
    path: pathText(from.path),
    kind: 'moved',
    new_path: pathText(to.path),
    changes: [],
    omitted: 0,
    saved,
    version: null,
    problems: null,
  };
}

/** A file by which TypeScript finds the project. Errors: `not-found`, `no-language-server`. */
async function scriptIn(from: Place): Promise<string> {
  const stats = await lstat(from.real).catch(() => undefined);
  if (!stats) throw toolError('not-found', `there is no file ${pathText(from.path)}`);
  const found = stats.isDirectory()
    ? await firstScript(from.path)
    : isScript(from.path)
      ? from.path
      : undefined;
  if (found !== undefined) return found;
  throw toolError('no-language-server', `nothing here knows the imports of ${pathText(from.path)}`, {
    help: 'rename_file moves it and leaves code as it is',
  });
}

async function firstScript(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const file = entries.find((entry) => entry.isFile() && isScript(entry.name));
  if (file) return join(folder, file.name);
  for (const entry of entries) {
    if (!entry.isDirectory() || ignoredFolders.has(entry.name)) continue;
    const below = await firstScript(join(folder, entry.name));
    if (below !== undefined) return below;
  }
  return undefined;
}
