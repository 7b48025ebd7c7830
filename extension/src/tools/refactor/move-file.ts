import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toolError, type ToolInput, type refactorTools } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { renameFile } from '../files/index.ts';
import { ignoredFolders, pathText, placeOfLink, type Place } from '../place/index.ts';
import { answer, applyEdits, type ChangedFile, type Refactored } from './apply.ts';
import { editsIn, type FileCodeEdits } from './ts-edits.ts';
import { TypeScriptServer, isScript } from './tsserver.ts';

export async function moveFile(
  input: ToolInput<typeof refactorTools.moveFile>,
  context: ToolContext,
): Promise<Refactored> {
  const { signal } = context;
  const from = await placeOfLink(input.path);
  const to = await placeOfLink(input.new_path);
  await refuseTaken(to);
  const script = await scriptIn(from);
  using server = TypeScriptServer.start();
  server.open(script);
  const asked = { file: script, oldFilePath: from.path, newFilePath: to.path };
  const edits = ((await server.ask('getEditsForFileRename', asked, signal)) ??
    []) as readonly FileCodeEdits[];
  const title = `move ${pathText(from.path)} to ${pathText(to.path)}`;
  const changed = await applyEdits(editsIn(edits), {
    title,
    preview: input.preview,
    waitMs: input.wait_ms,
    signal,
  });
  if (!input.preview)
    await renameFile({ path: input.path, new_path: input.new_path, overwrite: false }, context);
  return answer({ title }, [moved(from, to, !input.preview), ...changed.files], !input.preview);
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

async function refuseTaken(to: Place): Promise<void> {
  if (!(await lstat(to.real).catch(() => undefined))) return;
  throw toolError('already-exists', `${pathText(to.path)} is there already`);
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
