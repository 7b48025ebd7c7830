import type { Joiner } from '../answer-stream.ts';
import { fieldsOf, listOf } from '../usage.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Joins the answers of streamGenerateContent, each of which has some parts of the whole. */
export class ContentsJoiner implements Joiner {
  readonly #parts: Fields[] = [];
  #rest: Fields = {};
  #candidate: Fields | undefined;

  get state(): Joiner['state'] {
    const blocked = fieldsOf(this.#rest['promptFeedback'])['blockReason'];
    return this.#candidate?.['finishReason'] || blocked ? 'whole' : 'open';
  }

  get answer(): Fields {
    if (!this.#candidate) return this.#rest;
    const content = { ...fieldsOf(this.#candidate['content']), parts: this.#parts };
    return { ...this.#rest, candidates: [{ ...this.#candidate, content }] };
  }

  add(event: unknown): void {
    const { candidates, usageMetadata, ...rest } = fieldsOf(event);
    const usage = { ...fieldsOf(this.#rest['usageMetadata']), ...fieldsOf(usageMetadata) };
    this.#rest = { ...this.#rest, ...rest, ...(usageMetadata !== undefined && { usageMetadata: usage }) };
    if (!Array.isArray(candidates) || candidates.length === 0) return;
    const candidate = fieldsOf((candidates as readonly unknown[])[0]);
    const { content = this.#candidate?.['content'] } = candidate;
    this.#candidate = { ...this.#candidate, ...candidate, content };
    for (const part of listOf(fieldsOf(candidate['content'])['parts'])) this.#add(fieldsOf(part));
  }

  /** A text goes on in the next part, unless one of them is signed: a signature holds for the part that it came with. */
  #add(part: Fields): void {
    const before = this.#parts.at(-1);
    // The last answer often has no words, and no vendor takes back an empty text.
    if (isPlain(part) && part['text'] === '') return;
    if (before && isPlain(before) && isPlain(part) && before['thought'] === part['thought'])
      this.#parts.splice(-1, 1, { ...before, text: `${String(before['text'])}${String(part['text'])}` });
    else this.#parts.push(part);
  }
}

/** A text and nothing else. */
function isPlain(part: Fields): boolean {
  return (
    typeof part['text'] === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought')
  );
}
