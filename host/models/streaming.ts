import { toJson } from '../../bridge/lib/index.ts';
import { ModelError } from './ask.ts';
import type { ModelSettings } from './settings.ts';

/** Whether one server is asked for streamed answers: as the settings say, until it refuses. */
export class Streaming {
  #isOn: boolean;

  constructor({ stream = true }: ModelSettings) {
    this.#isOn = stream;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Whether the server refused to stream: it is asked for whole answers from now on, and the request can be sent again. */
  learns(error: unknown): boolean {
    if (!this.#isOn || !(error instanceof ModelError) || error.code !== 'model-refused-request') return false;
    this.#isOn = !/\bstream(ing)?\b/i.test(toJson(error.exchange.response));
    return !this.#isOn;
  }
}
