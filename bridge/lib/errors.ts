import type { PwpErrorCode } from './error-codes.ts';

/**
 * The local family of errors: things that went wrong on this side of a socket. What crosses a socket is a
 * {@link file://../protocol/errors.ts RpcError} instead.
 */
export class PwpError extends Error {
  override readonly name = 'PwpError';
  /** What kind of failure this is, for programs: kebab-case, stable. */
  readonly code: PwpErrorCode;
  /** What the reader can do about it, one sentence; absent if nothing can be done. */
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

/** Whether this is what a {@link file://./deadline.ts deadline}, or `AbortSignal.timeout`, ends an operation with. */
export function isTimeout(error: unknown): boolean {
  if (error instanceof PwpError) return error.code === 'timeout';
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/** What caused an error, the nearest cause first, ten at most; of several attempts that failed, the first. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  let at = error;
  // The bound is for chains that close on themselves.
  while (at instanceof Error && causes.length < 10) {
    at = at instanceof AggregateError ? (at.errors as unknown[])[0] : at.cause;
    if (at !== undefined) causes.push(at);
  }
  return causes;
}
