import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../../bridge/text/index.ts';
import { type AgentFiles, agentWorkspace, readJsonc } from './agent-files.ts';
import { type Check, failed, passed, showValue } from './check-result.ts';
import { lookUpSetting, type Settings, toSettingTree } from './effective-settings.ts';

/** Where the sandbox's Python extension keeps what was chosen in the IDE: the interpreter by the workspace's folder. */
const interpreterChoices = '/ide/data/User/globalStorage/pwp.python/interpreters.json';

export interface PythonSeverities {
  /** Rules that must not be reported. */
  readonly silent: readonly string[];
  /** Overrides that were there and must stay. */
  readonly kept: Readonly<Record<string, unknown>>;
}

/** The Python analysis no longer reports some rules, reports others as before, and still runs over all files. */
export function pythonSeverities(settings: Settings, { silent, kept }: PythonSeverities): Check[] {
  const [problem] = settings.problems;
  if (problem !== undefined) return [failed('python.analysis', problem)];
  const found = settings.effective('python.analysis.diagnosticSeverityOverrides');
  const overrides = isJsonObject(found) ? found : {};
  return [
    ...silent.map((rule) => checkSeverity(rule, overrides[rule], ['none', false])),
    ...Object.entries(kept).map(([rule, value]) => checkSeverity(rule, overrides[rule], [value])),
    checkAnalysisRuns(settings),
  ];
}

function checkSeverity(rule: string, found: unknown, wanted: readonly unknown[]): Check {
  if (wanted.some((value) => isDeepStrictEqual(value, found))) return passed(rule, `is ${showValue(found)}`);
  return failed(rule, `expected ${wanted.map(showValue).join(' or ')}, is ${showValue(found)}`);
}

function checkAnalysisRuns(settings: Settings): Check {
  const name = 'Python analysis';
  const server = settings.effective('python.languageServer');
  if (server === 'None') return failed(name, 'the language server is switched off');
  const ignored = ['ignore', 'exclude'].map(
    (key) => [key, settings.effective(`python.analysis.${key}`)] as const,
  );
  const off = ignored.find(([, value]) => Array.isArray(value) && value.length > 0);
  return off
    ? failed(name, `python.analysis.${off[0]} is ${showValue(off[1])}`)
    : passed(name, 'runs over all files');
}

/**
 * This workspace's interpreter is the one at a path, by the choice made in the IDE or else by the workspace's own
 * setting. Paths are compared literally: in a virtual environment the interpreter is a link to the system's.
 */
export async function pythonInterpreter(files: AgentFiles, path: string): Promise<Check> {
  const name = 'Python interpreter';
  const chosen = await readJsonc(files, interpreterChoices);
  const choice = chosen.kind === 'object' ? chosen.value[agentWorkspace] : undefined;
  if (choice !== undefined) return checkInterpreter(name, 'chosen in the IDE', choice, path);
  const own = await readJsonc(files, `${agentWorkspace}/.vscode/settings.json`);
  if (own.kind === 'malformed') return failed(name, own.why);
  const value =
    own.kind === 'object'
      ? lookUpSetting(toSettingTree(Object.entries(own.value)), 'python.defaultInterpreterPath')
      : undefined;
  if (value !== undefined) return checkInterpreter(name, "set in the workspace's settings", value, path);
  return failed(name, 'none is chosen for this workspace, neither in the IDE nor in its settings');
}

function checkInterpreter(name: string, from: string, found: unknown, wanted: string): Check {
  const path = typeof found === 'string' ? resolveInWorkspace(found) : undefined;
  if (path === wanted) return passed(name, `${showValue(found)} is ${from}`);
  return failed(name, `expected ${showValue(wanted)}, ${showValue(found)} is ${from}`);
}

function resolveInWorkspace(path: string): string {
  return posix.resolve(agentWorkspace, path.replaceAll(/\$\{workspace(Folder|Root)\}/g, agentWorkspace));
}

export interface FlaskApp {
  /** Module that holds the app, e.g. `app` for app.py. */
  readonly app: string;
  readonly port: number;
}

const launchPath = `${agentWorkspace}/.vscode/launch.json`;

/**
 * launch.json has a configuration that debugs a Flask app: Python's debugger launches the module `flask`, the app is
 * named, and the port is given to Flask explicitly. Other configurations beside it don't matter.
 */
export async function flaskLaunch(files: AgentFiles, flask: FlaskApp): Promise<Check> {
  const name = '.vscode/launch.json';
  const file = await readJsonc(files, launchPath);
  if (file.kind !== 'object') return failed(name, file.why);
  const { configurations } = file.value;
  if (!Array.isArray(configurations) || configurations.length === 0)
    return failed(name, 'has no configurations');
  const problems: string[] = [];
  for (const configuration of configurations as unknown[]) {
    const title = isJsonObject(configuration) ? showValue(configuration['name']) : showValue(configuration);
    const problem = findLaunchProblem(configuration, flask);
    if (problem === undefined) return passed(name, `${title} launches Flask on port ${flask.port}`);
    problems.push(`${title}: ${problem}`);
  }
  return failed(name, problems.join('; '));
}

function findLaunchProblem(raw: unknown, flask: FlaskApp): string | undefined {
  if (!isJsonObject(raw)) return 'is not a configuration';
  // On Linux, VS Code puts the values under `linux` over the others.
  const configuration: Record<string, unknown> = isJsonObject(raw['linux'])
    ? { ...raw, ...raw['linux'] }
    : raw;
  return (
    findKindProblem(configuration) ??
    findPlaceProblem(configuration) ??
    findCommandProblem(configuration, flask)
  );
}

function findKindProblem({
  name,
  type,
  request,
  module,
  program,
  code,
}: Record<string, unknown>): string | undefined {
  if (typeof name !== 'string' || name === '') return 'has no name';
  if (type !== 'debugpy' && type !== 'python')
    return `type is ${showValue(type)}, expected "debugpy" or "python"`;
  if (request !== 'launch') return `request is ${showValue(request)}, expected "launch"`;
  if (module !== 'flask') return `module is ${showValue(module)}, expected "flask"`;
  if (program !== undefined || code !== undefined) return 'has a program or code beside the module';
  return undefined;
}

function findPlaceProblem({ cwd }: Record<string, unknown>): string | undefined {
  const isWorkspace =
    cwd === undefined || cwd === null || (typeof cwd === 'string' && stripWorkspace(`${cwd}/`) === '');
  return isWorkspace ? undefined : `cwd is ${showValue(cwd)}, where the app is not`;
}

function findCommandProblem(
  { args, env }: Record<string, unknown>,
  { app, port }: FlaskApp,
): string | undefined {
  const words = readArguments(args);
  if (words === undefined) return `args are ${showValue(args)}, expected strings`;
  const run = words.indexOf('run');
  if (run < 0) return 'args have no "run"';
  const variables = isJsonObject(env) ? env : {};
  const named = readFlag(words.slice(0, run), ['--app', '-A']) ?? variables['FLASK_APP'];
  if (!isApp(named, app)) return `the app is ${showValue(named)}, expected ${app}.py in FLASK_APP or --app`;
  const given = readFlag(words.slice(run + 1), ['--port', '-p']) ?? variables['FLASK_RUN_PORT'];
  if (given !== String(port))
    return `the port is ${showValue(given)}, expected "${port}" after --port or in FLASK_RUN_PORT`;
  return undefined;
}

/** Whether Flask finds the app under this name: `app`, `app.py`, `app:app`, each also with the workspace's path. */
function isApp(named: unknown, app: string): boolean {
  if (typeof named !== 'string') return false;
  const [module = '', variable] = stripWorkspace(named.trim()).split(':');
  return (
    (module === app || module === `${app}.py`) &&
    (variable === undefined || /^(app|application)$/.test(variable))
  );
}

function stripWorkspace(text: string): string {
  const names = ['${workspaceFolder}', '${workspaceRoot}', agentWorkspace, '.'];
  const start = names.find((name) => text.startsWith(`${name}/`));
  return start === undefined ? text : text.slice(start.length).replace(/^\/+/, '');
}

/** The words of a launch configuration's `args`: a list of strings, or one string; undefined for anything else. */
function readArguments(args: unknown): string[] | undefined {
  if (args === undefined || args === null) return [];
  if (typeof args === 'string') return args.split(/\s+/).filter((word) => word !== '');
  if (!Array.isArray(args)) return undefined;
  const words = args as unknown[];
  return words.every((word) => typeof word === 'string') ? words : undefined;
}

/**
 * The value of a flag, in any of the forms `--port 5000`, `--port=5000`, `-p 5000`, `-p5000`; the last one counts.
 * @param flags the flag's names, long ones with two dashes
 */
function readFlag(words: readonly string[], flags: readonly string[]): string | undefined {
  let value: string | undefined;
  words.forEach((word, index) => {
    for (const flag of flags) {
      if (word === flag) value = words[index + 1];
      else if (flag.startsWith('--') && word.startsWith(`${flag}=`)) value = word.slice(flag.length + 1);
      else if (!flag.startsWith('--') && !word.startsWith('--') && word.startsWith(flag))
        value = word.slice(flag.length);
    }
  });
  return value;
}
