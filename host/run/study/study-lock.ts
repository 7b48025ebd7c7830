import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { programVersion, swapKeyForms } from '../../lib/index.ts';
import { chooseImage, type Task } from '../../tasks/index.ts';
import { type AgentSettings, chooseAgent, type OpenedAgent } from '../agents/index.ts';
import { redactAddress } from '../models/index.ts';
import { studyConfig, type StudyConfig } from './study-config.ts';

/** `study.json`: the definition of a study. A folder never has attempts of two different ones. */
export const studyLock = z.object({
  format: z.literal(1),
  /** Hash of all fields below except `attempts`, which may grow. */
  hash: z.string(),
  version: z.string().describe('of pwp'),
  attempts: z.int().positive(),
  settings: z.record(z.string(), z.unknown()).describe('limits, screen, seed'),
  tasks: z.array(z.object({ id: z.string(), hash: z.string() })),
  agents: z.array(z.object({ name: z.string(), hash: z.string(), set: z.record(z.string(), z.unknown()) })),
});
export type StudyLock = z.output<typeof studyLock>;

/** The settings that all attempts share, except task and agent. The tasks are listed, regardless of how they were chosen. */
const sharedSettings = z
  .object(studyConfig.shape)
  .omit({ tasks: true, agents: true, attempts: true })
  .omit({ data: true, ids: true, sample: true, sampleSeed: true });

/** The lock of a study, with hashes of its tasks and agents. */
export async function makeStudyLock(
  config: StudyConfig,
  tasks: readonly Task[],
  agents: readonly OpenedAgent[],
): Promise<StudyLock> {
  const { agents: set, attempts } = config;
  const [first] = tasks;
  const body = {
    version: programVersion,
    settings: toFileForm(sharedSettings.parse(config)),
    tasks: await Promise.all(
      tasks.map(async (task) => ({ id: task.id, hash: await hashTask(task, config) })),
    ),
    agents: await Promise.all(
      agents.map(async (agent, index) => ({
        name: agent.name,
        hash: first === undefined ? '' : await hashAgent(agent, first),
        set: redactSettings(set[index]),
      })),
    ),
  };
  return { format: 1, hash: hashParts([JSON.stringify(body)]), attempts, ...body };
}

/** An agent as in the study's file, without user and password of its model's server. */
function redactSettings(agent: AgentSettings | undefined): Record<string, unknown> {
  const { baseUrl } = agent ?? {};
  return toFileForm({ ...agent, ...(baseUrl !== undefined && { baseUrl: redactAddress(baseUrl) }) });
}

function toFileForm(settings: object): Record<string, unknown> {
  return swapKeyForms(settings) as Record<string, unknown>;
}

/** Errors: `study-differs` with everything that has changed. */
export function assertSameStudy(before: StudyLock, now: StudyLock, folder: string): void {
  const differences = [
    ...(before.version === now.version ? [] : [`pwp is ${now.version}, was ${before.version}`]),
    ...(now.attempts < before.attempts ? [`attempts are ${now.attempts}, were ${before.attempts}`] : []),
    ...listDifferentKeys('', before.settings, now.settings),
    ...listDifferentItems('task', before.tasks, now.tasks, ({ id }) => id),
    ...listDifferentItems('agent', before.agents, now.agents, ({ name }) => name),
  ];
  if (differences.length === 0) return;
  const shown = differences.slice(0, 5).join('; ');
  const more = differences.length > 5 ? `; and ${differences.length - 5} more` : '';
  throw new PwpError('study-differs', `${folder} contains another study: ${shown}${more}`, {
    help: 'Change it back, or give another --out.',
  });
}

function listDifferentKeys(
  prefix: string,
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return keys
    .map((key) => [key, JSON.stringify(before[key]), JSON.stringify(now[key])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([key, was = 'not set', is = 'not set']) => `${prefix}${key} is ${is}, was ${was}`);
}

function listDifferentItems<
  T extends { readonly hash: string; readonly set?: Readonly<Record<string, unknown>> },
>(word: string, before: readonly T[], now: readonly T[], nameOf: (item: T) => string): string[] {
  const was = new Map(before.map((item) => [nameOf(item), item]));
  const is = new Map(now.map((item) => [nameOf(item), item]));
  const gone = [...was.keys()].filter((name) => !is.has(name)).map((name) => `${word} ${name} is missing`);
  const rest = [...is].flatMap(([name, item]) => {
    const old = was.get(name);
    if (!old) return [`${word} ${name} is new`];
    const keys = listDifferentKeys(`${word} ${name}: `, old.set ?? {}, item.set ?? {});
    return keys.length > 0 || old.hash === item.hash ? keys : [`${word} ${name} has other content`];
  });
  return [...gone, ...rest];
}

/** Of the task as it is played: in an image it may have other files. */
export async function hashTask(given: Task, { image }: StudyConfig): Promise<string> {
  const task = chooseImage(given, image) === undefined ? given : (given.inImage ?? given);
  const seeds = [...(await task.seeds()), ...(await task.testSeeds())];
  const parts = seeds.flatMap((seed) => [seed.path, 'digest' in seed ? seed.digest : seed.tar]);
  return hashParts([task.instruction, JSON.stringify(task.config), String(task.seed), ...parts]);
}

/** Its model's system prompt, its tools, and its script if it plays one. */
async function hashAgent(opened: OpenedAgent, task: Task): Promise<string> {
  const { agent, model } = opened;
  if (!model) return hashParts([agent]);
  const { about } = await chooseAgent(opened, task);
  const script = model.vendor === 'scripted' ? await readFile(model.name) : '';
  return hashParts([agent, JSON.stringify(about), script]);
}

function hashParts(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(`${Buffer.byteLength(part)}\n`);
    hash.update(part);
  }
  return hash.digest('hex');
}
