import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { ErrorCode, RpcError, toolErrorReason } from '../../../../bridge/protocol/index.ts';
import type { AnswerPicture } from '../../../ide/index.ts';
import type { Picture } from '../../../node/index.ts';

export type McpContent = CallToolResult['content'][number];

export function textContent(words: string): McpContent {
  return { type: 'text', text: words };
}

/** A picture as an image. An SVG, which most clients don't show as an image, is returned as a text resource. */
export function pictureContent({ bytes, mime, title }: AnswerPicture): McpContent {
  if (mime !== 'image/svg+xml') return imageContent({ bytes, mime });
  const uri = `pwp://picture/${encodeURIComponent(title)}`;
  return {
    type: 'resource',
    resource: { uri, mimeType: mime, text: Buffer.from(bytes).toString('utf8') },
  };
}

export function imageContent({ bytes, mime }: Pick<Picture | AnswerPicture, 'bytes' | 'mime'>): McpContent {
  return { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType: mime };
}

/** The result of a failed call: an error that a model can act on. */
export function errorResult(error: unknown): CallToolResult {
  return failedResult(readFailureReason(error), explainFailure(error));
}

/** The result of a call that failed for a reason, in words. */
export function failedResult(reason: string, words: string): CallToolResult {
  return {
    content: [textContent(`${reason}: ${words}`)],
    isError: true,
    _meta: { 'pwp/reason': reason },
  };
}

const restartHelp =
  'The IDE comes back by itself after a crash; if this happens again, its sandbox is gone: restart this server';

/** The sandbox or a part of it did not answer at all. */
function isSandboxLost(reason: string): boolean {
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
export function explainFailure(error: unknown): string {
  const help = error instanceof PwpError ? error.help : undefined;
  const words = [
    describeError(error),
    help ?? (isSandboxLost(readFailureReason(error)) ? restartHelp : undefined),
  ];
  return words.filter((part) => part !== undefined).join('. ');
}

/** The error in one word, for programs. */
export function readFailureReason(error: unknown): string {
  if (error instanceof PwpError) return error.code === 'bad-action' ? 'bad-arguments' : error.code;
  const reason = toolErrorReason(error);
  if (reason !== undefined) return reason;
  if (!(error instanceof RpcError)) return 'failed';
  return error.code === ErrorCode.Closed ? 'sandbox-gone' : 'failed';
}
