import type { EventOf } from '../../record/index.ts';
import type { Call } from '../calls.ts';

/** The course of an episode from step to step. */
export interface CourseFigures {
  /**
   * Steps after which screen and marks were as after an earlier step, or at the start. Null for an agent without a
   * screen: one that is shown neither pictures nor marks or, if the record does not say what it is shown, one that used
   * neither mouse nor keyboard. Its actions may leave the screen unchanged without being a repetition.
   */
  readonly repeatedStates: number | null;
  /** Steps whose wait for the IDE was ended by its cap. */
  readonly settleCaps: number;
  /** Milliseconds in which tools acted: of steps in which only calls of tools were tried. */
  readonly toolsMs: number;
  /** Milliseconds of all else in steps: input, settling, looking. */
  readonly ideMs: number;
}

export class CourseTally {
  /** A record stores the same content once, so equal names mean equal screens. */
  readonly #seen = new Set<string>();
  #parts: readonly string[] | null = null;
  #usedInput = false;
  #repeatedStates = 0;
  #settleCaps = 0;
  #toolsMs = 0;
  #ideMs = 0;

  /** @param parts the parts of an observation that the agent is shown; undefined if they are not known */
  begin(parts: readonly string[] | undefined): void {
    this.#parts = parts ?? null;
  }

  see(observation: EventOf<'reset'>['observation']): void {
    this.#seen.add(stateOf(observation));
  }

  add({ observation, settled, timing }: EventOf<'step'>, calls: readonly Call[]): void {
    if (this.#seen.has(stateOf(observation))) this.#repeatedStates += 1;
    this.see(observation);
    if (settled.reason === 'cap') this.#settleCaps += 1;
    const tried = calls.filter(({ outcome }) => outcome !== null);
    if (tried.some(({ action }) => byInput.has(action.kind))) this.#usedInput = true;
    const isTools = tried.length > 0 && tried.every(({ action }) => action.kind === 'tool');
    const toolsMs = isTools ? Math.min(timing.actMs, timing.totalMs) : 0;
    this.#toolsMs += toolsMs;
    this.#ideMs += timing.totalMs - toolsMs;
  }

  get figures(): CourseFigures {
    return {
      ...{ repeatedStates: this.#hasScreen ? this.#repeatedStates : null, settleCaps: this.#settleCaps },
      ...{ toolsMs: this.#toolsMs, ideMs: this.#ideMs },
    };
  }

  get #hasScreen(): boolean {
    return this.#parts === null ? this.#usedInput : onScreen.some((part) => this.#parts?.includes(part));
  }
}

const onScreen = ['picture', 'marks-drawn', 'marks'];
const byInput: ReadonlySet<Call['action']['kind']> = new Set(['xdotool', 'mark', 'computer']);

function stateOf({ screen, marks }: EventOf<'reset'>['observation']): string {
  return `${screen} ${marks}`;
}
