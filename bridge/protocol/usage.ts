import * as z from 'zod';

const milliseconds = z.number().nonnegative();
const bytes = z.number().nonnegative();
const times = z.int().nonnegative();

/** A sandbox's use of its limits. */
export const usage = z.object({
  memoryBytes: bytes.describe('without what the kernel drops when it needs memory'),
  memoryLimitBytes: bytes,
  cpuMs: milliseconds.describe('processor time since the start of the sandbox'),
  throttledMs: milliseconds.describe('time for which processes were held back by the limit of cores'),
  pids: times.describe('processes and threads'),
  pidsLimit: times,
  diskBytes: bytes,
  diskLimitBytes: bytes,
  hits: z
    .object({
      cpu: times.describe('spans of 100 ms in which processes were held back'),
      memory: times.describe('processes that were killed because memory ran out'),
      pids: times.describe('processes and threads that were refused'),
      disk: times.describe('checks that found the disk full'),
    })
    .describe('how often each limit was hit since the start of the sandbox'),
});
export type Usage = z.output<typeof usage>;

/** How busy a node is. */
export const nodeLoad = z.object({
  running: times.describe('its sandboxes that run or are being made'),
  waiting: times.describe('starts that wait in line'),
  room: times.describe(
    'sandboxes of role `ide` that would fit now besides those that run; what waits comes first',
  ),
});
export type NodeLoad = z.output<typeof nodeLoad>;
