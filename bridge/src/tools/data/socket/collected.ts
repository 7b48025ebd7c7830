import { clip } from '../../../../lib/index.ts';
import type { dataTools, ToolOutput } from '../../../../protocol/index.ts';

type Result = ToolOutput<typeof dataTools.websocketTest>;
export type Message = Result['messages'][number];
export type Ending = Result['ended'];

/** Bounds of an answer: messages, characters of one, characters of all. */
const most = { messages: 500, text: 20_000, all: 1_000_000 };

/** Collects messages until there are enough. */
export class Collected {
  readonly messages: Message[] = [];
  /** Resolves with the reason why collecting ended. */
  readonly ended: Promise<Ending>;
  unread = 0;
  readonly #count: number | undefined;
  readonly #until: RegExp | undefined;
  readonly #began = performance.now();
  #room = most.all;
  #end: (ending: Ending) => void = () => undefined;
  #over = false;

  constructor(count: number | undefined, until: RegExp | undefined) {
    this.#count = count;
    this.#until = until;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  add(kind: Message['kind'], event: string | null, whole: string): void {
    if (this.#over) return;
    const text = clip(whole, most.text);
    this.#room -= text.length;
    const at = performance.now() - this.#began;
    const clipped = text.length < whole.length;
    this.messages.push({ at_ms: at, kind, event: event === null ? null : clip(event, 500), text, clipped });
    // Only the kept part is matched against a pattern: a whole megabyte could take very long.
    if (this.#until?.test(event === null ? text : `${event} ${text}`) === true) this.end('match');
    else if (this.messages.length === this.#count) this.end('count');
    else if (this.messages.length >= most.messages || this.#room <= 0) this.end('full');
  }

  end(ending: Ending): void {
    this.#over = true;
    this.#end(ending);
  }
}
