import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../../bridge/text/index.ts';
import { type AgentFiles } from './agent-files.ts';
import { type Check, failed, passed, showValue } from './check-result.ts';
import { type ConditionVariables, evaluate } from './conditions.ts';

/** A breakpoint as VS Code holds it, from a pristine IDE that was opened on what the agent left. */
export interface ReportedBreakpoint {
  /** Relative to the workspace; null if it is not in a file. */
  readonly path: string | null;
  /** From 1; null if it is not in a file. */
  readonly line: number | null;
  readonly enabled: boolean;
  /** Null for none; so are the next two. */
  readonly condition: string | null;
  readonly hit_condition: string | null;
  readonly log_message: string | null;
}

/** The IDE's answers when grading asked it: see `ask` in task.toml. */
export interface IdeFacts {
  /** Why it could not answer. */
  readonly problem?: string;
  readonly breakpoints?: readonly ReportedBreakpoint[];
  /** Ids, in lower case, of those that are enabled where all of the gallery are installed. */
  readonly extensions?: readonly string[];
}

/** Reads the IDE's answers. Throws if it was not asked: the task doesn't say `ask`. */
export async function readIdeFacts(path = '/opt/pwp/grade/ide.json'): Promise<IdeFacts> {
  return JSON.parse(await readFile(path, 'utf8')) as IdeFacts;
}

export interface WantedBreakpoint {
  /** Relative to the workspace. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** In Python's words. */
  readonly condition: string;
  /** Values for which the condition found must give the same result as the one wanted. */
  readonly over: readonly ConditionVariables[];
}

/** There is one breakpoint, enabled, on this line, that stops exactly when the condition holds. */
export function conditionalBreakpoint(
  { breakpoints, problem: failure }: IdeFacts,
  wanted: WantedBreakpoint,
): Check {
  const name = `breakpoint in ${wanted.path}`;
  if (failure !== undefined) return failed(name, failure);
  if (breakpoints === undefined) throw new Error('the IDE was not asked for breakpoints');
  const [only, ...more] = breakpoints.filter(({ path }) => path === wanted.path);
  if (only === undefined) return failed(name, 'there is no breakpoint');
  if (more.length > 0) return failed(name, `expected one, found ${more.length + 1}`);
  const problem = findBreakpointProblem(only, wanted);
  if (problem !== undefined) return failed(name, problem);
  return passed(name, `stops on line ${wanted.line} when ${showValue(only.condition)}`);
}

function findBreakpointProblem(
  found: ReportedBreakpoint,
  { line, condition, over }: WantedBreakpoint,
): string | undefined {
  if (found.line !== line) return `is on line ${found.line ?? 'none'}, expected ${line}`;
  if (!found.enabled) return 'is disabled';
  if (found.hit_condition !== null && found.hit_condition !== '')
    return `has a hit count, ${showValue(found.hit_condition)}`;
  if (found.log_message !== null && found.log_message !== '')
    return `logs ${showValue(found.log_message)} instead of stopping`;
  if (found.condition === null || found.condition.trim() === '') return 'has no condition';
  const text = found.condition;
  const differs = over.find((values) => !stopsAlike(evaluate(text, values), evaluate(condition, values)));
  return (
    differs && `stops when ${showValue(text)}, which differs from ${condition} for ${showValue(differs)}`
  );
}

/** Whether a debugger stops for both or for neither. */
function stopsAlike(found: ReturnType<typeof evaluate>, wanted: ReturnType<typeof evaluate>): boolean {
  return found !== undefined && Boolean(found) === Boolean(wanted);
}

/** Where code-server keeps what its user has installed, and the list of it. */
const extensionsFolder = '/ide/extensions';

/** Larger than any file of an extension that a task asks for, in bytes. */
const mostExtensionFileBytes = 64 * 1024 * 1024;

/**
 * An extension of the gallery is installed as VS Code installs it, and not disabled: it is in the list by exactly this
 * id, its folder holds the files that were served, and so it is with all it depends on.
 */
export async function extensionInstalled(
  files: AgentFiles,
  catalogue: GalleryCatalogue,
  { extensions: enabled, problem }: IdeFacts,
  id: string,
): Promise<Check> {
  const name = `extension ${id}`;
  const wanted = listWithDependencies(catalogue, id);
  const listed = await readExtensionList(files);
  if (typeof listed === 'string') return failed(name, listed);
  for (const one of wanted) {
    const served = catalogue[one];
    if (!served) return failed(name, `the gallery has no ${one}`);
    const wrong = await findExtensionProblem(files, listed, one, served);
    if (wrong !== undefined) return failed(name, wrong);
  }
  if (problem !== undefined) return failed(name, problem);
  if (enabled === undefined) throw new Error('the IDE was not asked for extensions');
  const off = wanted.find((one) => !enabled.includes(one));
  if (off !== undefined) return failed(name, `${off} is installed, but disabled`);
  return passed(name, `is installed with the files that the gallery serves: ${wanted.join(', ')}`);
}

/** An extension and, after it, all it depends on. */
function listWithDependencies(catalogue: GalleryCatalogue, id: string, found: string[] = []): string[] {
  const key = id.toLowerCase();
  if (found.includes(key)) return found;
  found.push(key);
  const { extensionDependencies: needs } = catalogue[key]?.manifest ?? {};
  if (Array.isArray(needs)) for (const need of needs) listWithDependencies(catalogue, String(need), found);
  return found;
}

/** Folders by id, as the list has them; a text if there is no list, with the reason. */
async function readExtensionList(files: AgentFiles): Promise<Map<string, unknown> | string> {
  const list = await readAgentJson(files, `${extensionsFolder}/extensions.json`);
  if (!Array.isArray(list.value))
    return list.why ?? `${extensionsFolder}/extensions.json does not hold the list of extensions`;
  const entries = list.value.filter(isJsonObject).map(({ identifier, relativeLocation }) => {
    const id = isJsonObject(identifier) ? identifier['id'] : undefined;
    return [typeof id === 'string' ? id.toLowerCase() : '', relativeLocation] as const;
  });
  return new Map(entries);
}

async function findExtensionProblem(
  files: AgentFiles,
  listed: Map<string, unknown>,
  id: string,
  served: ServedExtension,
): Promise<string | undefined> {
  if (!listed.has(id)) return `${id} is not installed: installed are ${showValue([...listed.keys()])}`;
  const place = listed.get(id);
  if (typeof place !== 'string' || /[/\\]/.test(place)) return `${id} is listed, but not with its folder`;
  const obsolete = await readAgentJson(files, `${extensionsFolder}/.obsolete`);
  if (isJsonObject(obsolete.value) && obsolete.value[place] === true) return `${id} is uninstalled`;
  return findWrongFile(files, `${extensionsFolder}/${place}`, id, served);
}

async function findWrongFile(
  files: AgentFiles,
  place: string,
  id: string,
  served: ServedExtension,
): Promise<string | undefined> {
  const manifest = await readAgentJson(files, `${place}/package.json`);
  if (!isJsonObject(manifest.value)) return manifest.why ?? `${place}/package.json does not hold an object`;
  const own = Object.entries(manifest.value).filter(([key]) => key !== '__metadata');
  if (!isDeepStrictEqual(Object.fromEntries(own), served.manifest))
    return `${place}/package.json is not the one of ${id} ${served.version} in the gallery`;
  for (const [path, hash] of Object.entries(served.files)) {
    const read = await files.read(`${place}/${path}`, mostExtensionFileBytes);
    if (read.kind !== 'read') return read.why;
    if (createHash('sha256').update(read.bytes).digest('hex') !== hash)
      return `${place}/${path} is not the file that the gallery serves`;
  }
  return undefined;
}

async function readAgentJson(files: AgentFiles, path: string): Promise<{ value?: unknown; why?: string }> {
  const read = await files.read(path);
  if (read.kind !== 'read') return { why: read.why };
  try {
    return { value: JSON.parse(read.bytes.toString('utf8')) as unknown };
  } catch {
    return { why: `${path} is not JSON` };
  }
}

/** An extension of the gallery, as it was served. */
export interface ServedExtension {
  readonly version: string;
  /** Fields of package.json; installing adds `__metadata` to it, so that its bytes differ. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Hexadecimal SHA-256 of all other files, by path in the extension's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** The extensions of the gallery, by id in lower case. */
export type GalleryCatalogue = Readonly<Record<string, ServedExtension>>;

/** Reads the catalogue that the node has put beside this library. @param path where it is */
export async function readCatalogue(path = '/opt/pwp/grade/gallery.json'): Promise<GalleryCatalogue> {
  return JSON.parse(await readFile(path, 'utf8')) as GalleryCatalogue;
}
