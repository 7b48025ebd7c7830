import * as z from 'zod';
import type { CheckpointInfo } from '../../checkpoint.ts';
import { isCheckpointId, packPattern } from './paths.ts';

/** Facts that are written down when a checkpoint is taken, and never change. */
export type CheckpointMeta = Omit<CheckpointInfo, 'id' | 'bytes' | 'state'>;

const positive = z.number().positive();
const limits = z.object({ cpus: positive, memoryMb: positive, pids: positive, diskMb: positive });

/** Whether the extension gallery is reached. */
const gallery = z.boolean().optional();
const network = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('no-network'), gallery }),
  z.object({ mode: z.literal('allowlist'), hosts: z.array(z.string()), gallery }),
  z.object({ mode: z.literal('public'), gallery }),
]);

export const metaSchema: z.ZodType<CheckpointMeta> = z.object({
  name: z.string().max(200).nullable(),
  parent: z.string().refine(isCheckpointId).nullable(),
  kind: z.enum(['live', 'disk']),
  role: z.enum(['ide', 'bare']),
  image: z.string(),
  key: z.string().nullable(),
  display: z.object({
    width: z.int().positive(),
    height: z.int().positive(),
    audio: z.boolean().optional(),
  }),
  limits,
  network,
  // Checkpoints of earlier versions do not have it.
  origin: z.string().max(60).nullable().default(null),
  kept: z.boolean().default(false),
  takenAt: z.iso.datetime(),
  frozenMs: z.number().nonnegative(),
});

/** Where the packed form of a checkpoint is: its own pack, and those of others that hold pages of it. */
export const packedSchema = z.object({
  pack: z.string().regex(packPattern),
  needs: z.array(z.string().regex(packPattern)),
});
export type Packed = z.output<typeof packedSchema>;
