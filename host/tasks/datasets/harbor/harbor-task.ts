import { isIP } from 'node:net';
import { basename, join } from 'node:path';
import { quoteShellWord } from '../../../../bridge/text/index.ts';
import { pathExists } from '../../../lib/index.ts';
import {
  loadTask,
  makeRunnable,
  makeTask,
  type RawTaskConfig,
  readTreeEntries,
  type Task,
} from '../../format/index.ts';
import { type DatasetAbout, makeRecordConfig, makeTaskId } from '../records/index.ts';
import { type HarborPass, listPasses, listUnresolved, resolveVariables } from './harbor-config.ts';
import { type HarborParts, readHarborParts, readHarborTree, readTextEntry } from './harbor-parts.ts';
import type { HarborConfig } from './harbor-schema.ts';
import { assertSupported, findUnsupported } from './harbor-support.ts';
import { assertHasTests, packHarborTests } from './harbor-tests.ts';
import { findGradedFolders } from './harbor-verifier.ts';

/**
 * A task folder of Harbor's. One with a `[pwp]` table is this project's own. Errors: `bad-data`, `bad-task`; `unsupported`
 * with each reason why it can't be run here.
 */
export async function makeHarborTask(about: DatasetAbout, path: string): Promise<Task> {
  const parts = await readHarborParts(path);
  if (parts === undefined) return await loadTask(path);
  await assertSupported(parts);
  const { config, instruction, built, places } = parts;
  const words = [instruction, built.setup, ...built.files.map((entry) => entry.path)].join('\n');
  const setup = await makeSetup(parts);
  return makeTask({
    id: makeTaskId(about, basename(path)),
    path,
    instruction,
    config: {
      ...makeRawConfig(about, config),
      pwp: {
        ...makeRecordConfig(about).pwp,
        graded_folders: findGradedFolders(parts),
        ...(setup !== '' && { setup }),
      },
    },
    workspace: places.workspace,
    home: places.home,
    root: places.root,
    tests: await packHarborTests(parts, `${words}\n${await readSolutionText(path, config)}`),
    solutions: await makeSolutions(path, config, places.workdir),
    falseSolutions: [
      {
        name: 'writes-reward',
        why: 'It writes the reward itself and does nothing else.',
        text: 'mkdir -p /logs/verifier && echo 1 > /logs/verifier/reward.txt\n',
      },
    ],
  });
}

/** What is said of a task before it is played. */
interface HarborFindings {
  /** Why it can't be run here; undefined if it can. */
  readonly reason: string | undefined;
  /** Fields of its task.toml that Harbor does not have, which have no effect. */
  readonly unknown: readonly string[];
}

/** Errors: `bad-data` for files that can't be read. */
export async function examineHarborTask(path: string): Promise<HarborFindings> {
  const parts = await readHarborParts(path);
  if (parts === undefined) return { reason: undefined, unknown: [] };
  const reasons = await findUnsupported(parts);
  if (reasons.length === 0) await assertHasTests(path, parts.config);
  return { reason: reasons.length > 0 ? reasons.join('; ') : undefined, unknown: parts.unknown };
}

/**
 * Commands of the image, and then of the first step. Variables of the environment are those of its commands; the agent's
 * shells have the sandbox's own.
 */
async function makeSetup({ path, config, built, places }: HarborParts): Promise<string> {
  const [first] = config.steps;
  const hasScript = first && (await pathExists(join(path, 'steps', first.name, 'workdir/setup.sh')));
  const begin = hasScript ? `(cd ${quoteShellWord(places.workdir)} && bash setup.sh)` : '';
  const commands = [built.setup, begin].filter((part) => part !== '');
  return commands.length === 0
    ? ''
    : [...makeExports(resolveVariables(config.environment.env)), ...commands].join('\n');
}

function makeExports(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `export ${name}=${quoteShellWord(value)}`);
}

const mostSeconds = 86_400;

function makeRawConfig(about: DatasetAbout, config: HarborConfig): RawTaskConfig {
  const { environment: asked, metadata } = config;
  const passes = listPasses(config);
  const base = makeRecordConfig(about, {
    agentSeconds: Math.min(mostSeconds, sumIfAll(passes.map((one) => one.agentSeconds)) ?? 1800),
    testSeconds: Math.min(mostSeconds, sumIfAll(passes.map((one) => one.testSeconds)) ?? 600),
    environment: {
      ...(asked.cpus !== undefined && { cpus: asked.cpus }),
      // An IDE needs its own.
      memory_mb: Math.max(4096, asked.memory_mb ?? 0),
      ...(asked.storage_mb !== undefined && { storage_mb: Math.max(1024, asked.storage_mb) }),
      ...makeNetwork(passes[0]),
    },
  });
  const { difficulty, category, author_name: name, author_email: email } = metadata;
  return {
    ...base,
    metadata: {
      ...base.metadata,
      ...(typeof name === 'string' && name !== '' && { author_name: name }),
      ...(typeof email === 'string' && email !== '' && { author_email: email }),
      ...(typeof category === 'string' && category !== '' && { category }),
      ...(['easy', 'medium', 'hard'].includes(String(difficulty)) && { difficulty: difficulty as 'easy' }),
    },
  };
}

function sumIfAll(values: readonly (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length === values.length ? given.reduce((all, one) => all + one, 0) : undefined;
}

/** The agent's: no network unless the task asks for it. */
function makeNetwork(pass: HarborPass | undefined) {
  const { network_mode: mode = 'no-network', allowed_hosts: hosts = [] } = pass?.network ?? {};
  const written = hosts.map((host) => (isIP(host) === 6 ? `[${host}]` : host));
  return { network_mode: mode, allowed_hosts: mode === 'allowlist' ? written : [] };
}

/** Below the task's folder. A step without a folder of its own has the task's. */
async function listSolutionFolders(path: string, { steps }: HarborConfig): Promise<string[]> {
  if (steps.length === 0) return ['solution'];
  return await Promise.all(
    steps.map(async ({ name }) => {
      const own = join('steps', name, 'solution');
      return (await pathExists(join(path, own))) ? own : 'solution';
    }),
  );
}

/** The text of its owners' solution and of the files that it brings. */
async function readSolutionText(path: string, config: HarborConfig): Promise<string> {
  const folders = await listSolutionFolders(path, config);
  const trees = await Promise.all(folders.map((folder) => readTreeEntries(path, folder)));
  return trees
    .flat()
    .map((entry) => `${entry.path}\n${readTextEntry(entry).join('')}`)
    .join('\n');
}

async function makeSolutions(path: string, config: HarborConfig, workdir: string) {
  if (listUnresolved(config.solution.env).length > 0) return [];
  const folders = await listSolutionFolders(path, config);
  const scripts = await Promise.all(folders.map((folder) => makeSolutionScript(path, folder, workdir)));
  const variables = makeExports(resolveVariables(config.solution.env));
  return scripts.every((script) => script !== undefined)
    ? [{ name: 'gold', text: [...variables, ...scripts].join('\n') }]
    : [];
}

/** Harbor copies the folder to /solution and runs solve.sh in the task's folder. */
async function makeSolutionScript(
  root: string,
  folder: string,
  workdir: string,
): Promise<string | undefined> {
  if (!(await pathExists(join(root, folder, 'solve.sh')))) return undefined;
  const tree = (await readHarborTree(root, folder)).map(makeRunnable);
  const files = tree.filter((entry) => entry.kind === 'file');
  const written = files.map(({ path, content }) => {
    const data = Buffer.from(content).toString('base64');
    return `mkdir -p "$(dirname '/solution/${path}')" && base64 -d > '/solution/${path}' <<'END'\n${data}\nEND`;
  });
  return `rm -rf /solution && mkdir -p /solution\n${written.join('\n')}\ncd '${workdir}' 2>/dev/null || cd /\nbash /solution/solve.sh && rm -rf /solution\n`;
}
