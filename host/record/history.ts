import type { EventOf, RecordEvent } from './events.ts';
import type { Turn } from './meta.ts';

/** Events of the episode's course: what happened to the IDE, and what was said. */
export type CourseEvent = EventOf<'step' | 'restore' | 'people' | 'message' | 'reply'>;

/** The events of a record by their kinds. */
export interface RecordedEvents {
  readonly folder: string;
  /** All of them, in the order in which they happened. */
  readonly events: readonly RecordEvent[];
  readonly start: EventOf<'start'>;
  readonly reset: EventOf<'reset'> | null;
  readonly steps: readonly EventOf<'step'>[];
  /** The acts of people while they had control. */
  readonly people: readonly EventOf<'people'>[];
  /** The agent's messages without actions, before it continued. */
  readonly replies: readonly EventOf<'reply'>[];
  /** The agent's final message, without actions. */
  readonly lastTurn: EventOf<'last-turn'> | null;
  /** Requests to a model that gave no answer. */
  readonly unanswered: readonly EventOf<'unanswered'>[];
  readonly checkpoints: readonly EventOf<'checkpoint'>[];
  readonly restores: readonly EventOf<'restore'>[];
  /** Steps, restores, turns of people and what was said, in the order in which they happened. */
  readonly course: readonly CourseEvent[];
  readonly services: readonly EventOf<'service'>[];
  readonly usages: readonly EventOf<'usage'>[];
  readonly refusals: readonly EventOf<'refused-connection'>[];
  readonly errors: readonly EventOf<'error'>[];
  readonly video: EventOf<'video'> | null;
  readonly changes: EventOf<'changes'> | null;
  readonly grade: EventOf<'grade'> | null;
  /** Null when the run was killed. */
  readonly end: EventOf<'end'> | null;
  /** Milliseconds from the opening of the record to its last line. */
  readonly lastMs: number;
}

/** All requests to a model, in any turn. */
export function turnsOf({ steps, replies, lastTurn, unanswered }: RecordedEvents): readonly Turn[] {
  return [...steps, ...replies, ...(lastTurn ? [lastTurn] : []), ...unanswered].map(({ turn }) => turn);
}
