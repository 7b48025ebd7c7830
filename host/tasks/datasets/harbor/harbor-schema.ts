import { isIP } from 'node:net';
import * as z from 'zod';

/**
 * The `task.toml` of Harbor's task schema 1.4, with the fields and rules of Harbor 0.26. Fields of older schemas become those
 * that took their place. What Harbor leaves unset stays unset.
 */

/** The newest schema that is known here. */
export const HARBOR_SCHEMA = '1.4';
/** The container that the agent works in; all others are of a compose file. */
export const mainService = 'main';

const secondsField = z.number().positive();
/** A name, or a number of the system. */
const userField = z.union([z.string(), z.int()]).optional();
const textsField = z.record(z.string(), z.string());
const serviceField = z
  .string()
  .trim()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/, 'expected the name of a service of a compose file');

const hostPattern =
  /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

function isHostName(host: string): boolean {
  return hostPattern.test(host) && !isAddress(host.replace(/^\*\./, ''));
}

/** One without a zone, which is of one machine alone. */
function isAddress(host: string): boolean {
  return isIP(host) !== 0 && !host.includes('%');
}

/** An address range such as 10.0.0.0/8. */
export function isAddressRange(host: string): boolean {
  const [, address = '', bits] = /^([^/%]+)\/(\d{1,3})$/.exec(host) ?? [];
  const kind = isIP(address);
  return kind !== 0 && Number(bits) <= (kind === 4 ? 32 : 128);
}

const hostField = z
  .string()
  .transform((host) => host.trim().toLowerCase().replace(/\.$/, ''))
  .refine((host) => isHostName(host) || isAddress(host) || isAddressRange(host), {
    message: 'expected a host name, *.name, an IP address or a range of addresses',
  });

const networkFields = {
  network_mode: z.enum(['no-network', 'allowlist', 'public']).optional(),
  allowed_hosts: z.array(hostField).optional().describe('for network_mode = "allowlist" alone'),
};
/** Unset where Harbor takes the network of the table above. */
export interface HarborNetwork {
  readonly network_mode?: 'no-network' | 'allowlist' | 'public' | undefined;
  readonly allowed_hosts?: readonly string[] | undefined;
}
const allowsHosts = (table: HarborNetwork): boolean =>
  table.network_mode === 'allowlist' || (table.allowed_hosts ?? []).length === 0;
const hostsRule = {
  path: ['allowed_hosts'],
  message: 'expected no hosts unless network_mode is "allowlist"',
};

const agentTable = z
  .strictObject({ timeout_sec: secondsField.optional(), user: userField, ...networkFields })
  .refine(allowsHosts, hostsRule);

const healthcheckTable = z.strictObject({
  command: z.string().describe('exit code 0: ready'),
  interval_sec: z.number().default(5),
  timeout_sec: z.number().default(30).describe('of one try'),
  start_period_sec: z.number().default(0).describe('in which failures do not count'),
  start_interval_sec: z.number().default(5).describe('between tries of that period'),
  retries: z.int().default(3).describe('failures in a row until it has failed'),
});
export type HarborHealthcheck = z.output<typeof healthcheckTable>;

const mcpServerTable = z
  .strictObject({
    name: z.string(),
    transport: z.preprocess(
      (value) => (value === 'http' ? 'streamable-http' : value),
      z.enum(['stdio', 'sse', 'streamable-http']).default('sse'),
    ),
    url: z.string().optional(),
    command: z.string().optional(),
    args: z.array(z.string()).default([]),
    headers: z
      .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of a header'), z.string())
      .default({}),
  })
  .refine(({ transport, url }) => transport === 'stdio' || (url ?? '') !== '', {
    path: ['url'],
    message: 'expected the address of a server that is reached over HTTP',
  })
  .refine(({ transport, command }) => transport !== 'stdio' || (command ?? '') !== '', {
    path: ['command'],
    message: 'expected the command of a server with transport = "stdio"',
  })
  .refine(({ transport, headers }) => transport !== 'stdio' || Object.keys(headers).length === 0, {
    path: ['headers'],
    message: 'expected no headers of a server with transport = "stdio"',
  });
export type HarborMcpServer = z.output<typeof mcpServerTable>;

const environmentTable = z
  .strictObject({
    build_timeout_sec: secondsField.optional(),
    docker_image: z.string().optional(),
    os: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['linux', 'windows']))
      .default('linux'),
    cpus: z.number().positive().optional(),
    memory_mb: z.int().positive().optional(),
    storage_mb: z.int().positive().optional(),
    gpus: z.int().nonnegative().optional(),
    gpu_types: z.array(z.string()).optional(),
    tpu: z
      .strictObject({
        type: z.string().min(1),
        topology: z
          .string()
          .trim()
          .regex(/^[1-9]\d*(?:x[1-9]\d*)+$/, 'expected sizes such as 2x4'),
      })
      .optional(),
    mcp_servers: z.array(mcpServerTable).default([]),
    env: textsField.default({}),
    skills_dir: z.string().optional(),
    healthcheck: healthcheckTable.optional(),
    workdir: z.string().startsWith('/').optional(),
    ...networkFields,
    memory: z.string().optional().describe('of older tasks, e.g. 2G'),
    storage: z.string().optional().describe('of older tasks'),
    allow_internet: z.boolean().optional().describe('of older tasks'),
  })
  .refine(allowsHosts, hostsRule)
  .transform(({ memory, storage, allow_internet: internet, ...table }, context) => {
    const size = (field: 'memory' | 'storage', text: string | undefined, given: number | undefined) => {
      if (text === undefined) return given;
      const parsed = parseMebibytes(text);
      if (parsed !== undefined && (given === undefined || given === parsed)) return parsed;
      const message =
        parsed === undefined ? 'expected a size such as 2G' : `expected the ${given} MiB of ${field}_mb`;
      context.addIssue({ code: 'custom', path: [field], message });
      return z.NEVER;
    };
    const saysNetwork = table.network_mode !== undefined || table.allowed_hosts !== undefined;
    const mode = internet === true ? ('public' as const) : ('no-network' as const);
    return {
      ...table,
      memory_mb: size('memory', memory, table.memory_mb),
      storage_mb: size('storage', storage, table.storage_mb),
      network_mode: saysNetwork || internet === undefined ? table.network_mode : mode,
    };
  });
export type HarborEnvironment = z.output<typeof environmentTable>;

/** MiB of `512M`, `2G` and the like. */
function parseMebibytes(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT])i?B?$/i.exec(text.trim()) ?? [];
  const factors: Readonly<Record<string, number>> = { K: 1 / 1024, M: 1, G: 1024, T: 1024 * 1024 };
  const factor = factors[unit?.toUpperCase() ?? ''];
  return number === undefined || factor === undefined ? undefined : Math.ceil(Number(number) * factor);
}

const collectTable = z.strictObject({
  command: z.string(),
  service: serviceField.default(mainService),
  timeout_sec: z.number().default(60),
  user: userField,
});
export type HarborCollect = z.output<typeof collectTable>;

const verifierTable = z
  .strictObject({
    timeout_sec: secondsField.default(600),
    env: textsField.default({}),
    user: userField,
    environment_mode: z.enum(['shared', 'separate']).optional(),
    environment: environmentTable.optional(),
    collect: z.array(collectTable).default([]),
    ...networkFields,
  })
  .refine(allowsHosts, hostsRule)
  .refine(({ environment_mode: mode, environment }) => mode !== 'shared' || environment === undefined, {
    path: ['environment_mode'],
    message: 'expected "separate" where the verifier has an environment of its own',
  });

const leavesNoFolder = (path: string): boolean => !path.split('/').includes('..');

const artifactTable = z
  .strictObject({
    source: z.string().min(1).refine(leavesNoFolder, 'expected a path without ".."'),
    destination: z
      .string()
      .refine(
        (path) => leavesNoFolder(path) && !/^\/|\\|^(?:manifest\.json\/*|\.\/*)$/.test(path),
        'expected a relative path without "..", not manifest.json',
      )
      .optional(),
    exclude: z.array(z.string()).default([]),
    service: serviceField.optional(),
  })
  .refine(
    ({ source, service = mainService }) => service === mainService || /^\/|^[A-Za-z]:[/\\]/.test(source),
    {
      path: ['source'],
      message: 'expected an absolute path for another service',
    },
  );
export type HarborArtifact = z.output<typeof artifactTable>;
const artifactsField = z
  .array(z.preprocess((value) => (typeof value === 'string' ? { source: value } : value), artifactTable))
  .default([]);

/** A folder's name on any system. */
const stepNamePattern =
  /^(?!\s*$|\.{1,2}$|(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³])\s*(?:\.|$))[^<>:"/\\|?*\u0000-\u001f\u007f]*[^<>:"/\\|?*\u0000-\u001f\u007f. ]$/i;

const stepTable = z.strictObject({
  name: z
    .string()
    .regex(stepNamePattern, 'expected the name of a folder in steps/')
    .refine((name) => Buffer.byteLength(name) <= 255, 'expected at most 255 bytes'),
  agent: agentTable.prefault({}),
  verifier: verifierTable.prefault({}),
  min_reward: z
    .union([z.number(), z.record(z.string(), z.number())])
    .optional()
    .describe('below it no later step counts'),
  healthcheck: healthcheckTable.optional(),
  artifacts: artifactsField,
});
export type HarborStep = z.output<typeof stepTable>;

const packageTable = z.strictObject({
  name: z
    .string()
    .regex(
      /^(?!.*\.\.)[a-zA-Z0-9][a-zA-Z0-9._-]*\/[a-zA-Z0-9][a-zA-Z0-9._-]*$/,
      'expected a name such as owner/task',
    ),
  version: z.string().min(1).optional(),
  description: z.string().default(''),
  authors: z.array(z.strictObject({ name: z.string(), email: z.string().optional() })).default([]),
  keywords: z.array(z.string()).default([]),
});

/** The fields of a foreign `task.toml`. Unknown fields are errors: Harbor ignores them, and so does {@link readHarborConfig}. */
export const harborConfigSchema = z.strictObject({
  schema_version: z.string().optional(),
  version: z.string().optional().describe('schema_version in older tasks'),
  task: packageTable.optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  agent: agentTable.prefault({}),
  solution: z.strictObject({ env: textsField.default({}) }).prefault({}),
  verifier: verifierTable.prefault({}),
  environment: environmentTable.prefault({}),
  source: z.string().optional(),
  multi_step_reward_strategy: z.enum(['mean', 'final']).default('mean'),
  steps: z
    .array(stepTable)
    .default([])
    .refine((steps) => new Set(steps.map(foldStepName)).size === steps.length, {
      message: 'expected steps with names of their own, also without regard to case',
    }),
  artifacts: artifactsField,
});
export type HarborConfig = z.output<typeof harborConfigSchema>;

function foldStepName({ name }: { readonly name: string }): string {
  return name.normalize('NFC').toLowerCase();
}
