import * as z from 'zod';
import { agent } from './agent.ts';
import {
  answeringCall,
  begun,
  chunksOfBytes,
  plainCall,
  readingCall,
  reportingCall,
  sendingCall,
  wholeBytes,
} from './calls.ts';
import {
  checkpointId,
  checkpointInfo,
  checkpointKey,
  checkpointKind,
  checkpointProblem,
  checkpointSupport,
  displaySize,
  networkPolicy,
  sandboxBounds,
  workspaceFolder,
} from './checkpoint.ts';
import { limits } from './connection.ts';
import { byteCount, defineEvent, type Event, type Method, streamId } from './descriptor.ts';
import { desktop, service, shell, sound, workspaceMethods } from './desktop.ts';
import { dom } from './dom.ts';
import { ide } from './ide.ts';
import { leaseCalls, questionCalls } from './lease.ts';
import { inputCommand, screenBox, screenPoint } from './screen.ts';
import { toolMethods } from './tools/index.ts';

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
/** Any text: the node judges it, so that an unsafe path has the same error wherever the node is. */
const anyPath = z.string().max(4096);
const text = z.string().max(10_000);

/** An archive that is unpacked at `path`. */
const seed = z.union([z.object({ path, tar: wholeBytes }), z.object({ path, tar: chunksOfBytes })]);

const rootReference = z.string().min(1).max(4096).describe("image of the agent's root");

const sandboxSpec = z.object({
  name: z.string().max(100),
  role,
  seeds: z.array(seed).max(100).readonly(),
  copy: z
    .object({
      from: id,
      paths: z.array(path).max(100).readonly(),
      only: z.array(z.string().min(1).max(1000)).max(100).readonly().optional(),
      leftOut: path.optional(),
    })
    .exactOptional(),
  keep: z.boolean(),
  network: networkPolicy.exactOptional(),
  workspace: anyPath.exactOptional(),
  display: displaySize,
  limits: sandboxBounds,
  root: rootReference.exactOptional(),
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
const quality = z.int().min(1).max(100).optional();
const after = z.int().nonnegative().optional().describe('answer once the serial differs from this one');

const viewOptions = z.object({
  format: pictureFormat.optional(),
  quality,
  region: screenBox.optional(),
  within: z.object({ width: z.int().positive(), height: z.int().positive() }).optional().describe('pixels'),
});

const picture = z.object({
  bytes: wholeBytes,
  mime: z.enum(['image/png', 'image/jpeg', 'image/webp']),
  width: z.int().positive().describe("the image's own pixels"),
  height: z.int().positive(),
  region: screenBox.describe('the region that it shows, in screen pixels'),
  serial: z.int().nonnegative(),
});

const entryHashes = z
  .array(z.tuple([z.string().max(10_000), z.string().max(5000)]))
  .describe('paths with `folder`, `->` and a target, or a SHA-256, with `x` in front if executable');

/** The methods of the bridge, by name: a node passes them on. */
const bridgeMethods = new Map<string, Method>(
  [agent, desktop, dom, ide, shell, sound, toolMethods, workspaceMethods]
    .flatMap((group) => Object.values<Method | Event>(group))
    .filter((entry) => 'name' in entry)
    .map((method) => [method.name, method]),
);

const bridgeMethod = z.codec(z.string().max(200), z.custom<Method>(), {
  decode: (name, context) => {
    const method = bridgeMethods.get(name);
    if (method) return method;
    context.issues.push({ code: 'custom', input: name, message: `the bridge has no method ${name}` });
    return z.NEVER;
  },
  encode: ({ name }) => name,
});

/** One sandbox. The node's interface of this name documents each method. */
export const sandboxCalls = {
  ready: plainCall(),
  input: plainCall({
    args: [z.array(inputCommand).max(10_000).readonly()],
    options: z.object({
      hold: z.string().max(100).optional().describe('the lease of the person who acts; else an agent acts'),
    }),
    result: z.object({
      executed: z.int().nonnegative(),
      failure: z.object({ index: z.int().nonnegative(), message: text }).optional(),
      locations: z.array(screenPoint).max(10_000).readonly(),
    }),
  }),
  settle: plainCall({
    options: z.object({ capMs: milliseconds, pointerOnly: z.boolean() }),
    result: z.object({
      ms: milliseconds,
      reason: z.enum(['quiet', 'cap']),
      busy: z.array(z.string().max(1000)).max(1000).readonly(),
    }),
  }),
  capture: answeringCall({
    options: z.object({ view: viewOptions.optional() }),
    result: z.object({
      bytes: wholeBytes,
      mime: z.literal('image/png'),
      width: z.int().positive(),
      height: z.int().positive(),
      pointer: screenPoint,
      changed: screenBox.nullable(),
      changes: z.array(screenBox).max(1000).readonly(),
      view: picture.exactOptional(),
    }),
  }),
  picture: answeringCall({ options: viewOptions.extend({ after }).strict(), result: picture }),
  update: answeringCall({
    options: z.object({ format: pictureFormat.optional(), quality, after }),
    result: z.object({ serial: z.int().nonnegative(), parts: z.array(picture).max(1000).readonly() }),
  }),
  /** The caller validates the result once more, by the method's own schema. */
  call: plainCall({ args: [bridgeMethod, z.unknown()], result: z.unknown() }),
  /** A part of the desktop died or came back. */
  onService: reportingCall({ result: service }),
  /** The proxy of a sandbox with a network did not make a connection. */
  onRefusal: reportingCall({ result: refusal }),
  exec: answeringCall({
    args: [
      z.object({
        argv: z.array(z.string().max(200_000)).min(1).max(10_000).readonly(),
        cwd: path,
        env: z.record(z.string().max(1000), z.string().max(200_000)).readonly(),
        input: z.string().max(limits.inputText).optional().describe('what it reads on its standard input'),
        timeoutMs: z.number().positive().describe('milliseconds'),
        maxOutputBytes: z.int().nonnegative().describe('of each stream'),
      }),
    ],
    result: z.object({
      exitCode: z.int().nullable(),
      stdout: z.string(),
      stderr: z.string(),
      truncated: z.boolean(),
      timedOut: z.boolean(),
    }),
  }),
  readFile: answeringCall({ args: [anyPath, z.int().nonnegative()], result: wholeBytes.nullable() }),
  archive: readingCall({ args: [anyPath] }),
  hashes: plainCall({
    args: [anyPath],
    options: z.object({
      entries: z.int().positive().max(10_000).describe('maximum number of files, links and folders'),
      bytes: byteCount.describe('maximum of all files together'),
      except: z.array(z.string().max(255)).max(100).readonly().describe('names to skip'),
    }),
    result: z.codec(entryHashes, z.custom<ReadonlyMap<string, string>>(), {
      decode: (entries) => new Map(entries),
      encode: (hashes) => [...hashes],
    }),
  }),
  unpack: sendingCall({ args: [seed] }),
  usage: plainCall({ result: usage }),
  beginBatch: plainCall(begun),
  freeze: plainCall(begun),
  stop: plainCall(),
  checkpoint: plainCall({
    options: z.object({
      name: z.string().max(200).exactOptional(),
      key: checkpointKey.exactOptional(),
      kind: checkpointKind.exactOptional(),
    }),
    result: checkpointInfo,
  }),
  restore: plainCall({ args: [checkpointId] }),
  lease: leaseCalls,
  questions: questionCalls,
};

/** A sandbox that this connection has started or opened: it ends with the connection unless it is kept. */
const heldSandbox = {
  result: z.object({
    id,
    image: z.string().max(200).describe('key of its image'),
    display: displaySize,
    root: rootReference.nullable(),
    workspace: workspaceFolder,
    home: workspaceFolder,
  }),
  methods: sandboxCalls,
};

const foundRoot = z
  .unknown()
  .describe("its agent's root as the caller found it, with folders that the node sees; the node checks it");
const tunnelNumber = z.int().positive().describe('receives its connections: only with a network');

/** One node. Its interface documents each method; errors carry the node's own code in their data. */
export const nodeCalls = {
  image: plainCall({
    options: z.strictObject({ root: rootReference.optional() }),
    result: z.string().max(200),
  }),
  agentRoot: plainCall({
    args: [rootReference],
    result: z.object({
      image: rootReference,
      digest: z.string().max(100).describe('of its configuration'),
      workspace: anyPath.describe('the folder that its sandboxes have open'),
      home: workspaceFolder.describe('of the user that its programs run as'),
    }),
  }),
  start: sendingCall({
    args: [sandboxSpec],
    options: z.object({ tunnel: tunnelNumber.optional(), agentRoot: foundRoot.optional() }),
    ...heldSandbox,
  }),
  open: plainCall({ args: [id], ...heldSandbox }),
  list: plainCall({ result: z.array(sandboxInfo).max(10_000) }),
  load: plainCall({ result: nodeLoad }),
  stop: plainCall({ args: [id] }),
  sweep: plainCall({ result: z.object({ removed: z.array(id).max(100_000).readonly() }) }),
  checkpointSupport: plainCall({ result: checkpointSupport }),
  checkpoints: plainCall({ result: z.array(checkpointInfo).max(100_000) }),
  findCheckpoint: plainCall({ args: [checkpointKey], result: checkpointInfo.nullable() }),
  checkpointProblems: plainCall({ result: z.array(checkpointProblem).max(10_000) }),
  fork: plainCall({
    args: [checkpointId],
    options: z.object({
      name: z.string().max(100),
      keep: z.boolean(),
      origin: z.enum(['checkpoint', 'own']).optional(),
      tunnel: tunnelNumber.optional(),
      agentRoot: foundRoot.optional(),
    }),
    ...heldSandbox,
  }),
  deleteCheckpoint: plainCall({ args: [checkpointId] }),
  /** The caller has the file. */
  exportCheckpoint: readingCall({ args: [checkpointId] }),
  importCheckpoint: sendingCall({ args: [chunksOfBytes], result: checkpointInfo }),
};

/** Changes whenever {@link nodeCalls} do, incompatibly: a node in a container may be of another version. */
export const nodeVersion = '4';

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
