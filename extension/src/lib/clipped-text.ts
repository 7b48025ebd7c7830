import { clip, clipEnd, findClipStart } from '../../../bridge/text/index.ts';

/** UTF-16 code units that are kept of the beginning and of the end of a command's output. */
const kept = { head: 200_000, tail: 400_000 };

/** The output of a program, as far as it is kept: its beginning and its end. */
export class Transcript {
  #head = '';
  #tail = '';
  #omitted = 0;

  add(data: string): void {
    const free = Math.max(0, kept.head - this.#head.length);
    this.#head += data.slice(0, free);
    this.#tail += data.slice(free);
    // Cut rarely, and far enough: a cut copies all of the tail.
    if (this.#tail.length <= kept.tail * 2) return;
    const start = findClipStart(this.#tail, kept.tail);
    // The other half of the last character is at the start of the omitted part.
    const half = this.#omitted === 0 && isHalf(this.#head) ? this.#tail.slice(0, 1) : '';
    this.#head += half;
    this.#omitted += start - half.length;
    this.#tail = this.#tail.slice(start);
  }

  /** Raw, as it was added, with a note for the omitted middle. */
  get text(): string {
    return this.since(0).text;
  }

  /**
   * The text after the first `start` characters, as far as it was kept.
   * @param start an earlier value of {@link length}
   */
  since(start: number): { text: string; omitted: number } {
    const tailStart = this.#head.length + this.#omitted;
    const omitted = this.#omitted - Math.min(Math.max(0, start - this.#head.length), this.#omitted);
    const gap = omitted === 0 ? '' : `\n[${omitted} characters left out]\n`;
    const tail = this.#tail.slice(Math.max(0, start - tailStart));
    return { text: this.#head.slice(start) + gap + tail, omitted };
  }

  get length(): number {
    return this.#head.length + this.#omitted + this.#tail.length;
  }

  get omitted(): number {
    return this.#omitted;
  }
}

/** Whether a text ends with the first half of a character. */
function isHalf(text: string): boolean {
  return /[\uD800-\uDBFF]$/.test(text);
}

/** Room for the note that replaces the omitted part. */
const gapLength = 60;

/** A text of at most `max` characters: its beginning, a note on the omitted part, and twice as much of its end. */
export function clipMiddle(text: string, max: number): { text: string; omitted: number } {
  if (text.length <= max) return { text: text.toWellFormed(), omitted: 0 };
  const room = max - gapLength;
  if (room < gapLength) {
    const end = clipEnd(text, max);
    return { text: end, omitted: text.length - end.length };
  }
  const head = clip(text, Math.floor(room / 3));
  const tail = clipEnd(text, room - head.length);
  const omitted = text.length - head.length - tail.length;
  return { text: `${head}\n[${omitted} characters left out]\n${tail}`, omitted };
}

/** The part of a long text around a place, at most `max` UTF-16 code units; marks show where it was cut. */
export function clipAround(text: string, at: number, max: number): string {
  if (text.length <= max) return text;
  const wanted = Math.max(0, Math.min(at - Math.floor(max / 4), text.length - max + 1));
  const start = wanted + (/^[\udc00-\udfff]/.test(text.slice(wanted, wanted + 1)) ? 1 : 0);
  const head = start === 0 ? '' : '…';
  const rest = text.slice(start);
  return rest.length + head.length <= max ? head + rest : `${head}${clip(rest, max - head.length - 1)}…`;
}

/** For names and messages: the bound of `text` in the protocol. */
export function clipText(text: string): string {
  return clip(text, 10_000);
}
