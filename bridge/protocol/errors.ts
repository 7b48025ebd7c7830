/** Wire error codes: JSON-RPC 2.0's own, LSP's for cancellation, and this protocol's from -32001 downwards. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  Cancelled: -32800,
  TimedOut: -32001,
  NotFound: -32002,
  /** A part that the method needs isn't there now: no IDE window, the page is reloading. */
  Unavailable: -32003,
  /** A mark of an older observation, or one whose element is gone. */
  Stale: -32004,
  TooLarge: -32005,
  VersionMismatch: -32006,
  /** The connection ended while the request was pending. */
  Closed: -32007,
  /** A tool failed; `data` gives the reason (`toolErrorData`). */
  Tool: -32008,
} as const;

export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** `data` of an `Unavailable` whose request was sent: it is not known how much of it was carried out. */
export const interruptedData = { interrupted: true } as const;

/** Whether a request was in progress when the part that answers it went away. */
export function wasInterrupted({ code, data }: RpcError): boolean {
  const isInterruption = typeof data === 'object' && data !== null && 'interrupted' in data;
  return code === ErrorCode.Unavailable && isInterruption;
}

/** The wire family of errors: what a peer answered, or why no answer can come. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  /** One of {@link ErrorCode}; an unknown peer may send any integer. */
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, options: { data?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}
