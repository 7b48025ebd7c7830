import { basename, join } from 'node:path';
import { quoteShellWord } from '../../../../bridge/text/index.ts';
import { pathExists } from '../../../lib/index.ts';
import {
  loadTask,
  makeRunnable,
  makeTask,
  type RawTaskConfig,
  type Task,
  type TaskImage,
} from '../../format/index.ts';
import { type DatasetAbout, makeRecordConfig, makeTaskId } from '../records/index.ts';
import { type HarborPass, listPasses, listUnresolved, resolveVariables } from './harbor-config.ts';
import { checkEntryPoint } from './harbor-entry-point.ts';
import { addVariables, type HarborParts, readHarborParts, readHarborTree } from './harbor-parts.ts';
import type { HarborConfig, HarborHealthcheck } from './harbor-schema.ts';
import { assertSupported, findUnsupported } from './harbor-support.ts';
import { describeHarborTests, toNetworkPolicy } from './harbor-tests.ts';

/**
 * A task folder of Harbor's. One with a `[pwp]` table is this project's own. Errors: `bad-data`, `bad-task`; `unsupported`
 * with each reason why it can't be run here.
 */
export async function makeHarborTask(about: DatasetAbout, path: string): Promise<Task> {
  const read = await readHarborParts(path);
  if (read === undefined) return await loadTask(path);
  await assertSupported(read);
  const parts = { ...read, image: await addVariables(read) };
  const { config, instruction, begun } = parts;
  const tests = await describeHarborTests(parts);
  const task = makeTask({
    id: makeTaskId(about, basename(path)),
    path,
    instruction,
    config: await makeRawConfig(about, parts),
    workspace: begun,
    tests: tests.runs.flatMap(({ files }) => [...files]),
    imageTests: tests,
    solutions: await makeSolutions(path, config),
    falseSolutions: [
      {
        name: 'writes-reward',
        why: 'It writes the reward itself and does nothing else.',
        text: 'mkdir -p /logs/verifier && echo 1 > /logs/verifier/reward.txt\n',
      },
    ],
  });
  const sound = new Set<string>();
  const checkImage = async (image: TaskImage): Promise<void> => {
    if (!sound.has(image.key)) await checkEntryPoint(image);
    sound.add(image.key);
  };
  return { ...task, checkImage };
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
  if (reasons.length === 0) await describeHarborTests(parts);
  return { reason: reasons.length > 0 ? reasons.join('; ') : undefined, unknown: parts.unknown };
}

/** What is run before the agent begins: the set-up of the first step, and the wait for services that the image starts. */
async function makeSetup({ path, config }: HarborParts): Promise<string> {
  const [first] = config.steps;
  const { healthcheck } = config.environment;
  const checks = [healthcheck, first?.healthcheck].filter((one) => one !== undefined);
  const hasScript = first && (await pathExists(join(path, 'steps', first.name, 'workdir/setup.sh')));
  const commands = [...(hasScript ? ['bash setup.sh'] : []), ...checks.map(makeHealthcheck)];
  return commands.join('\n');
}

/** As Harbor waits: failures of the start period don't count. */
function makeHealthcheck(check: HarborHealthcheck): string {
  const { command, retries, start_interval_sec: early, interval_sec: later } = check;
  return `until=$((SECONDS + ${Math.ceil(check.start_period_sec)})); failed=0
while ! timeout ${Math.max(1, Math.trunc(check.timeout_sec))} bash -c ${quoteShellWord(command)}; do
  if ((SECONDS < until)); then sleep ${early}; continue; fi
  failed=$((failed + 1))
  if ((failed >= ${retries})); then echo 'its health check failed ${retries} times' >&2; exit 1; fi
  sleep ${later}
done`;
}

function makeExports(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `export ${name}=${quoteShellWord(value)}`);
}

const mostSeconds = 86_400;

async function makeRawConfig(about: DatasetAbout, parts: HarborParts): Promise<RawTaskConfig> {
  const { config, image } = parts;
  const { environment: asked, metadata } = config;
  const setup = await makeSetup(parts);
  const passes = listPasses(config);
  const base = makeRecordConfig(about, {
    agentSeconds: Math.min(mostSeconds, sumIfAll(passes.map((one) => one.agentSeconds)) ?? 1800),
    testSeconds: Math.min(mostSeconds, sumIfAll(passes.map((one) => one.testSeconds)) ?? 600),
    environment: {
      ...(asked.cpus !== undefined && { cpus: asked.cpus }),
      // An IDE needs its own.
      memory_mb: Math.max(4096, asked.memory_mb ?? 0),
      ...(asked.storage_mb !== undefined && { storage_mb: Math.max(1024, asked.storage_mb) }),
      ...(asked.workdir !== undefined && { workdir: asked.workdir }),
      ...makeNetwork(passes[0]),
    },
  });
  const { difficulty, category, author_name: name, author_email: email } = metadata;
  return {
    ...base,
    pwp: { ...base.pwp, image, ...(setup !== '' && { setup }) },
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

/** The agent's. */
function makeNetwork(pass: HarborPass | undefined) {
  const policy = toNetworkPolicy(pass?.network ?? {});
  return {
    network_mode: policy.mode,
    allowed_hosts: policy.mode === 'allowlist' ? [...policy.hosts] : [],
  };
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

async function makeSolutions(path: string, config: HarborConfig) {
  if (listUnresolved(config.solution.env).length > 0) return [];
  const folders = await listSolutionFolders(path, config);
  const scripts = await Promise.all(folders.map((folder) => makeSolutionScript(path, folder)));
  const variables = makeExports(resolveVariables(config.solution.env));
  return scripts.every((script) => script !== undefined)
    ? [{ name: 'gold', text: [...variables, ...scripts].join('\n') }]
    : [];
}

/** Harbor copies the folder to /solution and runs solve.sh in the working folder. */
async function makeSolutionScript(root: string, folder: string): Promise<string | undefined> {
  if (!(await pathExists(join(root, folder, 'solve.sh')))) return undefined;
  const tree = (await readHarborTree(root, folder)).map(makeRunnable);
  const files = tree.filter((entry) => entry.kind === 'file');
  const written = files.map(({ path, content }) => {
    const data = Buffer.from(content).toString('base64');
    const place = quoteShellWord(`/solution/${path}`);
    return `mkdir -p "$(dirname ${place})" && base64 -d > ${place} <<'END'\n${data}\nEND`;
  });
  return `rm -rf /solution && mkdir -p /solution\n${written.join('\n')}\nchmod +x /solution/solve.sh && /solution/solve.sh && rm -rf /solution\n`;
}
