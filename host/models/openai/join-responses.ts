import type { Joiner } from '../answer-stream.ts';
import { fieldsOf } from '../usage.ts';

const last = ['response.completed', 'response.incomplete', 'response.failed'];

/** Joins the events of the Responses API: the last one has the whole response, or at least all but its items. */
export class ResponsesJoiner implements Joiner {
  readonly #items = new Map<number, unknown>();
  #response: Readonly<Record<string, unknown>> = {};
  state: Joiner['state'] = 'open';

  get answer(): Readonly<Record<string, unknown>> {
    const { output } = this.#response;
    if (Array.isArray(output) && output.length > 0) return this.#response;
    const items = [...this.#items].sort(([one], [other]) => one - other).map(([, item]) => item);
    return { ...this.#response, output: items };
  }

  add(event: unknown): void {
    const { type, response, item, output_index: index } = fieldsOf(event);
    this.#response = { ...this.#response, ...fieldsOf(response) };
    if (type === 'response.output_item.done' && typeof index === 'number') this.#items.set(index, item);
    if (last.some((one) => one === type)) this.state = 'done';
  }
}
