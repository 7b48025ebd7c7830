import type { Joiner } from '../answer-stream.ts';
import { fieldsOf, listOf } from '../usage.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A block as it grows, with the JSON of its input as far as it has come. */
interface Growing {
  readonly block: Fields;
  readonly input: string;
}

/** Joins the events of the Messages API. */
export class MessagesJoiner implements Joiner {
  readonly #blocks = new Map<number, Growing>();
  #message: Fields = {};
  #isDone = false;

  get state(): Joiner['state'] {
    if (this.#isDone) return 'done';
    return typeof this.#message['stop_reason'] === 'string' ? 'whole' : 'open';
  }

  get answer(): Fields {
    const content = [...this.#blocks].sort(([one], [other]) => one - other).map(([, one]) => wholeBlock(one));
    return { ...this.#message, content };
  }

  add(event: unknown): void {
    const { type, message, index, content_block: block, delta, usage } = fieldsOf(event);
    if (type === 'message_start') this.#message = fieldsOf(message);
    if (type === 'message_delta')
      this.#message = {
        ...this.#message,
        ...withoutNulls(fieldsOf(delta)),
        // Counts of the whole message so far; those that do not change are left out.
        usage: { ...fieldsOf(this.#message['usage']), ...withoutNulls(fieldsOf(usage)) },
      };
    if (type === 'message_stop') this.#isDone = true;
    if (typeof index !== 'number') return;
    if (type === 'content_block_start') this.#blocks.set(index, { block: fieldsOf(block), input: '' });
    if (type === 'content_block_delta') this.#grow(index, fieldsOf(delta));
  }

  #grow(index: number, { partial_json: json, citation, ...rest }: Fields): void {
    const { block, input } = this.#blocks.get(index) ?? { block: {}, input: '' };
    const citations = citation === undefined ? {} : { citations: [...listOf(block['citations']), citation] };
    this.#blocks.set(index, {
      block: { ...block, ...citations, ...grown(block, rest) },
      input: typeof json === 'string' ? input + json : input,
    });
  }
}

/** A text, a thought and its signature come in pieces, and so do other fields of a block. */
function grown(block: Fields, pieces: Fields): Fields {
  return Object.fromEntries(
    Object.entries(pieces).flatMap(([name, piece]) => {
      // The type is that of the piece.
      if (name === 'type') return [];
      const before = block[name];
      return [[name, typeof before === 'string' && typeof piece === 'string' ? before + piece : piece]];
    }),
  );
}

/** Text that is not JSON stays as the model wrote it. */
function wholeBlock({ block, input }: Growing): Fields {
  if (input === '') return block;
  try {
    return { ...block, input: JSON.parse(input) };
  } catch {
    return { ...block, input };
  }
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
