import type { AgentFiles } from './agent-files.ts';
import { failed, passed, show, type Check } from './check.ts';
import { flagValue, wordsOf } from './command-line.ts';
import { isObject, readJsonc } from './jsonc.ts';

export interface FlaskApp {
  /** Module that holds the app, e.g. `app` for app.py. */
  readonly app: string;
  readonly port: number;
}

const path = '/workspace/.vscode/launch.json';

/**
 * launch.json has a configuration that debugs a Flask app: Python's debugger launches the module `flask`, the app is
 * named, and the port is given to Flask explicitly. Other configurations beside it don't matter.
 */
export async function flaskLaunch(files: AgentFiles, flask: FlaskApp): Promise<Check> {
  const name = '.vscode/launch.json';
  const file = await readJsonc(files, path);
  if (file.kind !== 'object') return failed(name, file.why);
  const { configurations } = file.value;
  if (!Array.isArray(configurations) || configurations.length === 0)
    return failed(name, 'has no configurations');
  const problems: string[] = [];
  for (const configuration of configurations as unknown[]) {
    const title = isObject(configuration) ? show(configuration['name']) : show(configuration);
    const problem = problemOf(configuration, flask);
    if (problem === undefined) return passed(name, `${title} launches Flask on port ${flask.port}`);
    problems.push(`${title}: ${problem}`);
  }
  return failed(name, problems.join('; '));
}

function problemOf(raw: unknown, flask: FlaskApp): string | undefined {
  if (!isObject(raw)) return 'is not a configuration';
  // On Linux, VS Code puts the values under `linux` over the others.
  const configuration: Record<string, unknown> = isObject(raw['linux']) ? { ...raw, ...raw['linux'] } : raw;
  return kindProblem(configuration) ?? placeProblem(configuration) ?? commandProblem(configuration, flask);
}

function kindProblem({
  name,
  type,
  request,
  module,
  program,
  code,
}: Record<string, unknown>): string | undefined {
  if (typeof name !== 'string' || name === '') return 'has no name';
  if (type !== 'debugpy' && type !== 'python') return `type is ${show(type)}, expected "debugpy" or "python"`;
  if (request !== 'launch') return `request is ${show(request)}, expected "launch"`;
  if (module !== 'flask') return `module is ${show(module)}, expected "flask"`;
  if (program !== undefined || code !== undefined) return 'has a program or code beside the module';
  return undefined;
}

function placeProblem({ cwd }: Record<string, unknown>): string | undefined {
  const isWorkspace =
    cwd === undefined || cwd === null || (typeof cwd === 'string' && stripWorkspace(`${cwd}/`) === '');
  return isWorkspace ? undefined : `cwd is ${show(cwd)}, where the app is not`;
}

function commandProblem({ args, env }: Record<string, unknown>, { app, port }: FlaskApp): string | undefined {
  const words = wordsOf(args);
  if (words === undefined) return `args are ${show(args)}, expected strings`;
  const run = words.indexOf('run');
  if (run < 0) return 'args have no "run"';
  const variables = isObject(env) ? env : {};
  const named = flagValue(words.slice(0, run), ['--app', '-A']) ?? variables['FLASK_APP'];
  if (!isApp(named, app)) return `the app is ${show(named)}, expected ${app}.py in FLASK_APP or --app`;
  const given = flagValue(words.slice(run + 1), ['--port', '-p']) ?? variables['FLASK_RUN_PORT'];
  if (given !== String(port))
    return `the port is ${show(given)}, expected "${port}" after --port or in FLASK_RUN_PORT`;
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
  return text.replace(/^(\$\{workspaceFolder\}|\$\{workspaceRoot\}|\/workspace|\.)\/+/, '');
}
