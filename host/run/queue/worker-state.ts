import * as z from 'zod';

/** What a machine has room for. */
export const machineRoom = z.object({
  fits: z.int().nonnegative().describe('attempts that fit now besides those under way, as far as is known'),
  waits: z.string().max(300).nullable().describe('why none is taken, such as "2.1 GB of disk left"; or null'),
});
export type MachineRoom = z.output<typeof machineRoom>;

/** What a worker says about itself. */
export const workerState = z.object({
  name: z.string().max(300).describe('host and process'),
  since: z.iso.datetime(),
  parallel: z.int().positive().describe('attempts at a time'),
  ...machineRoom.shape,
  /** What it has made since then, for each study by the hash of its definition. */
  made: z
    .array(
      z.object({
        study: z.string().max(100),
        made: z.int().nonnegative(),
        failed: z.int().nonnegative().describe('those among them that left no record of their end'),
        perMinute: z.number().nonnegative().describe('in the last hour'),
      }),
    )
    .max(1000),
  errors: z
    .array(
      z.object({
        at: z.iso.datetime(),
        title: z.string().max(300).describe("the study's name"),
        folder: z.string().max(1000),
        failure: z.string().max(1000),
      }),
    )
    .max(20)
    .describe('the last attempts that left no record of their end'),
});
export type WorkerState = z.output<typeof workerState>;
