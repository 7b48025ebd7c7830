import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describeError, neverAborted, PwpError } from '../../../../bridge/lib/index.ts';
import { forEachParallel, isFile, isFolder, pathExists } from '../../../lib/index.ts';
import { type Dataset, type DatasetAbout, noData, readDataText } from '../records/index.ts';
import { type GymTaskConfig, parseVerifier, readGymEnvironment, readGymTask } from './gym-config.ts';
import { describeGymTask } from './gym-task.ts';

const about: DatasetAbout = {
  name: 'gym-anything',
  title: "Gym-Anything's VS Code tasks",
  family: 'Gym-Anything',
  records: 75,
  source: 'https://github.com/cmu-l3/gym-anything',
  licence: 'MIT',
  metric: "the score of the task's own verifier, and whether it passes its threshold",
  agentCode: 'beside',
  files: [
    'vscode_env/{env.json,scripts,config,utils,tasks/<task>/{task.json,setup_task.sh,export_result.sh,verifier.py}}',
  ],
  needs: [
    'an image with the packages of Python, npm and Debian that a task installs or uses, where ours does not have them: --image, or a Dockerfile in the folder of the environment (docs/datasets.md); without one, these tasks are left out and named',
    'a vision model, which the verifiers of some tasks ask: these are left out, and end without a score if they are requested by their ids',
  ],
};

/** Where the environment is in what `--data` may name: itself, or the owners' repository or a part of it. */
const environmentPlaces = [
  '.',
  'vscode_env',
  'environments/vscode_env',
  'cua_world/environments/vscode_env',
  'benchmarks/cua_world/environments/vscode_env',
];
/** Tasks that are looked at at a time. */
const readsAtOnce = 16;

export const gymAnything: Dataset = {
  about,
  open: async (path) => {
    const folder = await findEnvironment(resolve(path));
    const environment = await readGymEnvironment(folder);
    const ids = await listTaskNames(folder);
    const flaws = await forEachParallel(ids, readsAtOnce, neverAborted, (id) =>
      findFlaw(join(folder, 'tasks', id)),
    );
    const lacking = ids.flatMap((id, index): [string, string][] => {
      const flaw = flaws[index];
      return flaw ? [[id, flaw.why]] : [];
    });
    return {
      ids,
      lacking: new Map(lacking),
      load: async (id) => {
        const flaw = flaws[ids.indexOf(id)];
        if (!ids.includes(id))
          throw new PwpError('no-such-record', `${about.title} have no task ${id} in ${path}`, {
            help: `pwp datasets list ${about.name} --data ${path} lists all.`,
          });
        if (flaw?.isFatal) throw new PwpError('no-data', `${join(folder, 'tasks', id)}: ${flaw.why}`);
        return await describeGymTask(about, { folder, environment, name: id });
      },
    };
  },
};

async function findEnvironment(path: string): Promise<string> {
  for (const place of environmentPlaces) {
    const folder = join(path, place);
    if ((await isFile(join(folder, 'env.json'))) && (await isFolder(join(folder, 'tasks')))) return folder;
  }
  throw noData(about, join(path, 'vscode_env/env.json'));
}

async function listTaskNames(folder: string): Promise<string[]> {
  const children = await readdir(join(folder, 'tasks'), { withFileTypes: true });
  const names = children
    .filter((one) => one.isDirectory() && /^\w[\w.-]*$/.test(one.name))
    .map(({ name }) => name);
  if (names.length === 0) throw noData(about, join(folder, 'tasks/<task>/task.json'));
  return names.sort();
}

/** Why a task is left out. */
interface TaskFlaw {
  readonly why: string;
  /** It can't be played at all. */
  readonly isFatal: boolean;
}

async function findFlaw(task: string): Promise<TaskFlaw | undefined> {
  try {
    const config = await readGymTask(task);
    const missing = await listMissing(task, config);
    if (missing.length > 0) return { why: `${missing.join(' and ')} missing`, isFatal: true };
    const verifier = parseVerifier(config);
    if (!verifier)
      return { why: `it is judged by ${config.success.mode}, not by a verifier.py`, isFatal: true };
    const text = await readDataText(join(task, verifier.file));
    if (!new RegExp(`^def ${verifier.name}\\(`, 'm').test(text))
      return { why: `${verifier.file} has no function ${verifier.name}`, isFatal: true };
    return judgeVerifier(text);
  } catch (error) {
    return { why: describeError(error), isFatal: true };
  }
}

/** Names of its files that are not there, each with its verb. */
async function listMissing(task: string, config: GymTaskConfig): Promise<string[]> {
  const { pre_task: setUp, post_task: exported } = config.hooks;
  const [verifier] = (config.success.spec.program ?? '').split('::');
  const names = [setUp, exported].map((command) => basename(command.trim().split(/\s+/)[0] ?? ''));
  const wanted = config.success.mode === 'program' ? [...names, verifier ?? ''] : names;
  const missing: string[] = [];
  for (const name of wanted) if (name !== '' && !(await pathExists(join(task, name)))) missing.push(name);
  return missing.map((name, index) => (index === missing.length - 1 ? `${name} is` : name));
}

/** By its text; a verifier that asks a model in another way ends without a score. */
function judgeVerifier(text: string): TaskFlaw | undefined {
  const code = text.replaceAll(/#.*$/gm, '');
  if (!/\b(?:copy_from_env|exec_capture)\b/.test(code))
    return { why: 'its verifier looks at nothing that the agent leaves', isFatal: true };
  return /\bquery_vlm\b/.test(code)
    ? { why: 'its verifier asks a vision model, which is not here', isFatal: false }
    : undefined;
}
