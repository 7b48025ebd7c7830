import type { EventOf } from '../../record/index.ts';
import type { Call } from '../calls.ts';

/** How an episode went on from step to step. */
export interface CourseFigures {
  /** Steps after which screen and marks were as after some step before, or at the start. */
  readonly repeatedStates: number;
  /** Steps whose wait for the IDE was ended by its cap. */
  readonly settleCaps: number;
  /** Milliseconds in which tools acted: of steps that have nothing but calls of tools. */
  readonly toolsMs: number;
  /** Milliseconds of all else in steps: input, settling, looking. */
  readonly ideMs: number;
}

export class CourseTally {
  /** A record keeps the same content once, so its names say which screens are the same. */
  readonly #seen = new Set<string>();
  #repeatedStates = 0;
  #settleCaps = 0;
  #toolsMs = 0;
  #ideMs = 0;

  see(observation: EventOf<'reset'>['observation']): void {
    this.#seen.add(stateOf(observation));
  }

  add({ observation, settled, timing }: EventOf<'step'>, calls: readonly Call[]): void {
    if (this.#seen.has(stateOf(observation))) this.#repeatedStates += 1;
    this.see(observation);
    if (settled.reason === 'cap') this.#settleCaps += 1;
    const isTools = calls.length > 0 && calls.every(({ outcome }) => outcome?.action.kind === 'tool');
    const toolsMs = isTools ? Math.min(timing.actMs, timing.totalMs) : 0;
    this.#toolsMs += toolsMs;
    this.#ideMs += timing.totalMs - toolsMs;
  }

  get figures(): CourseFigures {
    return {
      ...{ repeatedStates: this.#repeatedStates, settleCaps: this.#settleCaps },
      ...{ toolsMs: this.#toolsMs, ideMs: this.#ideMs },
    };
  }
}

function stateOf({ screen, marks }: EventOf<'reset'>['observation']): string {
  return `${screen} ${marks}`;
}
