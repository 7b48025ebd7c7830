import { toolError, type Tool } from '../../../bridge/protocol/index.ts';

/** The state of agents in this window, as its person has set it. */
export type AgentsState = 'working' | 'paused' | 'stopped';

/** Pause and stop. Nothing is queued: a call that comes meanwhile is refused. Stop also cancels running calls. */
export class Hold {
  readonly #onChange: (state: AgentsState) => void;
  #state: AgentsState = 'working';
  #stopping = new AbortController();

  constructor(onChange: (state: AgentsState) => void) {
    this.#onChange = onChange;
  }

  /** Fires, with the error for calls, when agents are stopped. After a resume, it is a new signal. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  set(state: AgentsState): void {
    if (this.#state === 'stopped' && state !== 'stopped') this.#stopping = new AbortController();
    this.#state = state;
    if (state === 'stopped') this.#stopping.abort(stopped());
    this.#onChange(state);
  }

  /**
   * Errors: `agents-paused`, `agents-stopped`.
   * @param acts the tool does more than read
   */
  require({ name }: Tool, acts: boolean): void {
    if (this.#state === 'stopped') throw stopped();
    if (this.#state === 'paused' && acts)
      throw toolError('agents-paused', `${name}: the person at this window has paused agents`, {
        help: 'You may read meanwhile. Only they can resume, in the view Agent',
      });
  }
}

function stopped(): Error {
  return toolError('agents-stopped', 'the person at this window has stopped agents', {
    help: 'End your work. Only they can resume, in the view Agent',
  });
}
