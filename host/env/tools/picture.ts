import { imageFacts } from '../../../bridge/lib/index.ts';
import type { ToolImage } from '../../../bridge/protocol/index.ts';

/** A picture in an answer: of a tool, of a zoom, or of the screen in the middle of a batch. */
export interface AnswerPicture {
  readonly bytes: Uint8Array;
  readonly mime: ToolImage['mime'];
  /** In its own pixels; null if the file does not state it, as an SVG. */
  readonly width: number | null;
  readonly height: number | null;
  /** The elements that it shows. */
  readonly title: string;
}

/** A picture from inside the sandbox, with the size that its own bytes state. */
export function received({ mime, base64, title }: ToolImage): AnswerPicture {
  const bytes = Buffer.from(base64, 'base64');
  const facts = imageFacts(bytes);
  return { bytes, mime, width: facts?.width ?? null, height: facts?.height ?? null, title };
}
