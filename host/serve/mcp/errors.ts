import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { ErrorCode, RpcError, toolErrorReason } from '../../../bridge/protocol/index.ts';
import { text } from './content.ts';

/** The result of a failed call: an error that a model can act on. */
export function failure(error: unknown): CallToolResult {
  return failed(reasonOf(error), wordsOf(error));
}

/** The result of a call that failed for a reason, in words. */
export function failed(reason: string, words: string): CallToolResult {
  return {
    content: [text(`${reason}: ${words}`)],
    isError: true,
    _meta: { 'pwp/reason': reason },
  };
}

const restart =
  'The IDE comes back by itself after a crash; if this happens again, its sandbox is gone: restart this server';

/** The sandbox or a part of it did not answer at all. */
function isLost(reason: string): boolean {
  return [
    'bridge-lost',
    'connect-failed',
    'display-lost',
    'sandbox-failed',
    'sandbox-stopped',
    'sandbox-gone',
  ].includes(reason);
}

/** The error, and what to do. */
export function wordsOf(error: unknown): string {
  const help = error instanceof PwpError ? error.help : undefined;
  const words = [messageOf(error), help ?? (isLost(reasonOf(error)) ? restart : undefined)];
  return words.filter((part) => part !== undefined).join('. ');
}

/** The error in one word, for programs. */
export function reasonOf(error: unknown): string {
  if (error instanceof PwpError) return error.code === 'bad-action' ? 'bad-arguments' : error.code;
  const reason = toolErrorReason(error);
  if (reason !== undefined) return reason;
  if (!(error instanceof RpcError)) return 'failed';
  return error.code === ErrorCode.Closed ? 'sandbox-gone' : 'failed';
}
