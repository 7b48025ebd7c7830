import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { ErrorCode, RpcError, toolErrorReason } from '../../../bridge/protocol/index.ts';
import { text } from './content.ts';

/** The result of a failed call: an error that a model can act on. */
export function failure(error: unknown): CallToolResult {
  const reason = reasonOf(error);
  const help = error instanceof PwpError ? error.help : undefined;
  const words = [`${reason}: ${messageOf(error)}`, help ?? (isLost(reason) ? restart : undefined)];
  return {
    content: [text(words.filter((part) => part !== undefined).join('. '))],
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

function reasonOf(error: unknown): string {
  if (error instanceof PwpError) return error.code === 'bad-action' ? 'bad-arguments' : error.code;
  const reason = toolErrorReason(error);
  if (reason !== undefined) return reason;
  if (!(error instanceof RpcError)) return 'failed';
  return error.code === ErrorCode.Closed ? 'sandbox-gone' : 'failed';
}
