import type { ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Reads the JSON documents that a command prints, one after the other. */
export class JsonDocuments {
  readonly #chunks: AsyncIterator<string>;
  readonly #errors: Promise<string>;
  #rest = '';

  /** @param child `pwp … --json`, whose streams are piped */
  constructor({ stdout, stderr }: ChildProcess) {
    if (!stdout || !stderr) throw new Error('the streams of the command are not piped');
    stdout.setEncoding('utf8');
    this.#chunks = (stdout as AsyncIterable<string>)[Symbol.asyncIterator]();
    this.#errors = text(stderr);
  }

  /** Throws with the rest of the output if the command ends before. */
  async next(): Promise<unknown> {
    for (;;) {
      // The end of an object that is not indented, as the command prints it.
      const end = this.#rest.search(/^\}$/m);
      if (end >= 0) {
        const document = this.#rest.slice(0, end + 1);
        this.#rest = this.#rest.slice(end + 1);
        return JSON.parse(document);
      }
      const chunk = await this.#chunks.next();
      if (chunk.done === true) throw new Error(`the command printed ${this.#rest}; ${await this.#errors}`);
      this.#rest += chunk.value;
    }
  }
}
