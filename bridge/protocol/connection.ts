import * as z from 'zod';
import { defineMethod } from './descriptor.ts';

/** Increased by one whenever a method's name, parameters or result, or a frame of byte streams, changes incompatibly. */
export const PROTOCOL_VERSION = 2;

/** The first request on every connection. A server of another version answers `VersionMismatch`. */
export const hello = defineMethod(
  'hello',
  z.object({
    protocol: z.int().describe("the caller's PROTOCOL_VERSION"),
    client: z.string().max(200).describe('who is calling, for logs'),
  }),
  z.object({
    protocol: z.int(),
    server: z.enum(['bridge', 'extension', 'node']),
    version: z.string().max(200).describe('version of the server program'),
  }),
);

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

/** Bounds on everything that crosses a socket. A peer that exceeds one is disconnected or refused, never buffered. */
export const limits = {
  /** Bytes of one message. */
  messageBytes: 32 * 1024 * 1024,
  /** Bytes that wait for the other side to read them; a connection with more is ended. */
  queuedBytes: 128 * 1024 * 1024,
  /** Byte streams that one side of a connection has opened. */
  streams: 2048,
  /** Bytes of a byte stream in one message. */
  streamPieceBytes: 64 * 1024,
  /** Bytes of a byte stream, each way, that the other side has not read yet. */
  streamWindowBytes: 1024 * 1024,
  /** The same for all byte streams of a connection together, on top of `streamLeastWindowBytes` for each. */
  streamsWindowBytes: 64 * 1024 * 1024,
  streamLeastWindowBytes: 8 * 1024,
  /** Bytes of the reason why a byte stream broke. */
  streamReasonBytes: 1000,
  /** Bytes of all seeds of a connection that a node has not used yet. */
  seedsBytes: 1024 * 1024 * 1024,
  /** Bytes of all answers of a connection that have not been read yet. */
  answersBytes: 512 * 1024 * 1024,
  /** UTF-16 code units of a program's standard input. */
  inputText: 4 * 1024 * 1024,
  /** Bytes of each output stream of a shell command. */
  outputBytes: 1024 * 1024,
  /** Marks of one observation. */
  marks: 2000,
  /** Pieces of text in one answer of `dom.text`. */
  textPieces: 500,
  /** Bytes of a DOM tree in text form, and of all pieces of a text. */
  treeText: 256 * 1024,
  /** UTF-16 code units of an editor's text. */
  editorText: 2 * 1024 * 1024,
  /** UTF-16 code units of the output of one command of a terminal. */
  terminalText: 200_000,
  /** UTF-16 code units of the values of all settings in one answer, as JSON. */
  settingsText: 4 * 1024 * 1024,
  /** UTF-16 code units of a tool's result as JSON, without its images. */
  toolResult: 2 * 1024 * 1024,
  /** Pictures of one tool's answer. */
  toolImages: 10,
  /** Base64 characters of one picture of a tool's answer. */
  toolImage: 8 * 1024 * 1024,
  /** Steps that are kept for people who follow an agent. */
  agentSteps: 200,
  /** Requests pending on one connection. */
  pendingRequests: 256,
} as const;
