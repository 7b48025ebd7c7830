import { basename, join } from 'node:path';
import { isJsonObject } from '../../../../bridge/text/index.ts';
import { pathExists } from '../../../lib/index.ts';
import {
  type ArchiveEntry,
  describePendingTask,
  makeRunnable,
  makeTask,
  moveEntriesBelow,
  type RawTaskConfig,
  readTreeEntries,
  type RunVariant,
  type Task,
} from '../../format/index.ts';
import {
  badData,
  type DatasetAbout,
  makeRecordConfig,
  makeTaskId,
  packPythonTests,
  readDataText,
  writeBuildContext,
} from '../records/index.ts';
import { type GymEnvironment, type GymTaskConfig, parseVerifier, readGymTask } from './gym-config.ts';
import { type GymSetUp, type OwnersFolder, runGymSetUp } from './gym-set-up.ts';

export interface GymTaskPlace {
  /** The environment's folder. */
  readonly folder: string;
  readonly environment: GymEnvironment;
  /** The task's folder below `tasks`. */
  readonly name: string;
}

const settingsFolder = '.config/Code/User';
const homeFolder = '/home/ga';
const defaultMounts = ['scripts', 'config', 'utils', 'tasks'].map((name) => ({
  source: name,
  target: `/workspace/${name}`,
}));

/** A task that its owners' set-up makes in a sandbox when it is needed. Errors: `bad-data`; those of the file system. */
export async function describeGymTask(about: DatasetAbout, place: GymTaskPlace): Promise<Task> {
  const path = join(place.folder, 'tasks', place.name);
  const read = await readGymTask(path);
  const known = { id: makeTaskId(about, place.name), path, instruction: writeInstruction(read) };
  const make = async (run: RunVariant, image?: string): Promise<Task> => {
    const owners = await readOwnersFolders(place);
    const made = await runGymSetUp(
      {
        ...{ name: place.name, path, owners, image, seconds: read.hooks.pre_task_timeout },
        environment: place.environment.hooks.post_start ?? '',
        setUp: read.hooks.pre_task,
        exportCommand: read.hooks.post_task,
        exportText: await readDataText(join(path, basename(read.hooks.post_task))),
        paths: await listAskedPaths(path, read),
      },
      run,
    );
    return await makeWholeTask(about, known, { place, read, image, owners, made });
  };
  // Its files are not known yet, but its limits are.
  const { config } = makeTask({
    ...{ ...known, config: makeConfig(about, place, read, await findImage(place)), workspace: [], tests: [] },
    ...{ solutions: [], falseSolutions: [] },
  });
  return describePendingTask({ ...known, seed: null, config, program: basename(read.hooks.pre_task), make });
}

function writeInstruction({ description }: GymTaskConfig): string {
  return `${description.trim()}\n\n\`${homeFolder}\` is your home. The project below \`${homeFolder}/workspace\` is open: it is \`/workspace\` as well.`;
}

/** The environment's own: what `env.json` names, else what its Dockerfile makes, without the tasks; undefined without both. */
async function findImage({ folder, environment }: GymTaskPlace): Promise<string | undefined> {
  if (environment.image !== undefined || !(await pathExists(join(folder, 'Dockerfile'))))
    return environment.image;
  const context = await readTreeEntries(folder, '.');
  return await writeBuildContext(
    'gym-anything',
    context.filter(({ path }) => !/^(?:tasks|\.git)(?:\/|$)/.test(path)),
  );
}

function makeConfig(
  about: DatasetAbout,
  { environment }: GymTaskPlace,
  read: GymTaskConfig,
  image: string | undefined,
): RawTaskConfig {
  const { difficulty, init, metadata } = read;
  const { cpu } = environment.resources;
  const base = makeRecordConfig(about, {
    agentSeconds: init.timeout_sec,
    testSeconds: 1200,
    environment: cpu === undefined ? {} : { cpus: cpu },
    image,
  });
  return {
    ...base,
    metadata: {
      ...metadata,
      ...base.metadata,
      ...(difficulty !== undefined && {
        difficulty: difficulty === 'easy' || difficulty === 'medium' ? difficulty : 'hard',
        owners_difficulty: difficulty,
      }),
      ...(init.max_steps !== undefined && { max_steps: init.max_steps }),
    },
  };
}

/** The folders that the owners mount; of the tasks this one alone. */
async function readOwnersFolders({ folder, environment, name }: GymTaskPlace): Promise<OwnersFolder[]> {
  const mounts = environment.mounts.length > 0 ? environment.mounts : defaultMounts;
  const read = mounts.map(async ({ source, target }): Promise<OwnersFolder> => {
    const own = basename(source);
    if (own !== 'tasks') return { path: target, entries: await readOwnersTree(folder, own) };
    return { path: `${target}/${name}`, entries: await readOwnersTree(folder, `tasks/${name}`) };
  });
  return (await Promise.all(read)).filter(({ entries }) => entries.length > 0);
}

async function readOwnersTree(folder: string, below: string): Promise<ArchiveEntry[]> {
  if (!(await pathExists(join(folder, below)))) return [];
  const entries = (await readTreeEntries(folder, below)).map(makeRunnable);
  return entries.map((one) =>
    one.kind === 'file' && one.path.endsWith('.sh') ? { ...one, executable: true } : one,
  );
}

interface MadeParts {
  readonly place: GymTaskPlace;
  readonly read: GymTaskConfig;
  /** Undefined for our own. */
  readonly image: string | undefined;
  readonly owners: readonly OwnersFolder[];
  readonly made: GymSetUp;
}

async function makeWholeTask(
  about: DatasetAbout,
  known: Pick<Task, 'id' | 'path' | 'instruction'>,
  parts: MadeParts,
): Promise<Task> {
  const { place, read, image, made } = parts;
  const { workspace, home } = arrangeHome(made);
  const tests = await packGymTests(about, known.path, parts);
  const config = makeConfig(about, place, read, image);
  const files = new Set(workspace.flatMap((one) => (one.kind === 'file' ? [one.path] : [])));
  return makeTask({
    ...known,
    config: {
      ...config,
      pwp: {
        ...config.pwp,
        ...readProfile(known.path, made),
        open: [...new Set(made.open)].filter((path) => files.has(path)),
        known_inside: listKnownInside(parts, tests, [...workspace, ...home]),
        // It is the agent's home where the image says so.
        ...(image !== undefined && { graded_folders: [homeFolder] }),
      },
    },
    ...{ workspace, tests },
    ...(image === undefined
      ? { home, root: [{ kind: 'link', path: homeFolder.slice(1), target: '/root' }] }
      : { root: moveEntriesBelow(homeFolder.slice(1), home) }),
    solutions: [],
    falseSolutions: [
      { name: 'claims', why: 'It only says that it is done.', text: 'echo done > /workspace/done.txt\n' },
    ],
  });
}

/** The owners' home as the agent's: their project is the workspace, their settings are those of the IDE. */
function arrangeHome({ home, project }: GymSetUp): { workspace: ArchiveEntry[]; home: ArchiveEntry[] } {
  const folder = project === null ? 'workspace' : `workspace/${project}`;
  const entries = home.map(toArchiveEntry);
  const isBelow = (path: string, at: string) => path === at || path.startsWith(`${at}/`);
  return {
    workspace: entries
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map((one) => ({ ...one, path: one.path.slice(folder.length + 1) })),
    home: [
      ...entries.filter(({ path }) => !isBelow(path, folder) && !isBelow(path, settingsFolder)),
      { kind: 'link', path: folder, target: '/workspace' },
      { kind: 'link', path: settingsFolder, target: '/ide/data/User' },
    ],
  };
}

function toArchiveEntry(one: GymSetUp['home'][number]): ArchiveEntry {
  const { path } = one;
  if (one.kind === 'folder') return { kind: 'folder', path };
  if (one.kind === 'link') return { kind: 'link', path, target: one.target };
  const content = Buffer.from(one.content, 'base64');
  return { kind: 'file', path, content, executable: (one.mode & 0o100) !== 0 };
}

/** Settings and key bindings of the owners' VS Code. */
function readProfile(
  path: string,
  { home }: GymSetUp,
): Pick<RawTaskConfig['pwp'], 'settings' | 'keybindings'> {
  const read = (name: string): unknown => {
    const file = home.find((one) => one.path === `${settingsFolder}/${name}`);
    if (file?.kind !== 'file') return undefined;
    try {
      return JSON.parse(Buffer.from(file.content, 'base64').toString('utf8'));
    } catch (cause) {
      throw badData(path, `its set-up leaves ${settingsFolder}/${name}, which is not JSON`, cause);
    }
  };
  const [settings, keybindings] = [read('settings.json'), read('keybindings.json')];
  return {
    ...(isJsonObject(settings) && { settings }),
    ...(Array.isArray(keybindings) && { keybindings: keybindings as RawTaskConfig['pwp']['keybindings'] }),
  };
}

function listProfileFiles(path: string, made: GymSetUp): Readonly<Record<string, unknown>> {
  const { settings, keybindings } = readProfile(path, made);
  return {
    ...(settings && { 'settings.json': settings }),
    ...(keybindings && { 'keybindings.json': keybindings }),
  };
}

/** What its grader reads, the owners' folders among it: without the set-up, whose text has all files of the workspace. */
async function packGymTests(about: DatasetAbout, path: string, parts: MadeParts): Promise<ArchiveEntry[]> {
  const { read, made } = parts;
  const setUp = basename(read.hooks.pre_task);
  const owners = parts.owners.flatMap(({ path: at, entries }) => {
    const own = entries.filter((one) => one.path !== setUp && !one.path.endsWith('.md'));
    return moveEntriesBelow(`owners${at}`, own);
  });
  const data = {
    'plan.json': JSON.stringify(await makeGradingPlan(path, parts)),
    'state.json': JSON.stringify(made.elsewhere),
    'task.json': JSON.stringify(read),
  };
  return [...(await packPythonTests(about, data)), { kind: 'folder', path: 'owners' }, ...owners];
}

async function makeGradingPlan(path: string, { place, read, image, made }: MadeParts) {
  const { file } = parseVerifier(read) ?? { file: 'verifier.py' };
  const mounts = place.environment.mounts.length > 0 ? place.environment.mounts : defaultMounts;
  const targetOf = (name: string) =>
    mounts.find(({ source }) => basename(source) === name)?.target ?? `/workspace/${name}`;
  const own = `${targetOf('tasks')}/${place.name}`;
  return {
    project: made.project,
    in_image: image !== undefined,
    // For answers that are graded where there is no IDE.
    profile: listProfileFiles(path, made),
    export: read.hooks.post_task,
    seconds: 600,
    paths: await listAskedPaths(path, read),
    for_verifier: [`${own}/${file}`.slice(1)],
    program: read.success.spec.program,
    // The folders in which the owners' own runner looks for modules.
    modules: [own, targetOf('tasks'), targetOf('utils')].map((at) => `/judge/owners${at}`),
    threshold: read.metadata.pass_threshold ?? null,
  };
}

/** Files that the verifier may ask for: absolute paths in quotes. */
async function listAskedPaths(path: string, read: GymTaskConfig): Promise<string[]> {
  const { file } = parseVerifier(read) ?? { file: 'verifier.py' };
  const text = `${await readDataText(join(path, file))}\n${JSON.stringify(read.metadata)}`;
  const named = [...text.matchAll(/(["'])((?:\/[\w.@+-]+)+)\1/g)].map(([, , path = '']) => path);
  return [...new Set(named)].filter((path) => !path.split('/').includes('..')).slice(0, 200);
}

/** The owners' folders that all tasks share, and the files that their set-up copies into the home: the agent may have them. */
function listKnownInside(
  { place, owners }: MadeParts,
  tests: readonly ArchiveEntry[],
  given: readonly ArchiveEntry[],
): string[] {
  const shared = owners.flatMap(({ path }) =>
    path.endsWith(`/${place.name}`) ? [] : [`tests/owners${path}`],
  );
  const contents = new Set(given.flatMap((one) => (one.kind === 'file' ? [toText(one.content)] : [])));
  const copied = tests.flatMap((one) =>
    one.kind === 'file' && one.path.startsWith('owners/') && contents.has(toText(one.content))
      ? [`tests/${one.path}`]
      : [],
  );
  return [...shared, ...copied];
}

function toText(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1');
}
