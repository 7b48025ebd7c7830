import { imageProgramNames, type ImageProgramName, type RootFacts } from '../../../bridge/protocol/index.ts';
import type { RootImage } from '../../node/index.ts';
import { sizeText } from './tables.ts';

/** One line of `pwp doctor`. */
export interface DoctorFinding {
  /** `missing`: required. `without`: optional, but something works less well. */
  readonly state: 'ok' | 'missing' | 'without';
  readonly what: string;
  readonly detail: string;
  /** What to do about it, or what works less well; empty if nothing. */
  readonly help: string;
}

/** What an image will be like as the root of an agent's side: what is there, and which tools lack something. */
export function listImageFindings(image: RootImage, facts: RootFacts): DoctorFinding[] {
  const { environment, programs, links } = facts;
  const { python } = programs;
  return [
    ...listImageSettings(image),
    ok('system', [facts.system || 'unknown', facts.libc || 'no libc that is known'].join(', ')),
    environmentFinding(environment),
    ...imageProgramNames.map((name) => programFinding(name, facts)),
    ...(python ? [pytestFinding(facts.pytest), debuggerFinding(python.version)] : []),
    ...links.map(linkFinding),
  ];
}

/** What is known before anything is run. */
export function listImageSettings({ reference, bytes, layers, digest, config }: RootImage): DoctorFinding[] {
  const { user, workdir } = config;
  const count = layers.length === 1 ? '1 layer' : `${layers.length} layers`;
  const folder = workdir === '/' ? '/workspace, since its WORKDIR is /' : workdir;
  return [
    ok('image', `${reference}: ${sizeText(bytes)} in ${count}, ${digest.slice(0, 19)}`),
    ok('user', user === '0' ? 'root' : user),
    ok('workspace of tasks', folder),
  ];
}

function ok(what: string, detail: string): DoctorFinding {
  return { state: 'ok', what, detail, help: '' };
}

function without(what: string, detail: string, help: string): DoctorFinding {
  return { state: 'without', what, detail, help };
}

function environmentFinding({ active, ms, problems }: RootFacts['environment']): DoctorFinding {
  const what = 'environment';
  if (problems.length > 0)
    return without(what, problems.join('; '), 'Commands and tests have the variables of the image alone.');
  const took = `start-up files take ${(ms / 1000).toFixed(1)} s`;
  return ok(
    what,
    `${active === null ? 'no environment of Python is active' : `${active} is active`}; ${took}`,
  );
}

/** What works less well without a program. */
const lacks: Readonly<Record<ImageProgramName, string>> = {
  bash: "shell, run_terminal_cmd and tests use our bash. Terminals of people run the image's other shell.",
  sed: "run_terminal_cmd returns no exact output: VS Code's shell integration calls sed.",
  git: 'Source control in VS Code uses our Git. Commands and terminals have none.',
  python: 'run_python, run_tests and the debugger have our Python 3.11 alone. Commands have none.',
  node: 'run_tests and debug_start have no Node.js for JavaScript.',
  chromium: 'browser_test does not work.',
};

function programFinding(name: ImageProgramName, { programs, shell }: RootFacts): DoctorFinding {
  const found = programs[name];
  if (found) return ok(name, `${found.path} ${found.version}`.trim());
  const isBusybox = name === 'bash' && shell.endsWith('/busybox');
  return without(name, 'none', isBusybox ? ownBash : lacks[name]);
}

const ownBash =
  'Terminals run our bash, too: while a shell of busybox is open, no live checkpoint can be taken.';

function pytestFinding(version: string | null): DoctorFinding {
  if (version !== null) return ok('pytest', version);
  return without('pytest', 'none', 'run_tests has no tests of Python: its Python needs the module pytest.');
}

/** Our debuggers run in these; `extension/python/src/debugger-choice.ts` takes the one that does. */
const oldestDebugged = 8;
const newestDebugged = 13;

function debuggerFinding(version: string): DoctorFinding {
  const minor = Number(/^3\.(\d+)/.exec(version)?.[1] ?? Number.NaN);
  if (minor >= oldestDebugged && minor <= newestDebugged)
    return ok('debugger', `debugpy, for Python ${version}`);
  const help = `debug_start does not work for Python programs: debugpy runs in Python 3.${oldestDebugged} to 3.${newestDebugged}.`;
  return without('debugger', `none for Python ${version || 'of an unknown version'}`, help);
}

function linkFinding(path: string): DoctorFinding {
  return without(
    'grading',
    `${path} is a link`,
    'Tasks have no score in this image: tests are unpacked there.',
  );
}
