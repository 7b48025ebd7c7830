import * as z from 'zod';
import { displaySize, networkPolicy, sandboxBounds } from './checkpoint.ts';
import { limits } from './connection.ts';
import { byteCount, defineEvent, defineMethod, streamId } from './descriptor.ts';
import { service } from './desktop.ts';
import { inputCommand, screenBox, screenPoint } from './screen.ts';

const milliseconds = z.number().nonnegative();
const byteAmount = z.number().nonnegative();
const eventCount = z.int().nonnegative();

/** A sandbox's use of its limits. */
export const usage = z.object({
  memoryBytes: byteAmount.describe('without what the kernel drops when it needs memory'),
  memoryLimitBytes: byteAmount,
  cpuMs: milliseconds.describe('processor time since the start of the sandbox'),
  throttledMs: milliseconds.describe('time for which processes were held back by the limit of cores'),
  pids: eventCount.describe('processes and threads'),
  pidsLimit: eventCount,
  diskBytes: byteAmount,
  diskLimitBytes: byteAmount,
  hits: z
    .object({
      cpu: eventCount.describe('spans of 100 ms in which processes were held back'),
      memory: eventCount.describe('processes that were killed because memory ran out'),
      pids: eventCount.describe('processes and threads that were refused'),
      disk: eventCount.describe('checks that found the disk full'),
    })
    .describe('how often each limit was hit since the start of the sandbox'),
});
export type Usage = z.output<typeof usage>;

/** How busy a node is. */
const nodeLoad = z.object({
  running: eventCount.describe('its sandboxes that run or are being made'),
  waiting: eventCount.describe('starts that wait in line'),
  room: eventCount.describe(
    'sandboxes of role `ide` that would fit now besides those that run; what waits comes first',
  ),
});
export type NodeLoad = z.output<typeof nodeLoad>;

/** Why the proxy of a sandbox did not make a connection. */
export const refusalReason = z.enum([
  'host-not-allowed',
  'port-not-allowed',
  /** An IP address that is not on the list. */
  'address-not-allowed',
  /** The host is not public: loopback, a local network, this machine. */
  'private-address',
  /** The connection was not accepted, so its host and port are unknown: empty and 0. */
  'too-many-connections',
]);
export type RefusalReason = z.output<typeof refusalReason>;

/** A connection that the proxy did not make. */
const refusal = z.object({
  host: z.string().max(300),
  port: z.int().nonnegative(),
  why: refusalReason,
  at: z.string().max(40).describe('ISO 8601'),
});
export type Refusal = Readonly<z.output<typeof refusal>>;

const id = z.string().min(1).max(60).describe("a sandbox's id");
const role = z.enum(['ide', 'bare']);
const path = z.string().min(1).max(4096).startsWith('/').describe('absolute path inside the sandbox');
const text = z.string().max(10_000);

const tunnelNumber = z.int().positive().describe('receives its connections: only with a network');

const sandboxSpec = z.object({
  name: z.string().max(100),
  role,
  seeds: z
    .array(
      z.object({
        path,
        bytes: byteCount.nullable().describe('null for the last one: all that follows, up to the end'),
      }),
    )
    .max(100)
    .readonly(),
  stream: streamId.describe('holds the seeds, one after another'),
  copy: z
    .object({
      from: id,
      paths: z.array(path).max(100).readonly(),
      only: z.array(z.string().min(1).max(1000)).max(100).readonly().optional(),
      leftOut: path.optional(),
    })
    .optional(),
  keep: z.boolean(),
  network: networkPolicy.optional(),
  tunnel: tunnelNumber.optional(),
  display: displaySize,
  limits: sandboxBounds,
});

const started = z.object({
  id,
  image: z.string().max(200).describe('key of its image'),
  display: displaySize,
});

const sandboxInfo = z.object({
  id,
  name: z.string().max(100),
  role,
  state: z.enum(['running', 'paused', 'stopped']),
  startedAt: z.string().max(40).describe('ISO 8601'),
  keep: z.boolean(),
  owner: z.object({ pid: z.int(), alive: z.boolean() }).describe('a process of the machine the node is on'),
  display: displaySize,
  origin: id.nullable().describe('the sandbox that it began as, through all forks and restores'),
  usage: usage.nullable().describe('null when it does not run'),
});

const pictureFormat = z.enum(['png', 'jpeg', 'webp']);

const viewOptions = z.object({
  format: pictureFormat.optional(),
  quality: z.int().min(1).max(100).optional(),
  region: screenBox.optional(),
  within: z.object({ width: z.int().positive(), height: z.int().positive() }).optional().describe('pixels'),
});

const after = z.int().nonnegative().optional().describe('answer once the serial differs from this one');

const picture = z.object({
  bytes: byteCount,
  mime: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  width: z.int().positive().describe("the image's own pixels"),
  height: z.int().positive(),
  region: screenBox.describe('the region that it shows, in screen pixels'),
  serial: z.int().nonnegative(),
});

/**
 * Sandboxes of one node, created and found through its socket. Errors carry the node's own code in their data. Bytes are
 * sent by a stream that the caller opens and names in the request.
 */
export const nodeMethods = {
  image: defineMethod('node.image', z.object({}), z.object({ image: z.string().max(200) })),
  /** The sandbox ends with the connection unless it is kept. Errors: `seed-too-large`. */
  start: defineMethod('node.start', sandboxSpec, started),
  open: defineMethod('node.open', z.object({ id }), started),
  list: defineMethod('node.list', z.object({}), z.object({ sandboxes: z.array(sandboxInfo).max(10_000) })),
  load: defineMethod('node.load', z.object({}), nodeLoad),
  stop: defineMethod('node.stop', z.object({ id }), z.object({})),
  sweep: defineMethod('node.sweep', z.object({}), z.object({ removed: z.array(id).max(100_000) })),
};

/** One sandbox that this connection has started or opened. */
export const sandboxMethods = {
  ready: defineMethod('sandbox.ready', z.object({ id }), z.object({})),
  input: defineMethod(
    'sandbox.input',
    z.object({
      id,
      commands: z.array(inputCommand).max(10_000).readonly(),
      hold: z.string().max(100).optional().describe('the lease of the person who acts; else an agent acts'),
    }),
    z.object({
      executed: z.int().nonnegative(),
      failure: z.object({ index: z.int().nonnegative(), message: text }).optional(),
      locations: z.array(screenPoint).max(10_000),
    }),
  ),
  settle: defineMethod(
    'sandbox.settle',
    z.object({
      id,
      capMs: z.number().nonnegative().describe('milliseconds'),
      pointerOnly: z.boolean(),
    }),
    z.object({
      ms: z.number().nonnegative(),
      reason: z.enum(['quiet', 'cap']),
      busy: z.array(z.string().max(1000)).max(1000),
    }),
  ),
  capture: defineMethod(
    'sandbox.capture',
    z.object({ id, stream: streamId, view: viewOptions.optional() }),
    z.object({
      bytes: byteCount,
      mime: z.literal('image/png'),
      width: z.int().positive(),
      height: z.int().positive(),
      pointer: screenPoint,
      changed: screenBox.nullable(),
      changes: z.array(screenBox).max(1000),
      view: picture.optional(),
    }),
  ),
  picture: defineMethod(
    'sandbox.picture',
    viewOptions.extend({
      id,
      stream: streamId,
      after,
    }),
    picture,
  ),
  /** The parts of the screen that differ from an earlier update. */
  update: defineMethod(
    'sandbox.update',
    z.object({
      id,
      stream: streamId,
      format: pictureFormat.optional(),
      quality: z.int().min(1).max(100).optional(),
      after,
    }),
    z.object({ serial: z.int().nonnegative(), parts: z.array(picture).max(1000) }),
  ),
  /** Passes one of the bridge's methods on by its name. */
  call: defineMethod(
    'sandbox.call',
    z.object({ id, method: z.string().min(1).max(200), params: z.unknown() }),
    z.object({ result: z.unknown() }),
  ),
  exec: defineMethod(
    'sandbox.exec',
    z.object({
      id,
      stream: streamId,
      argv: z.array(z.string().max(200_000)).min(1).max(10_000).readonly(),
      cwd: path,
      env: z.record(z.string().max(1000), z.string().max(200_000)).readonly(),
      input: z.string().max(limits.inputText).optional().describe('what it reads on its standard input'),
      timeoutMs: z.number().positive().describe('milliseconds'),
      maxOutputBytes: z.int().nonnegative().describe('of each stream'),
    }),
    z.object({
      exitCode: z.int().nullable(),
      stdout: byteCount.describe('UTF-8 in the stream, in bytes'),
      stderr: byteCount.describe('the same, after it'),
      truncated: z.boolean(),
      timedOut: z.boolean(),
    }),
  ),
  readFile: defineMethod(
    'sandbox.readFile',
    // Any text: the node judges it, so that an unsafe path has the same error wherever the node is.
    z.object({ id, stream: streamId, path: z.string().max(4096), maxBytes: z.int().nonnegative() }),
    z.object({ bytes: byteCount.nullable().describe('in the stream; null if there is no file') }),
  ),
  /** Sends the archive by the stream. */
  archive: defineMethod(
    'sandbox.archive',
    z.object({ id, stream: streamId, path: z.string().max(4096) }),
    z.object({}),
  ),
  /** The content of a folder at one moment. */
  hashes: defineMethod(
    'sandbox.hashes',
    z.object({
      id,
      path: z.string().max(4096),
      entries: z.int().positive().max(10_000).describe('maximum number of files, links and folders'),
      bytes: byteCount.describe('maximum of all files together'),
      except: z.array(z.string().max(255)).max(100).describe('names to skip'),
    }),
    z.object({
      hashes: z
        .array(z.tuple([z.string().max(10_000), z.string().max(5000)]))
        .describe('paths with `folder`, `->` and a target, or a SHA-256, with `x` in front if executable'),
    }),
  ),
  /** Receives the archive by the stream. */
  unpack: defineMethod('sandbox.unpack', z.object({ id, stream: streamId, path }), z.object({})),
  usage: defineMethod('sandbox.usage', z.object({ id }), usage),
  /** Begins a batch, one at a time in a sandbox: it belongs to this connection until the batch or the connection ends. */
  beginBatch: defineMethod('sandbox.beginBatch', z.object({ id }), z.object({ batch: z.int().positive() })),
  endBatch: defineMethod('sandbox.endBatch', z.object({ batch: z.int().positive() }), z.object({})),
  /** Freezes all processes until the freeze is released or the connection ends. */
  freeze: defineMethod('sandbox.freeze', z.object({ id }), z.object({ freeze: z.int().positive() })),
  release: defineMethod('sandbox.release', z.object({ freeze: z.int().positive() }), z.object({})),
  stop: defineMethod('sandbox.stop', z.object({ id }), z.object({})),
  /** Gives up this connection's hold on the sandbox, which ends it if the connection started it and it isn't kept. */
  leave: defineMethod('sandbox.leave', z.object({ id }), z.object({})),
  /** The proxy of a sandbox with a network did not make a connection. */
  refusal: defineEvent('sandbox.refusal', z.object({ id, refusal })),
  /** A part of the desktop died or came back. */
  service: defineEvent('sandbox.service', z.object({ id, service })),
};

/** Data of a node's error, beside its message. */
export const nodeErrorData = z.object({
  code: z.string().max(100).describe('kebab-case, as PwpError has it'),
  help: text.optional(),
});

/**
 * Connections of sandboxes that a node passes to the host, which makes the real ones: the node itself needs no network.
 */
export const tunnel = {
  /** A program in a sandbox has connected; by the number that the host gave at the sandbox's start. */
  open: defineEvent('tunnel.open', z.object({ tunnel: z.int().positive(), stream: streamId })),
};
