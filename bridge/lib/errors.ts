import type { PwpErrorCode } from './error-codes.ts';

/**
 * The local family of errors: failures on this side of a socket. Errors that cross a socket are
 * {@link file://../protocol/errors.ts RpcError}s instead.
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
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a {@link file://./deadline.ts deadline}, or `AbortSignal.timeout`, ended an operation with this error. */
export function isTimeout(error: unknown): boolean {
  if (error instanceof PwpError) return error.code === 'timeout';
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/** The causes of an error, the nearest first, ten at most; of several failed attempts, only the first. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  let at = error;
  // The bound is for circular chains.
  while (at instanceof Error && causes.length < 10) {
    at = at instanceof AggregateError ? (at.errors as unknown[])[0] : at.cause;
    if (at !== undefined) causes.push(at);
  }
  return causes;
}
