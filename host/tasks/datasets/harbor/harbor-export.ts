import { once } from 'node:events';
import { mkdir, readdir, realpath, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { stringify } from 'smol-toml';
import { extract, Parser, type ReadEntry } from 'tar';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import { quoteShellWord } from '../../../../bridge/text/index.ts';
import type { StreamedTaskSeed, Task, TaskSeed } from '../../format/index.ts';
import { packChecks } from '../../grade/index.ts';
import { isInFolder } from './harbor-parts.ts';
import { HARBOR_SCHEMA } from './harbor-schema.ts';

/** The outcome for one task. */
export interface HarborExport {
  readonly task: string;
  /** Its folder; null if it can't be exported. */
  readonly folder: string | null;
  /** Parts of the task that Harbor lacks, or why the task can't be exported. */
  readonly leftOut: readonly string[];
}

/**
 * Writes a task as a folder that Harbor runs: an image with the initial state, and tests that bring their check libraries.
 * Nothing is written for a task that means nothing without an IDE. Errors: `usage` if that folder is there already.
 * @param out folder for the task's folder, which is named after the task
 */
export async function exportToHarbor(task: Task, out: string): Promise<HarborExport> {
  const tests = await task.testSeeds();
  const against = findExportBlockers(task, await readTestTexts(tests, '/tests'));
  if (against.length > 0) return { task: task.id, folder: null, leftOut: against };
  const missing = await listLeftOut(task);
  const folder = join(resolve(out), task.id.replaceAll('/', '-'));
  await assertEmpty(folder);
  const image = await writeEnvironment(task, join(folder, 'environment'));
  await writeText(join(folder, 'environment/Dockerfile'), makeDockerfile(image));
  await writeTests(tests, await packChecks(task), join(folder, 'tests'));
  const solution = (await task.solutions()).find(({ kind }) => kind === 'shell');
  if (solution)
    await writeText(
      join(folder, 'solution/solve.sh'),
      `#!/bin/bash\ncd ${defaultWorkspace}\n${solution.text}`,
    );
  await writeText(join(folder, 'instruction.md'), `${task.instruction}\n\n${exportNote}\n`);
  await writeText(join(folder, 'task.toml'), makeToml(task, image, missing));
  const noSolution = solution ? [] : ['a solution: it has none by a script'];
  return { task: task.id, folder, leftOut: [...missing, ...noSolution] };
}

const exportNote =
  "There is no window. Files are in `/workspace`; VS Code's own are `/ide/data/User/settings.json` and `/ide/data/User/keybindings.json` (of the user) and `/workspace/.vscode/`.";

function makeToml(
  { id, instruction, config }: Task,
  image: ExportedImage,
  missing: readonly string[],
): string {
  const { metadata, agent, verifier, environment } = config;
  return stringify({
    schema_version: HARBOR_SCHEMA,
    // What this project's grading copies: the tests' container has nothing else of the agent's.
    artifacts: listArtifacts(image, config.pwp.graded_folders),
    task: {
      name: `pwp/${id.replaceAll('/', '-').toLowerCase()}`,
      description: instruction.split('\n')[0] ?? '',
      authors: [{ name: metadata.author_name, email: metadata.author_email }],
      keywords: [...metadata.tags],
    },
    metadata: { ...(metadata as Record<string, string>), not_in_harbor: [...missing] },
    verifier: { timeout_sec: verifier.timeout_sec, environment_mode: 'separate' },
    agent: { timeout_sec: agent.timeout_sec },
    environment: {
      build_timeout_sec: environment.build_timeout_sec,
      cpus: environment.cpus ?? 2,
      memory_mb: environment.memory_mb ?? 4096,
      storage_mb: environment.storage_mb ?? 10_240,
      network_mode: environment.network_mode,
      ...(environment.allowed_hosts.length > 0 && { allowed_hosts: environment.allowed_hosts }),
    },
  });
}

/** The home only if the task has one: Harbor's agents install themselves there. */
function listArtifacts({ places }: ExportedImage, graded: readonly string[]): string[] {
  const home = places.some(({ path }) => path === '/root') ? ['/root'] : [];
  return ['/workspace', '/ide', ...home, ...graded];
}

/** What is in the image of an exported task. */
interface ExportedImage {
  readonly places: readonly ExportPlace[];
  /** Links that lead nowhere in the exported folder, e.g. to a program of the image: only the image can have them. */
  readonly links: readonly ExportedLink[];
  /** Whether it runs `environment/setup.sh`. */
  readonly hasSetup: boolean;
}

interface ExportedLink {
  readonly path: string;
  readonly target: string;
}

async function writeEnvironment(task: Task, folder: string): Promise<ExportedImage> {
  const places: ExportPlace[] = [];
  const links: ExportedLink[] = [];
  await mkdir(folder, { recursive: true });
  for (const seed of await task.seeds()) {
    const place = exportPlaces.find(({ path }) => path === seed.path);
    if (!place) throw new PwpError('internal', `there is no folder for ${seed.path} of ${task.id}`);
    const root = join(folder, place.folder);
    const written = await unpackSeed(seed, root);
    for (const { path, target } of await removeOutsideLinks(root, written))
      links.push({ path: posix.join(place.path, path), target });
    places.push(place);
  }
  const { setup } = task.config.pwp;
  if (setup !== undefined) await writeText(join(folder, 'setup.sh'), setup);
  return { places, links, hasSetup: setup !== undefined };
}

/** Harbor refuses folders with links that lead out of them, or nowhere. */
async function removeOutsideLinks(root: string, links: readonly ExportedLink[]): Promise<ExportedLink[]> {
  const removed: ExportedLink[] = [];
  const whole = await realpath(root);
  for (const link of links) {
    const at = join(root, link.path);
    const end = await realpath(at).catch(() => undefined);
    if (end !== undefined && isInFolder(end, whole)) continue;
    await unlink(at);
    removed.push(link);
  }
  return removed;
}

async function writeTests(tests: readonly TaskSeed[], checks: TaskSeed, folder: string): Promise<void> {
  for (const seed of tests.filter(({ path }) => path === '/tests')) await unpackSeed(seed, folder);
  await unpackSeed(checks, join(folder, 'pwp-grade'));
  const own = (await readTestTexts(tests, '/tests')).find(({ path }) => path === 'tests/test.sh');
  await writeText(join(folder, 'pwp-test.sh'), own?.text ?? '');
  await writeText(join(folder, 'test.sh'), exportTestScript);
}

/**
 * Links are made last and by hand: the package refuses those that lead outside, and nothing is written through one.
 * @returns the links
 */
async function unpackSeed({ tar }: TaskSeed | StreamedTaskSeed, folder: string): Promise<ExportedLink[]> {
  await mkdir(folder, { recursive: true });
  const links: ExportedLink[] = [];
  const filter = (_: string, entry: unknown): boolean => {
    const { type, path, linkpath } = entry as ReadEntry;
    if (type === 'SymbolicLink') links.push({ path, target: linkpath ?? '' });
    return type !== 'SymbolicLink';
  };
  const stream = extract({ cwd: folder, strict: true, preserveOwner: false, filter });
  const closed = once(stream, 'close');
  if (tar instanceof Uint8Array) stream.write(Buffer.from(tar));
  else for await (const chunk of tar) stream.write(Buffer.from(chunk));
  stream.end();
  await closed;
  for (const { path, target } of links) {
    const at = join(folder, path);
    await mkdir(dirname(at), { recursive: true });
    await symlink(target, at);
  }
  return links;
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
}

/** Existing files are never overwritten. */
async function assertEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch(() => []);
  if (found.length > 0)
    throw new PwpError('usage', `${folder} is there already`, {
      help: 'Give another folder with --out, or remove it.',
    });
}

/** Places of a task's initial state and the folder of each in `environment/`. */
const exportPlaces = [
  { path: defaultWorkspace, folder: 'workspace' },
  { path: '/ide', folder: 'ide' },
  { path: '/root', folder: 'home' },
  { path: '/', folder: 'root' },
] as const;
type ExportPlace = (typeof exportPlaces)[number];

/** Programs that tests of this project find in their sandbox: Node.js in its place, Python, Git. */
const baseLines = [
  'FROM node:24-bookworm-slim',
  'RUN apt-get update && apt-get install -y --no-install-recommends git python3 python-is-python3 python3-numpy && rm -rf /var/lib/apt/lists/*',
  `RUN mkdir -p /opt/node/bin ${defaultWorkspace} /ide && ln -sf /usr/local/bin/node /opt/node/bin/node`,
];

function makeDockerfile({ places, links, hasSetup }: ExportedImage): string {
  const copies = exportPlaces
    .filter((place) => places.includes(place))
    .map(({ path, folder }) => `COPY ${folder}/ ${path === '/' ? '/' : `${path}/`}`);
  const linked = links.map(({ path, target }) => {
    const [parent, to, at] = [posix.dirname(path), target, path].map(quoteShellWord);
    return `RUN mkdir -p ${parent} && ln -s ${to} ${at}`;
  });
  const runs = hasSetup ? ['COPY setup.sh /tmp/setup.sh', 'RUN bash /tmp/setup.sh && rm /tmp/setup.sh'] : [];
  return `${[...baseLines, ...copies, ...linked, `WORKDIR ${defaultWorkspace}`, ...runs].join('\n')}\n`;
}

/**
 * Runs the tests as this project does: with fixed programs, without a home, and with its check libraries in their place.
 * Tests that end badly pass nothing.
 */
const exportTestScript = `#!/bin/bash
mkdir -p /opt/pwp/grade /logs/verifier
cp -r /tests/pwp-grade/. /opt/pwp/grade/
cd /tests || exit 1
env -i PATH=/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent LANG=C.UTF-8 \\
  GIT_CONFIG_NOSYSTEM=1 PYTHONDONTWRITEBYTECODE=1 /bin/bash --noprofile --norc /tests/pwp-test.sh
status=$?
if [ "$status" -ne 0 ]; then echo 0 > /logs/verifier/reward.txt; fi
exit 0
`;

/** A file of a task's tests, as text. */
interface TestText {
  readonly path: string;
  readonly text: string;
}

const codeRunPattern = /\b(?:run_code|answers_of|runCode|answersRight)\(/;

/** Why a task means nothing without its IDE; none if it can be exported. */
function findExportBlockers({ config }: Task, tests: readonly TestText[]): string[] {
  const { ask, gallery } = config.pwp;
  const running = tests.find(({ text }) => codeRunPattern.test(text));
  return [
    ...(ask.length > 0 ? [`its tests ask an IDE for ${ask.join(' and ')}`] : []),
    ...(gallery ? ['it installs extensions from the gallery of the IDE'] : []),
    ...(running ? [`${running.path} has code run in a sandbox of its own, which Harbor lacks`] : []),
  ];
}

/** Parts of an exported task that Harbor lacks. */
async function listLeftOut(task: Task): Promise<string[]> {
  const { open, display } = task.config.pwp;
  const solutions = await task.solutions();
  const played = solutions.filter(({ kind }) => kind !== 'shell').map(({ name }) => name);
  return [
    'the IDE and its window; its settings and files are there',
    ...(open.length > 0 ? [`open files: ${open.join(', ')}`] : []),
    ...(display ? ['the screen size'] : []),
    ...(played.length > 0 ? [`solutions by tools, mouse and keyboard: ${played.join(', ')}`] : []),
    'false solutions',
  ];
}

/** The files of one place, as text. */
async function readTestTexts(seeds: readonly TaskSeed[], place: string): Promise<TestText[]> {
  const own = seeds.filter(({ path }) => path === place);
  return (await Promise.all(own.map(({ tar }) => readArchiveTexts(tar, place.slice(1))))).flat();
}

async function readArchiveTexts(tar: Uint8Array, folder: string): Promise<TestText[]> {
  const found: TestText[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const chunks: Buffer[] = [];
      entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      entry.on('end', () => {
        if (entry.type === 'File')
          found.push({ path: `${folder}/${entry.path}`, text: Buffer.concat(chunks).toString('utf8') });
      });
    },
  });
  const ended = once(parser, 'end');
  parser.end(Buffer.from(tar));
  await ended;
  return found;
}
