import * as z from 'zod';
import { bounds, display, networkPolicy } from './checkpoint.ts';
import { event, method } from './descriptor.ts';
import { service } from './desktop.ts';
import { box, point } from './geometry.ts';
import { inputCommand } from './input.ts';
import { limits } from './limits.ts';
import { refusal } from './refusal.ts';
import { byteCount, stream } from './stream.ts';
import { nodeLoad, usage } from './usage.ts';

const id = z.string().min(1).max(60).describe("a sandbox's id");
const role = z.enum(['ide', 'bare']);
const path = z.string().min(1).max(4096).startsWith('/').describe('absolute path inside the sandbox');
const text = z.string().max(10_000);

const tunnel = z.int().positive().describe('receives its connections: only with a network');

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
  stream: stream.describe('holds the seeds, one after another'),
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
  tunnel: tunnel.optional(),
  display,
  limits: bounds,
});

const started = z.object({ id, image: z.string().max(200).describe('key of its image'), display });

const sandboxInfo = z.object({
  id,
  name: z.string().max(100),
  role,
  state: z.enum(['running', 'paused', 'stopped']),
  startedAt: z.string().max(40).describe('ISO 8601'),
  keep: z.boolean(),
  owner: z.object({ pid: z.int(), alive: z.boolean() }).describe('a process of the machine the node is on'),
  display,
  origin: id.nullable().describe('the sandbox that it began as, through all forks and restores'),
  usage: usage.nullable().describe('null when it does not run'),
});

const pictureFormat = z.enum(['png', 'jpeg', 'webp']);

const viewOptions = z.object({
  format: pictureFormat.optional(),
  quality: z.int().min(1).max(100).optional(),
  region: box.optional(),
  within: z.object({ width: z.int().positive(), height: z.int().positive() }).optional().describe('pixels'),
});

const after = z.int().nonnegative().optional().describe('answer once the serial differs from this one');

const picture = z.object({
  bytes: byteCount,
  mime: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  width: z.int().positive().describe("the image's own pixels"),
  height: z.int().positive(),
  region: box.describe('the region that it shows, in screen pixels'),
  serial: z.int().nonnegative(),
});

/**
 * Sandboxes of one node, created and found through its socket. Errors carry the node's own code in their data. Bytes are
 * sent by a stream that the caller opens and names in the request.
 */
export const node = {
  image: method('node.image', z.object({}), z.object({ image: z.string().max(200) })),
  /** The sandbox ends with the connection unless it is kept. Errors: `seed-too-large`. */
  start: method('node.start', sandboxSpec, started),
  open: method('node.open', z.object({ id }), started),
  list: method('node.list', z.object({}), z.object({ sandboxes: z.array(sandboxInfo).max(10_000) })),
  load: method('node.load', z.object({}), nodeLoad),
  stop: method('node.stop', z.object({ id }), z.object({})),
  sweep: method('node.sweep', z.object({}), z.object({ removed: z.array(id).max(100_000) })),
};

/** One sandbox that this connection has started or opened. */
export const sandbox = {
  ready: method('sandbox.ready', z.object({ id }), z.object({})),
  input: method(
    'sandbox.input',
    z.object({
      id,
      commands: z.array(inputCommand).max(10_000).readonly(),
      hold: z.string().max(100).optional().describe('the lease of the person who acts; else an agent acts'),
    }),
    z.object({
      executed: z.int().nonnegative(),
      failure: z.object({ index: z.int().nonnegative(), message: text }).optional(),
      locations: z.array(point).max(10_000),
    }),
  ),
  settle: method(
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
  capture: method(
    'sandbox.capture',
    z.object({ id, stream, view: viewOptions.optional() }),
    z.object({
      bytes: byteCount,
      mime: z.literal('image/png'),
      width: z.int().positive(),
      height: z.int().positive(),
      pointer: point,
      changed: box.nullable(),
      changes: z.array(box).max(1000),
      view: picture.optional(),
    }),
  ),
  picture: method(
    'sandbox.picture',
    viewOptions.extend({
      id,
      stream,
      after,
    }),
    picture,
  ),
  /** The parts of the screen that differ from an earlier update. */
  update: method(
    'sandbox.update',
    z.object({
      id,
      stream,
      format: pictureFormat.optional(),
      quality: z.int().min(1).max(100).optional(),
      after,
    }),
    z.object({ serial: z.int().nonnegative(), parts: z.array(picture).max(1000) }),
  ),
  /** Passes one of the bridge's methods on by its name. */
  call: method(
    'sandbox.call',
    z.object({ id, method: z.string().min(1).max(200), params: z.unknown() }),
    z.object({ result: z.unknown() }),
  ),
  exec: method(
    'sandbox.exec',
    z.object({
      id,
      stream,
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
  readFile: method(
    'sandbox.readFile',
    // Any text: the node judges it, so that an unsafe path has the same error wherever the node is.
    z.object({ id, stream, path: z.string().max(4096), maxBytes: z.int().nonnegative() }),
    z.object({ bytes: byteCount.nullable().describe('in the stream; null if there is no file') }),
  ),
  /** Sends the archive by the stream. */
  archive: method('sandbox.archive', z.object({ id, stream, path: z.string().max(4096) }), z.object({})),
  /** The content of a folder at one moment. */
  hashes: method(
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
  unpack: method('sandbox.unpack', z.object({ id, stream, path }), z.object({})),
  usage: method('sandbox.usage', z.object({ id }), usage),
  /** Begins a batch, one at a time in a sandbox: it belongs to this connection until the batch or the connection ends. */
  beginBatch: method('sandbox.beginBatch', z.object({ id }), z.object({ batch: z.int().positive() })),
  endBatch: method('sandbox.endBatch', z.object({ batch: z.int().positive() }), z.object({})),
  /** Freezes all processes until the freeze is released or the connection ends. */
  freeze: method('sandbox.freeze', z.object({ id }), z.object({ freeze: z.int().positive() })),
  release: method('sandbox.release', z.object({ freeze: z.int().positive() }), z.object({})),
  stop: method('sandbox.stop', z.object({ id }), z.object({})),
  /** Gives up this connection's hold on the sandbox, which ends it if the connection started it and it isn't kept. */
  leave: method('sandbox.leave', z.object({ id }), z.object({})),
  /** The proxy of a sandbox with a network did not make a connection. */
  refusal: event('sandbox.refusal', z.object({ id, refusal })),
  /** A part of the desktop died or came back. */
  service: event('sandbox.service', z.object({ id, service })),
};

/** Data of a node's error, beside its message. */
export const nodeErrorData = z.object({
  code: z.string().max(100).describe('kebab-case, as PwpError has it'),
  help: text.optional(),
});
