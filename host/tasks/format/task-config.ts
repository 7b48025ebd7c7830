import { parse } from 'smol-toml';
import * as z from 'zod';
import { describeError } from '../../../bridge/lib/index.ts';
import { describeSchemaIssues } from '../../lib/index.ts';
import { badTask } from './task-files.ts';

/**
 * Reads the text of a task.toml.
 * Errors: `bad-task` with file, every wrong field, what was expected and what was found.
 */
export function readTaskConfig(file: string, text: string): TaskConfig {
  return checkTaskConfig(file, parseToml(file, text));
}

/** As {@link readTaskConfig}, for text that is already parsed. */
export function checkTaskConfig(file: string, raw: unknown): TaskConfig {
  const checked = taskConfigSchema.safeParse(raw);
  if (checked.success) return checked.data;
  throw badTask(file, describeSchemaIssues(checked.error, raw).join('; '));
}

function parseToml(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw badTask(file, `not TOML: ${describeError(cause).trim()}`, cause);
  }
}

/** A field that Harbor reads and that has no effect here: taken as it is, so that one folder serves both. */
const harborField = z.unknown().optional();

/** Fields of Harbor's task.toml beside those that are read here. */
const harborTaskFields = {
  schema_version: harborField,
  task: harborField,
  solution: harborField,
  source: harborField,
  artifacts: harborField,
};

const harborAgentFields = { user: harborField };

const harborVerifierFields = { user: harborField, env: harborField, environment_mode: harborField };

const harborEnvironmentFields = {
  docker_image: harborField,
  os: harborField,
  gpus: harborField,
  gpu_types: harborField,
  tpu: harborField,
  env: harborField,
  healthcheck: harborField,
  mcp_servers: harborField,
  skills_dir: harborField,
};

const secondsField = z.number().positive().max(86_400);
const ideSettings = z.record(z.string().min(1), z.unknown());

/** Facts about a task for people and for filters; further fields of the author's own are kept. */
const metadataTable = z.looseObject({
  author_name: z.string().min(1).describe('who wrote the task'),
  author_email: z.string().min(1).describe('how to reach the author'),
  difficulty: z.enum(['easy', 'medium', 'hard']).describe('for a person who knows the IDE'),
  category: z.string().min(1).describe('family, e.g. ide-configuration'),
  tags: z.array(z.string().min(1)).default([]).describe('free words to filter by'),
});

const environmentTable = z
  .strictObject({
    ...harborEnvironmentFields,
    cpus: z.number().positive().max(256).optional().describe('cores, fractions allowed; default 2'),
    memory_mb: z.int().min(256).optional().describe('memory limit in MiB; default 4096'),
    storage_mb: z.int().min(64).optional().describe('disk limit in MiB; default 10240'),
    workdir: z
      .string()
      .startsWith('/')
      .optional()
      .describe("the workspace of a task with an image; default: the image's working folder"),
    build_timeout_sec: secondsField
      .default(600)
      .describe('seconds the sandbox may take until the IDE is ready'),
    network_mode: z
      .enum(['no-network', 'allowlist', 'public'])
      .default('no-network')
      .describe('the network that the sandbox can reach'),
    allowed_hosts: z
      .array(z.string().min(1))
      .default([])
      .describe('host names that may be reached; for network_mode = "allowlist" alone'),
  })
  .refine(({ network_mode: mode, allowed_hosts: hosts }) => mode === 'allowlist' || hosts.length === 0, {
    path: ['allowed_hosts'],
    message: 'expected no hosts unless network_mode is "allowlist"',
  });

const keybinding = z.strictObject({
  key: z.string().min(1).describe('e.g. ctrl+k ctrl+c'),
  command: z.string().describe('command id; a leading minus takes a binding away'),
  when: z.string().optional().describe('context expression'),
  args: z.unknown().optional().describe('arguments of the command'),
});

/** Path below the workspace that can't leave it. */
const workspacePath = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
    message: 'expected a path relative to the workspace, without ".."',
  });

/** Where tests run what an agent left; only `beside` them can it deceive them. */
const agentCodePlaces = ['nowhere', 'apart', 'beside'] as const;
export type AgentCode = (typeof agentCodePlaces)[number];

const pwpTable = z.strictObject({
  settings: ideSettings.default({}).describe('user settings.json of the initial state'),
  keybindings: z.array(keybinding).default([]).describe('user keybindings.json of the initial state'),
  workspace_settings: ideSettings
    .optional()
    .describe("the workspace's .vscode/settings.json in the initial state"),
  image: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'image that is the root of the agent, with its working folder as the workspace; default: our own',
    ),
  open: z
    .array(workspacePath)
    .default([])
    .describe('files open at the start, relative to the workspace; the last is active'),
  gallery: z
    .boolean()
    .default(false)
    .describe("whether the extensions view has the project's gallery; it needs no network"),
  display: z
    .strictObject({
      width: z.int().min(640).max(7680).describe('pixels'),
      height: z.int().min(480).max(4320).describe('pixels'),
      audio: z.boolean().optional().describe('whether what the IDE plays can be heard; default false'),
    })
    .optional()
    .describe('the screen, and whether there is sound; default 1920x1080 without'),
  ask: z
    .array(z.enum(['breakpoints', 'extensions']))
    .default([])
    .describe("what grading asks a pristine IDE, booted on the agent's browser profile, for the checks"),
  tools: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('set of tools for an agent that is a command, unless another is given, e.g. ide-bench'),
  setup: z
    .string()
    .max(1_000_000)
    .optional()
    .describe('bash script, run inside in the workspace once the IDE is up and before the agent sees it'),
  graded_folders: z
    .array(z.string().regex(/^(\/[A-Za-z0-9_][A-Za-z0-9._-]*)+$/, 'expected an absolute path'))
    .max(20)
    .default([])
    .describe('folders that grading copies beside the workspace, /ide and the home'),
  agent_code: z
    .enum(agentCodePlaces)
    .optional()
    .describe(
      'where the tests run what the agent left: `nowhere`; `apart`, in sandboxes without the tests; `beside` the tests, which it can deceive; default: derived from the text of the tests',
    ),
  known_inside: z
    .array(
      z
        .string()
        .regex(/^(tests|solution|false-solutions)\/./, 'expected a file or folder below tests/ or solutions'),
    )
    .default([])
    .describe(
      'files and folders of tests or solutions whose content the agent is meant to find inside; else the leak audit fails',
    ),
  features: z
    .array(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case words joined by dashes'))
    .min(1)
    .describe('IDE features that the task exercises, e.g. settings, find-and-replace'),
});

/** task.toml: Harbor's format with a `[pwp]` table. An unknown field is an error, so that a typing slip is found. */
export const taskConfigSchema = z.strictObject({
  ...harborTaskFields,
  version: z.literal('1.0').describe('version of the format'),
  metadata: metadataTable,
  agent: z
    .strictObject({ ...harborAgentFields, timeout_sec: secondsField.describe('seconds the agent may work') })
    .describe('limits of the agent'),
  verifier: z
    .strictObject({
      ...harborVerifierFields,
      timeout_sec: secondsField.describe('seconds that tests/test.sh may take'),
    })
    .describe('limits of the tests'),
  environment: environmentTable.prefault({}),
  pwp: pwpTable.describe('initial state of the IDE'),
});

/** A task's configuration as it is written. */
export type RawTaskConfig = z.input<typeof taskConfigSchema>;
/** The same with its defaults filled in. */
export type TaskConfig = z.output<typeof taskConfigSchema>;
/** VS Code settings: full keys or language overrides, as in settings.json. */
export type IdeSettings = z.output<typeof ideSettings>;
