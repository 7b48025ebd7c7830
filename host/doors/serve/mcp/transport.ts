import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { pause } from '../../../../bridge/lib/index.ts';
import { clip, wellFormed } from '../../../../bridge/text/index.ts';

/**
 * Answers requests whose parameters don't fit their method with "invalid params" and the reason. The SDK alone reports an
 * internal error.
 */
export class CheckedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #to: Transport;
  readonly #sdk: Pick<Sdk, 'ClientRequestSchema' | 'ErrorCode'>;

  constructor(to: Transport, sdk: Pick<Sdk, 'ClientRequestSchema' | 'ErrorCode'>) {
    this.#to = to;
    this.#sdk = sdk;
  }

  get sessionId(): string | undefined {
    return this.#to.sessionId;
  }

  async start(): Promise<void> {
    this.#to.onclose = () => this.onclose?.();
    this.#to.onerror = (error) => this.onerror?.(error);
    this.#to.onmessage = (message, extra) => this.#pass(message, extra);
    await this.#to.start();
  }

  /** Clients in other languages refuse a message with half a character in it. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#to.send(wellFormed(message) as JSONRPCMessage, options);
  }

  close(): Promise<void> {
    return this.#to.close();
  }

  setProtocolVersion(version: string): void {
    this.#to.setProtocolVersion?.(version);
  }

  #pass(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    const wrong = 'method' in message && 'id' in message ? this.#whatIsWrong(message) : undefined;
    if (wrong === undefined) return this.onmessage?.(message, extra);
    const { id } = message as JSONRPCRequest;
    const error = { code: this.#sdk.ErrorCode.InvalidParams, message: wrong };
    this.send({ jsonrpc: '2.0', id, error }).catch((cause: Error) => this.onerror?.(cause));
  }

  #whatIsWrong({ method, params }: JSONRPCRequest): string | undefined {
    const schema = this.#sdk.ClientRequestSchema.options.find(({ shape }) => shape.method.value === method);
    const checked = schema?.safeParse({ method, params });
    if (!checked || checked.success) return undefined;
    return `${method}: ${clip(z.prettifyError(checked.error), longestReason)}`;
  }
}

/** The maximum length of the reason, in characters. */
const longestReason = 2000;

/**
 * The protocol's own SDK, loaded only by its servers: it takes a third of a second, which no other command should wait
 * for.
 */
export async function loadSdk() {
  const [{ McpServer }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { McpServer, ...types };
}

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** A client's name for itself, as one line of bounded length: it appears in records, questions and terminals. */
export function clientName(info: { readonly name: string; readonly version: string } | undefined): string {
  return `${info?.name ?? 'unnamed'} ${info?.version ?? ''}`
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()
    .slice(0, 100);
}

/** Milliseconds between two notifications. Clients give up after a minute, and many restart that time with each. */
const progressMs = 1000;

/** The parts of a call besides its arguments. */
export interface CallExtra {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification: (notification: ServerNotification) => Promise<void>;
}

/** Sends progress to a client that requested it. */
export function progressReporter({ _meta: meta, sendNotification }: CallExtra) {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress: number, message: string) =>
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
}

/**
 * Reports progress while a call runs: its seconds so far, since the remaining time is unknown.
 * @param report undefined if the client did not ask for it
 * @param doing returns what the call waits for at the moment
 */
export async function withProgress<T>(
  report: ((progress: number, message: string) => Promise<void>) | undefined,
  doing: () => string,
  run: () => Promise<T>,
): Promise<T> {
  if (!report) return run();
  const over = new AbortController();
  const ticking = reportSeconds(report, doing, over.signal);
  try {
    return await run();
  } finally {
    over.abort();
    await ticking;
  }
}

async function reportSeconds(
  report: (progress: number, message: string) => Promise<void>,
  doing: () => string,
  over: AbortSignal,
): Promise<void> {
  try {
    for (let seconds = 1; ; seconds += 1) {
      await pause(progressMs, over);
      await report(seconds, `${doing()}: ${seconds} s`);
    }
  } catch {
    // The call is over, or its client is gone: then the call is cancelled, too.
  }
}
