import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { imagePrograms, PwpError } from '../../../../bridge/lib/index.ts';
import { clipEnd } from '../../../../bridge/text/index.ts';
import { describeSchemaIssues, packageFolder } from '../../../lib/index.ts';
import {
  type ArchiveEntry,
  makeTextEntry,
  packArchive,
  type RunVariant,
  type VariantProgram,
} from '../../format/index.ts';
import { badData } from '../records/index.ts';

/** A folder of the owners', where their scripts expect it. */
export interface OwnersFolder {
  /** Absolute path in a sandbox. */
  readonly path: string;
  readonly entries: readonly ArchiveEntry[];
}

export interface GymSetUpPlan {
  /** A task's name. */
  readonly name: string;
  /** The folder of the task, for errors. */
  readonly path: string;
  readonly owners: readonly OwnersFolder[];
  /** The image that it is set up in; undefined for our own. */
  readonly image: string | undefined;
  /** Commands: what prepares the owners' user, empty for nothing, and what sets the task up. */
  readonly environment: string;
  readonly setUp: string;
  /** The command that exports the result, and the text of its script: what it needs must be in the image, too. */
  readonly exportCommand: string;
  readonly exportText: string;
  /** Files that the verifier may ask for: the export makes one of them. */
  readonly paths: readonly string[];
  readonly seconds: number;
}

const answerPath = '/gym-answer.json';
const mostAnswerBytes = 128 * 1024 * 1024;
/** Seconds for what is not the task's own script. */
const extraSeconds = 1300;
const setUpPrograms = ['machine.py', 'set_up.py', 'stand_in.py'];

const inHome = z
  .string()
  .max(1000)
  .refine((path) => path.split('/').every((part) => !['', '.', '..'].includes(part)), 'leads elsewhere');

function makeEntrySchema(path: z.ZodString) {
  const common = { path, mode: z.int(), uid: z.int(), gid: z.int() };
  return z.discriminatedUnion('kind', [
    z.strictObject({ ...common, kind: z.literal('file'), content: z.base64() }),
    z.strictObject({ ...common, kind: z.literal('folder') }),
    z.strictObject({ ...common, kind: z.literal('link'), target: z.string().min(1).max(4096) }),
  ]);
}

const setUpSchema = z.strictObject({
  code: z.int().nullable().describe('exit code; null after a time-out'),
  log: z.string(),
  running: z.array(z.string()),
  lacks: z.array(z.string()),
  project: inHome.nullable().describe('the folder below ~/workspace that VS Code is opened with'),
  open: z.array(inHome).describe('files, relative to that folder'),
  home: z.array(makeEntrySchema(inHome)).describe('by paths below the home folder'),
  elsewhere: z.array(makeEntrySchema(z.string().startsWith('/').max(1000))),
  export: z
    .strictObject({ code: z.int().nullable(), found: z.boolean(), log: z.string() })
    .nullable()
    .describe('how the export ends on the untouched project; null where it was not run'),
});

/** What a set-up leaves: the agent gets the home, the export of the result also the rest. */
export type GymSetUp = z.output<typeof setUpSchema>;

/** Sets a task up in a sandbox that the agent never gets. Errors: `unsupported`, `bad-data`; those of `run`. */
export async function runGymSetUp(plan: GymSetUpPlan, run: RunVariant): Promise<GymSetUp> {
  const ran = await run(await buildSetUpProgram(plan));
  const file = join(plan.path, 'task.json');
  if ('problem' in ran) throw badData(file, `its set-up fails: ${clipEnd(ran.problem.trim(), 500)}`);
  const raw: unknown = JSON.parse(Buffer.from(ran.answer).toString('utf8'));
  const checked = setUpSchema.safeParse(raw);
  if (!checked.success) throw badData(file, describeSchemaIssues(checked.error, raw).join('; '));
  assertSetUp(plan, checked.data);
  return checked.data;
}

function assertSetUp({ name, path, image, seconds }: GymSetUpPlan, made: GymSetUp): void {
  const { code, log, lacks, running } = made;
  if (lacks.length > 0)
    throw new PwpError('unsupported', `${name} needs what the image does not have: ${lacks.join(', ')}`, {
      help:
        image === undefined
          ? 'Name an image that has it: --image (docs/datasets.md).'
          : `Add it to ${image}.`,
    });
  if (code !== 0) {
    const how = code === null ? `takes longer than ${seconds} s` : `ends with exit code ${code}`;
    throw badData(join(path, 'task.json'), `its set-up ${how}: ${clipEnd(log.trim(), 300)}`);
  }
  if (running.length > 0)
    throw new PwpError(
      'unsupported',
      `${name} needs programs that its set-up starts: ${running.join(', ')}`,
      {
        help: 'The agent gets the files of a set-up, not its processes.',
      },
    );
  if (made.export?.found === false)
    throw badData(
      join(path, 'task.json'),
      `its export makes no file for its verifier, also of the untouched project: ${clipEnd(made.export.log.trim(), 300)}`,
    );
}

async function buildSetUpProgram(plan: GymSetUpPlan): Promise<VariantProgram> {
  const { name, owners, image, environment, setUp, exportCommand, exportText, paths, seconds } = plan;
  const described = {
    environment,
    set_up: setUp,
    seconds,
    export: exportCommand,
    export_text: exportText,
    paths,
  };
  const programs = await Promise.all(
    setUpPrograms.map(async (file) => makeTextEntry(file, await readGraderFile(file))),
  );
  const own = [...programs, makeTextEntry('plan.json', JSON.stringify(described))];
  return {
    name,
    seeds: [
      { path: '/gym', tar: packArchive(own) },
      ...owners.map(({ path, entries }) => ({ path, tar: packArchive(entries) })),
    ],
    root: image,
    argv: [imagePrograms.python, '-I', '-S', '/gym/set_up.py'],
    answer: answerPath,
    timeoutMs: (seconds + extraSeconds) * 1000,
    mostBytes: mostAnswerBytes,
    isLarge: true,
  };
}

function readGraderFile(name: string): Promise<string> {
  const folder = join(packageFolder(import.meta.url), 'host/tasks/datasets/gym-anything/grader');
  return readFile(join(folder, name), 'utf8');
}
