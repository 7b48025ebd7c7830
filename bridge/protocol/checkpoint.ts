import * as z from 'zod';
import { byteCount, defineMethod, streamId } from './descriptor.ts';

export const displaySize = z.object({
  width: z.int().positive().max(10_000).describe('pixels'),
  height: z.int().positive().max(10_000).describe('pixels'),
  audio: z.boolean().optional().describe('whether what the IDE plays can be heard; default false'),
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

const checkpointId = z
  .string()
  .regex(/^ck-[0-9a-f]{8}$/)
  .describe("a checkpoint's id");
const sandboxId = z.string().min(1).max(60).describe("a sandbox's id");
const kind = z.enum(['live', 'disk']);
const name = z.string().max(200);

/** One checkpoint of a node. */
const checkpointInfo = z.object({
  id: checkpointId,
  name: name.nullable(),
  parent: checkpointId.nullable(),
  kind,
  role: z.enum(['ide', 'bare']),
  image: z.string().max(200).describe("key of the sandbox's image"),
  key: z.string().max(200).nullable(),
  display: displaySize,
  limits: sandboxBounds,
  network: networkPolicy,
  origin: sandboxId.nullable().describe('the sandbox that it began as, through all forks and restores'),
  kept: z.boolean().describe('outlives the process that started its sandbox'),
  takenAt: z.string().max(40).describe('ISO 8601'),
  frozenMs: z.number().nonnegative().describe('how long the sandbox was frozen, in milliseconds'),
  bytes: z.number().nonnegative().describe('on disk now'),
  state: z.enum(['hot', 'packed']),
});

/** A failure in the background of a node's store. */
const checkpointProblem = z.object({
  at: z.string().max(40).describe('ISO 8601'),
  what: z.string().max(200).describe('what was being done'),
  why: z.string().max(10_000),
});

/** The checkpoints of one node. A whole checkpoint is sent by a stream that the caller opens. */
export const checkpointMethods = {
  support: defineMethod(
    'checkpoint.support',
    z.object({}),
    z.object({
      kind,
      criu: z.object({ version: z.string().max(100), path: z.string().max(4096) }).nullable(),
      notes: z.array(z.string().max(10_000)).max(100),
    }),
  ),
  list: defineMethod(
    'checkpoint.list',
    z.object({}),
    z.object({ checkpoints: z.array(checkpointInfo).max(100_000) }),
  ),
  find: defineMethod(
    'checkpoint.find',
    z.object({ key: z.string().max(200) }),
    z.object({ checkpoint: checkpointInfo.nullable() }),
  ),
  problems: defineMethod(
    'checkpoint.problems',
    z.object({}),
    z.object({ problems: z.array(checkpointProblem).max(10_000) }),
  ),
  take: defineMethod(
    'checkpoint.take',
    z.object({
      sandbox: sandboxId,
      name: name.optional(),
      key: z.string().max(200).optional(),
      kind: kind.optional(),
    }),
    checkpointInfo,
  ),
  restore: defineMethod(
    'checkpoint.restore',
    z.object({ sandbox: sandboxId, id: checkpointId }),
    z.object({}),
  ),
  fork: defineMethod(
    'checkpoint.fork',
    z.object({
      id: checkpointId,
      name: z.string().max(100),
      keep: z.boolean(),
      origin: z.enum(['checkpoint', 'own']).default('checkpoint'),
      tunnel: z.int().positive().optional().describe('as for node.start'),
    }),
    z.object({
      id: sandboxId,
      image: z.string().max(200).describe('key of its image'),
      display: displaySize,
    }),
  ),
  delete: defineMethod('checkpoint.delete', z.object({ id: checkpointId }), z.object({})),
  export: defineMethod(
    'checkpoint.export',
    z.object({ id: checkpointId, stream: streamId }),
    z.object({ bytes: byteCount }),
  ),
  import: defineMethod('checkpoint.import', z.object({ stream: streamId }), checkpointInfo),
};
