import { join } from 'node:path';
import * as z from 'zod';
import { checkRawRecord, readDataJson } from '../records/index.ts';

/** Places in a sandbox: absolute, without white space and without steps upwards. */
const placePath = z
  .string()
  .regex(/^(?:\/[\w.-]+)+$/, 'expected an absolute path')
  .refine((path) => !path.split('/').includes('..'), 'expected no ".." in it');

const environmentSchema = z.looseObject({
  id: z.string().regex(/^vscode/, "expected the environment of VS Code's tasks, vscode_env"),
  image: z
    .string()
    .regex(/^\w[\w./:@-]*(?<!\.(?:tar|tgz|gz))$/, 'expected the name of an image in a registry')
    .optional(),
  resources: z.looseObject({ cpu: z.number().positive().max(256).optional() }).prefault({}),
  mounts: z
    .array(z.looseObject({ source: z.string().describe('a folder of the repository'), target: placePath }))
    .default([]),
  hooks: z
    .looseObject({ post_start: z.string().optional().describe('what prepares the user of the machine') })
    .prefault({}),
});

/** What is read of an environment's `env.json`. */
export type GymEnvironment = z.output<typeof environmentSchema>;

const taskSchema = z.looseObject({
  id: z.string().min(1),
  description: z.string().min(1).describe('the instruction'),
  difficulty: z.string().optional(),
  init: z
    .looseObject({
      timeout_sec: z
        .number()
        .positive()
        .max(86_400)
        .default(1800)
        .describe('seconds that the agent may work'),
      max_steps: z.int().positive().optional(),
    })
    .prefault({}),
  hooks: z.looseObject({
    pre_task: z.string().min(1).describe('the command that sets the task up'),
    post_task: z.string().min(1).describe('the command that exports its result'),
    pre_task_timeout: z.number().positive().max(7200).default(600).describe('seconds'),
  }),
  success: z.looseObject({
    mode: z.string(),
    spec: z.looseObject({ program: z.string().optional().describe('verifier.py::function') }).prefault({}),
  }),
  metadata: z.looseObject({ pass_threshold: z.number().min(0).max(100).optional() }).prefault({}),
});

/** What is read of a task's `task.json`. */
export type GymTaskConfig = z.output<typeof taskSchema>;

/** Errors: `bad-data`; those of the file system. */
export async function readGymEnvironment(folder: string): Promise<GymEnvironment> {
  const file = join(folder, 'env.json');
  return checkRawRecord(environmentSchema, await readDataJson(file), file);
}

/** Errors: `bad-data`; those of the file system. */
export async function readGymTask(folder: string): Promise<GymTaskConfig> {
  const file = join(folder, 'task.json');
  return checkRawRecord(taskSchema, await readDataJson(file), file);
}

/** File and function of its verifier; undefined where it is judged in another way. */
export function parseVerifier({ success }: GymTaskConfig): { file: string; name: string } | undefined {
  const [, file, name] = /^([\w.-]+\.py)::([A-Za-z_]\w*)$/.exec(success.spec.program ?? '') ?? [];
  return success.mode === 'program' && file !== undefined && name !== undefined ? { file, name } : undefined;
}
