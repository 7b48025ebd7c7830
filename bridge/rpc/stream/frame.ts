import { limits } from '../../protocol/index.ts';
import { protocolError } from './errors.ts';

/**
 * The kinds of frames of a stream:
 * - `open`: it is open, and the receiver may send this many bytes (a count)
 * - `data`: at least one byte
 * - `credit`: this many further bytes may be sent (a count)
 * - `end`: the sender of the frame sends no further data
 * - `close`: the sender has closed the stream, both ways, and sends nothing further; with the reason if it broke (UTF-8)
 */
const kinds = ['open', 'data', 'credit', 'end', 'close'] as const;
export type FrameKind = (typeof kinds)[number];

/** One binary message: a byte for the kind, one for the opener, four for the number of the stream, and the content. */
export interface Frame {
  readonly kind: FrameKind;
  /** Each side numbers the streams that it opens, so a stream is identified by its number and its side. */
  readonly openedBySender: boolean;
  /** From 1, in the order of opening. */
  readonly id: number;
  readonly content: Buffer;
}

const headerBytes = 6;
const countBytes = 4;
export const noContent = Buffer.alloc(0);

/** Minimum and maximum bytes of content. */
const sizes: Readonly<Record<FrameKind, readonly [number, number]>> = {
  open: [countBytes, countBytes],
  data: [1, limits.streamPieceBytes],
  credit: [countBytes, countBytes],
  end: [0, 0],
  close: [0, limits.streamReasonBytes],
};

export function encodeFrame({ kind, openedBySender, id, content }: Frame): Buffer {
  const frame = Buffer.allocUnsafe(headerBytes + content.length);
  frame.writeUInt8(kinds.indexOf(kind), 0);
  frame.writeUInt8(openedBySender ? 1 : 0, 1);
  frame.writeUInt32BE(id, 2);
  content.copy(frame, headerBytes);
  return frame;
}

/** Reads one frame; its content shares the message's memory. Errors: `protocol-error`. */
export function parseFrame(message: Buffer): Frame {
  if (message.length < headerBytes) throw protocolError(`a frame of ${message.length} bytes`);
  const [kind, opener] = [kinds[message.readUInt8(0)], message.readUInt8(1)];
  if (kind === undefined || opener > 1)
    throw protocolError(`a frame that begins with ${message.toString('hex', 0, 2)}`);
  const content = message.subarray(headerBytes);
  const [least, most] = sizes[kind];
  if (content.length < least || content.length > most)
    throw protocolError(`a frame "${kind}" with ${content.length} bytes`);
  return { kind, openedBySender: opener === 1, id: message.readUInt32BE(2), content };
}

export function encodeCount(count: number): Buffer {
  const content = Buffer.allocUnsafe(countBytes);
  content.writeUInt32BE(count);
  return content;
}

/** Of the frames that carry one. */
export function countOf({ content }: Frame): number {
  return content.readUInt32BE();
}
