import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { ErrorCode, RpcError, toolErrorReason } from '../../../bridge/protocol/index.ts';
import { text } from './content.ts';

/** What a call that failed answers: a result that says so, which a model can act on. */
export function failure(error: unknown): CallToolResult {
  const reason = reasonOf(error);
  const help = error instanceof PwpError && error.help !== undefined ? ` ${error.help}` : '';
  const meta = { 'pwp/reason': reason };
  return { content: [text(`${reason}: ${messageOf(error)}${help}`)], isError: true, _meta: meta };
}

function reasonOf(error: unknown): string {
  if (error instanceof PwpError) return error.code === 'bad-action' ? 'bad-arguments' : error.code;
  const reason = toolErrorReason(error);
  if (reason !== undefined) return reason;
  if (!(error instanceof RpcError)) return 'failed';
  return error.code === ErrorCode.Closed ? 'sandbox-gone' : 'failed';
}
