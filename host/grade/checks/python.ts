import { isDeepStrictEqual } from 'node:util';
import { posix } from 'node:path';
import type { AgentFiles } from './agent-files.ts';
import { failed, passed, show, type Check } from './check.ts';
import { isObject, readJsonc } from './jsonc.ts';
import type { Settings } from './settings.ts';
import { lookUp, toTree } from './values.ts';

/** Where the sandbox's Python extension keeps what was chosen in the IDE: the interpreter by the workspace's folder. */
const choices = '/ide/data/User/globalStorage/pwp.python/interpreters.json';
const workspace = '/workspace';

export interface Severities {
  /** Rules that must not be reported. */
  readonly silent: readonly string[];
  /** Overrides that were there and must stay. */
  readonly kept: Readonly<Record<string, unknown>>;
}

/** The Python analysis no longer reports some rules, reports others as before, and still runs over all files. */
export function pythonSeverities(settings: Settings, { silent, kept }: Severities): Check[] {
  const [problem] = settings.problems;
  if (problem !== undefined) return [failed('python.analysis', problem)];
  const found = settings.effective('python.analysis.diagnosticSeverityOverrides');
  const overrides = isObject(found) ? found : {};
  return [
    ...silent.map((rule) => severity(rule, overrides[rule], ['none', false])),
    ...Object.entries(kept).map(([rule, value]) => severity(rule, overrides[rule], [value])),
    analysisRuns(settings),
  ];
}

function severity(rule: string, found: unknown, wanted: readonly unknown[]): Check {
  if (wanted.some((value) => isDeepStrictEqual(value, found))) return passed(rule, `is ${show(found)}`);
  return failed(rule, `expected ${wanted.map(show).join(' or ')}, is ${show(found)}`);
}

function analysisRuns(settings: Settings): Check {
  const name = 'Python analysis';
  const server = settings.effective('python.languageServer');
  if (server === 'None') return failed(name, 'the language server is switched off');
  const ignored = ['ignore', 'exclude'].map(
    (key) => [key, settings.effective(`python.analysis.${key}`)] as const,
  );
  const off = ignored.find(([, value]) => Array.isArray(value) && value.length > 0);
  return off
    ? failed(name, `python.analysis.${off[0]} is ${show(off[1])}`)
    : passed(name, 'runs over all files');
}

/**
 * This workspace's interpreter is the one at a path, by the choice made in the IDE or else by the workspace's own
 * setting. Paths are compared literally: in a virtual environment the interpreter is a link to the system's.
 */
export async function pythonInterpreter(files: AgentFiles, path: string): Promise<Check> {
  const name = 'Python interpreter';
  const chosen = await readJsonc(files, choices);
  const choice = chosen.kind === 'object' ? chosen.value[workspace] : undefined;
  if (choice !== undefined) return interpreterIs(name, 'chosen in the IDE', choice, path);
  const own = await readJsonc(files, `${workspace}/.vscode/settings.json`);
  if (own.kind === 'malformed') return failed(name, own.why);
  const value =
    own.kind === 'object'
      ? lookUp(toTree(Object.entries(own.value)), 'python.defaultInterpreterPath')
      : undefined;
  if (value !== undefined) return interpreterIs(name, "set in the workspace's settings", value, path);
  return failed(name, 'none is chosen for this workspace, neither in the IDE nor in its settings');
}

function interpreterIs(name: string, from: string, found: unknown, wanted: string): Check {
  const path = typeof found === 'string' ? absolute(found) : undefined;
  if (path === wanted) return passed(name, `${show(found)} is ${from}`);
  return failed(name, `expected ${show(wanted)}, ${show(found)} is ${from}`);
}

function absolute(path: string): string {
  return posix.resolve(workspace, path.replaceAll(/\$\{workspace(Folder|Root)\}/g, workspace));
}
