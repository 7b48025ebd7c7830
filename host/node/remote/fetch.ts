import { PwpError } from '../../../bridge/lib/index.ts';
import { nodeMethods, type WireBytes } from '../../../bridge/protocol/index.ts';
import type { Peer } from '../../../bridge/rpc/index.ts';
import { ask } from './ask.ts';

/** The bytes that an answer holds or stands for. Errors: `node-lost`, the signal's reason. */
export async function fetchBytes(peer: Peer, answer: WireBytes, signal?: AbortSignal): Promise<Buffer> {
  if ('base64' in answer) return Buffer.from(answer.base64, 'base64');
  const { download, size } = answer;
  const pieces: Buffer[] = [];
  try {
    for (let at = 0; at < size; at += pieces.at(-1)?.length ?? 0) {
      const { base64 } = await ask(peer, nodeMethods.download, { download, at }, signal);
      if (base64 === '') throw new PwpError('node-failed', `the node's answer has less than ${size} bytes`);
      pieces.push(Buffer.from(base64, 'base64'));
    }
  } catch (error) {
    // Nobody waits for it: the connection's end does the same.
    void ask(peer, nodeMethods.forget, { download }).catch(() => undefined);
    throw error;
  }
  return Buffer.concat(pieces);
}

export async function fetchText(peer: Peer, answer: WireBytes, signal: AbortSignal): Promise<string> {
  return (await fetchBytes(peer, answer, signal)).toString('utf8');
}
