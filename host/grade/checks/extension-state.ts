import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AgentFiles } from './agent-files.ts';
import type { IdeFacts } from './breakpoints.ts';
import { failed, passed, show, type Check } from './check.ts';
import type { Catalogue, ServedExtension } from './gallery-catalogue.ts';
import { isObject } from './jsonc.ts';

/** Where code-server keeps what its user has installed, and the list of it. */
const folder = '/ide/extensions';

/** Larger than any file of an extension that a task asks for, in bytes. */
const maxFileBytes = 64 * 1024 * 1024;

/**
 * An extension of the gallery is installed as VS Code installs it, and not disabled: it is in the list by exactly this
 * id, its folder holds the files that were served, and so it is with all it depends on.
 */
export async function extensionInstalled(
  files: AgentFiles,
  catalogue: Catalogue,
  { extensions: enabled, problem }: IdeFacts,
  id: string,
): Promise<Check> {
  const name = `extension ${id}`;
  const wanted = withDependencies(catalogue, id);
  const listed = await readList(files);
  if (typeof listed === 'string') return failed(name, listed);
  for (const one of wanted) {
    const served = catalogue[one];
    if (!served) return failed(name, `the gallery has no ${one}`);
    const wrong = await problemWith(files, listed, one, served);
    if (wrong !== undefined) return failed(name, wrong);
  }
  if (problem !== undefined) return failed(name, problem);
  if (enabled === undefined) throw new Error('the IDE was not asked for extensions');
  const off = wanted.find((one) => !enabled.includes(one));
  if (off !== undefined) return failed(name, `${off} is installed, but disabled`);
  return passed(name, `is installed with the files that the gallery serves: ${wanted.join(', ')}`);
}

/** An extension and, after it, all it depends on. */
function withDependencies(catalogue: Catalogue, id: string, found: string[] = []): string[] {
  const key = id.toLowerCase();
  if (found.includes(key)) return found;
  found.push(key);
  const { extensionDependencies: needs } = catalogue[key]?.manifest ?? {};
  if (Array.isArray(needs)) for (const need of needs) withDependencies(catalogue, String(need), found);
  return found;
}

/** Folders by id, as the list has them; a text if there is no list, with the reason. */
async function readList(files: AgentFiles): Promise<Map<string, unknown> | string> {
  const list = await readJson(files, `${folder}/extensions.json`);
  if (!Array.isArray(list.value))
    return list.why ?? `${folder}/extensions.json does not hold the list of extensions`;
  const entries = list.value.filter(isObject).map(({ identifier, relativeLocation }) => {
    const id = isObject(identifier) ? identifier['id'] : undefined;
    return [typeof id === 'string' ? id.toLowerCase() : '', relativeLocation] as const;
  });
  return new Map(entries);
}

async function problemWith(
  files: AgentFiles,
  listed: Map<string, unknown>,
  id: string,
  served: ServedExtension,
): Promise<string | undefined> {
  if (!listed.has(id)) return `${id} is not installed: installed are ${show([...listed.keys()])}`;
  const place = listed.get(id);
  if (typeof place !== 'string' || /[/\\]/.test(place)) return `${id} is listed, but not with its folder`;
  const obsolete = await readJson(files, `${folder}/.obsolete`);
  if (isObject(obsolete.value) && obsolete.value[place] === true) return `${id} is uninstalled`;
  return wrongFile(files, `${folder}/${place}`, id, served);
}

async function wrongFile(
  files: AgentFiles,
  place: string,
  id: string,
  served: ServedExtension,
): Promise<string | undefined> {
  const manifest = await readJson(files, `${place}/package.json`);
  if (!isObject(manifest.value)) return manifest.why ?? `${place}/package.json does not hold an object`;
  const own = Object.entries(manifest.value).filter(([key]) => key !== '__metadata');
  if (!isDeepStrictEqual(Object.fromEntries(own), served.manifest))
    return `${place}/package.json is not the one of ${id} ${served.version} in the gallery`;
  for (const [path, hash] of Object.entries(served.files)) {
    const read = await files.read(`${place}/${path}`, maxFileBytes);
    if (read.kind !== 'read') return read.why;
    if (createHash('sha256').update(read.bytes).digest('hex') !== hash)
      return `${place}/${path} is not the file that the gallery serves`;
  }
  return undefined;
}

async function readJson(files: AgentFiles, path: string): Promise<{ value?: unknown; why?: string }> {
  const read = await files.read(path);
  if (read.kind !== 'read') return { why: read.why };
  try {
    return { value: JSON.parse(read.bytes.toString('utf8')) as unknown };
  } catch {
    return { why: `${path} is not JSON` };
  }
}
