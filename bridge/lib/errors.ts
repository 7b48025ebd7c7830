/**
 * The local family of errors: failures on this side of a socket. Errors that cross a socket are
 * {@link file://../protocol/connection.ts RpcError}s instead.
 */
export class PwpError extends Error {
  override readonly name = 'PwpError';
  /** The kind of failure, for programs: kebab-case, stable. */
  readonly code: PwpErrorCode;
  /** One sentence on what the reader can do about it; absent if nothing can be done. */
  readonly help: string | undefined;

  constructor(code: PwpErrorCode, message: string, options: { help?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.help = options.help;
  }
}

/** The message of anything that was thrown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a {@link file://./deadline.ts deadline}, or `AbortSignal.timeout`, ended an operation with this error. */
export function isTimeout(error: unknown): boolean {
  if (error instanceof PwpError) return error.code === 'timeout';
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/** The causes of an error, the nearest first, ten at most; of several failed attempts, only the first. */
export function collectCauses(error: unknown): unknown[] {
  const causes: unknown[] = [];
  let at = error;
  // The bound is for circular chains.
  while (at instanceof Error && causes.length < 10) {
    at = at instanceof AggregateError ? (at.errors as unknown[])[0] : at.cause;
    if (at !== undefined) causes.push(at);
  }
  return causes;
}

/** Every code of a {@link PwpError}. docs/errors.md says what each means and what to do. */
export const errorCodes = [
  // Any operation
  'cancelled',
  'command-failed',
  'command-missing',
  'disk-full',
  'internal',
  'needs-linux',
  'needs-root',
  'spawn-failed',
  'timeout',
  'too-large',
  'unsupported',
  'usage',

  // Actions and episodes
  'agent-answer',
  'agent-ended',
  'bad-action',
  'grading-failed',
  'no-solution',
  'setup-failed',
  'no-such-episode',
  'not-reset',
  'too-many-episodes',

  // People and agents on one sandbox
  'batch-under-way',
  'chat-over',
  'clipboard-failed',
  'control-held',
  'control-lost',
  'look-first',
  'no-such-question',
  'too-many-questions',

  // Models
  'model-answer',
  'model-denied',
  'model-filtered',
  'model-key-missing',
  'model-no-credit',
  'model-redirected',
  'model-refused-request',
  'model-too-long',
  'model-unavailable',
  'no-such-model',

  // Tasks
  'bad-task',
  'no-such-file',
  'no-such-folder',
  'no-such-task',
  'no-tests',
  'not-built',
  'variant-not-made',

  // Datasets
  'bad-data',
  'no-data',
  'no-such-dataset',
  'no-such-record',
  'owners-package-missing',

  // Records
  'bad-record',
  'no-record',
  'record-ended',
  'record-exists',

  // Replays
  'replay-apart',
  'replay-no-start',
  'replay-other-task',
  'replay-stopped',

  // Studies
  'bad-study',
  'no-such-store',
  'queue-unreachable',
  'store-denied',
  'store-failed',
  'store-unreachable',
  'study-differs',
  'study-in-use',

  // Sandboxes
  'bad-name',
  'bad-seed',
  'bad-workspace',
  'bridge-lost',
  'chrooted',
  'disk-failed',
  'exec-failed',
  'mount-failed',
  'no-cgroup',
  'no-origin',
  'no-such-sandbox',
  'not-frozen',
  'pull-conflict',
  'runc-missing',
  'sandbox-failed',
  'sandbox-stopped',
  'seed-too-large',
  'sweep-failed',
  'too-deep',
  'unsafe-path',

  // Screen and input
  'bad-picture',
  'display-error',
  'display-lost',

  // Network and gallery
  'bad-host',
  'bad-package',
  'bad-target',
  'network-failed',
  'no-such-host',
  'no-certificate',
  'port-taken',

  // Checkpoints
  'checkpoint-damaged',
  'checkpoint-failed',
  'checkpoint-in-use',
  'checkpoint-other-format',
  'checkpoint-other-image',
  'checkpoint-other-origin',
  'job-failed',
  'no-such-checkpoint',
  'restore-failed',

  // Images and set-up
  'bad-image',
  'bad-image-name',
  'image-build-failed',
  'image-missing',
  'no-base-image',
  'no-such-image',
  'other-architecture',
  'packages-missing',
  'registry-unreachable',

  // Nodes and connections
  'address-in-use',
  'bad-setting',
  'connect-failed',
  'incomplete-transfer',
  'node-closed',
  'node-failed',
  'node-lost',
  'node-unreachable',
  'not-admitted',
  'other-version',
  'port-in-use',
  'protocol-error',
  'stream-closed',
  'window-gone',

  // Docker
  'docker-context',
  'docker-denied',
  'docker-missing',
  'docker-other-machine',
  'docker-remote',
  'docker-silent',
  'docker-too-old',

  // Inside the sandbox
  'bad-profile',
  'cdp-closed',
  'cdp-error',
  'dialog-open',
  'not-open',
  'page-error',
  'page-script',
  'path-too-long',
  'unsafe-folder',
] as const;

/** The kind of failure that an error reports. */
export type PwpErrorCode = (typeof errorCodes)[number];

const knownCodes: ReadonlySet<unknown> = new Set(errorCodes);

/** Whether a value from elsewhere is a code of this version. */
export function isErrorCode(code: unknown): code is PwpErrorCode {
  return knownCodes.has(code);
}
