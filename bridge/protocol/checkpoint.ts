import * as z from 'zod';
import { findWorkspaceProblem } from './workspace.ts';

export const displaySize = z.object({
  width: z.int().positive().max(10_000).describe('pixels'),
  height: z.int().positive().max(10_000).describe('pixels'),
  audio: z.boolean().optional().describe('whether what the IDE plays can be heard; default false'),
});

/** Absolute path of a sandbox's workspace. */
export const workspaceFolder = z.string().refine((path) => findWorkspaceProblem(path) === undefined, {
  message: 'expected a folder that can be a workspace',
});

/** The limits of a sandbox; units as in the node's own interface. */
export const sandboxBounds = z.object({
  cpus: z.number().positive(),
  memoryMb: z.number().positive(),
  pids: z.int().positive(),
  diskMb: z.number().positive(),
});

/** The destinations that a sandbox may reach. */
const extensionGallery = z
  .boolean()
  .optional()
  .describe('whether the extension gallery is reached; default false');
export const networkPolicy = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('no-network'), gallery: extensionGallery }),
  z.object({
    mode: z.literal('allowlist'),
    hosts: z.array(z.string().max(300)).max(1000).readonly(),
    gallery: extensionGallery,
  }),
  z.object({ mode: z.literal('public'), gallery: extensionGallery }),
]);

export const checkpointId = z
  .string()
  .regex(/^ck-[0-9a-f]{8}$/)
  .describe("a checkpoint's id");
export const checkpointKey = z.string().max(200);
export const checkpointKind = z.enum(['live', 'disk']);

/** One checkpoint of a node. */
export const checkpointInfo = z.object({
  id: checkpointId,
  name: z.string().max(200).nullable(),
  parent: checkpointId.nullable(),
  kind: checkpointKind,
  role: z.enum(['ide', 'bare']),
  image: z.string().max(200).describe("key of the sandbox's image"),
  root: z.string().max(4096).nullable().describe("image of the agent's root, as it was asked for"),
  key: checkpointKey.nullable(),
  display: displaySize,
  limits: sandboxBounds,
  network: networkPolicy,
  workspace: workspaceFolder,
  origin: z
    .string()
    .min(1)
    .max(60)
    .nullable()
    .describe('the sandbox that it began as, through all forks and restores'),
  kept: z.boolean().describe('outlives the process that started its sandbox'),
  takenAt: z.string().max(40).describe('ISO 8601'),
  frozenMs: z.number().nonnegative().describe('how long the sandbox was frozen, in milliseconds'),
  bytes: z.number().nonnegative().describe('on disk now'),
  state: z.enum(['hot', 'packed']),
});

/** A failure in the background of a node's store. */
export const checkpointProblem = z.object({
  at: z.string().max(40).describe('ISO 8601'),
  what: z.string().max(200).describe('what was being done'),
  why: z.string().max(10_000),
});

/** Which checkpoints a node can take. */
export const checkpointSupport = z.object({
  kind: checkpointKind,
  criu: z.object({ version: z.string().max(100), path: z.string().max(4096) }).nullable(),
  notes: z.array(z.string().max(10_000)).max(100).readonly(),
  lifetime: z.string().max(200),
});
