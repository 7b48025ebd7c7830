import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCRequest, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { clip, wellFormed } from '../../../bridge/lib/index.ts';
import type { Sdk } from './sdk.ts';

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
    return `${method}: ${clip(z.prettifyError(checked.error), longest)}`;
  }
}

/** The maximum length of the reason, in characters. */
const longest = 2000;
