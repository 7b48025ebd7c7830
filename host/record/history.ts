import type { EventOf } from './events.ts';

/** The events of a record by their kinds. */
export interface RecordedEvents {
  readonly folder: string;
  readonly start: EventOf<'start'>;
  readonly reset: EventOf<'reset'> | null;
  readonly steps: readonly EventOf<'step'>[];
  /** What people did while they had control. */
  readonly people: readonly EventOf<'people'>[];
  /** What the agent said as it finished, without doing anything more. */
  readonly lastTurn: EventOf<'last-turn'> | null;
  readonly checkpoints: readonly EventOf<'checkpoint'>[];
  readonly restores: readonly EventOf<'restore'>[];
  /** Steps, restores and turns of people in the order in which they happened. */
  readonly course: readonly EventOf<'step' | 'restore' | 'people'>[];
  readonly services: readonly EventOf<'service'>[];
  readonly usages: readonly EventOf<'usage'>[];
  readonly refusals: readonly EventOf<'refused-connection'>[];
  readonly errors: readonly EventOf<'error'>[];
  readonly video: EventOf<'video'> | null;
  readonly grade: EventOf<'grade'> | null;
  /** Null when the run was killed. */
  readonly end: EventOf<'end'> | null;
  /** Milliseconds from the opening of the record to its last line. */
  readonly lastMs: number;
}
