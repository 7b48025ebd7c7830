import * as z from 'zod';
import { desktop, refusalReason, usage } from '../../../bridge/protocol/index.ts';
import { episodeEnding, recordedCheck, recordedTurn, type RecordedTurn, recordMeta } from './record-meta.ts';
import { recordedAction, recordedOutcome } from './recorded-actions.ts';
import { limitName, recordedChanges, recordedObservation, recordedState } from './recorded-state.ts';

/** Raised whenever a line's meaning changes incompatibly. */
export const RECORD_VERSION = 1;

const milliseconds = z.number().nonnegative();
const serviceState = desktop.changed.params;

const eventShapes = {
  start: z.object({ event: z.literal('start'), record: z.literal(RECORD_VERSION), ...recordMeta.shape }),
  reset: z.object({
    event: z.literal('reset'),
    sandbox: z.string(),
    image: z.string().describe('key of the sandbox image'),
    instruction: z.string(),
    startMs: milliseconds.describe('from the call of reset until the IDE was ready'),
    from: z
      .enum(['cold', 'golden', 'fork', 'joined'])
      .optional()
      .describe(
        'booted, restored, branched off another episode, or running already; absent in older records',
      ),
    checkpoint: z
      .string()
      .nullable()
      .optional()
      .describe('the checkpoint it was restored from, or that was taken of it'),
    notes: z.array(z.string()).optional().describe('problems without consequences'),
    observation: recordedObservation,
  }),
  checkpoint: z.object({
    event: z.literal('checkpoint'),
    step: z.int().nonnegative().describe('the last step before it; 0 is the start'),
    checkpoint: z.object({
      id: z.string(),
      name: z.string().nullable(),
      parent: z.string().nullable(),
      kind: z.enum(['live', 'disk']),
      frozenMs: milliseconds.describe('how long the sandbox was frozen'),
      bytes: z.number().nonnegative(),
    }),
  }),
  restore: z.object({
    event: z.literal('restore'),
    checkpoint: z.string().describe('its id'),
    step: z
      .int()
      .nonnegative()
      .nullable()
      .describe('the step whose state was restored; null if the checkpoint is from another episode'),
    branch: z.int().positive().describe('branch of the steps that follow; 1 after the first restore'),
    restoreMs: milliseconds.describe('from the call until the IDE was at rest'),
    observation: recordedObservation,
  }),
  step: z.object({
    event: z.literal('step'),
    step: z.int().positive().describe('1 for the first after the reset'),
    turn: recordedTurn,
    outcomes: z.array(recordedOutcome).describe('of the actions that were tried, in order'),
    skipped: z.array(recordedAction).describe('actions after the first failure, not tried'),
    settled: z.object({
      ms: milliseconds,
      reason: z.enum(['quiet', 'cap']),
      busy: z.array(z.string()).describe('parts that were still busy at the cap'),
    }),
    timing: z.object({
      actMs: milliseconds,
      settleMs: milliseconds,
      screenshotMs: milliseconds,
      marksMs: milliseconds,
      totalMs: milliseconds,
    }),
    services: z.array(serviceState).describe('parts of the desktop that died or came back during the step'),
    meanwhile: z.string().optional().describe('events of VS Code between the last step and this one'),
    observation: recordedObservation,
  }),
  state: recordedState.describe('files and editors after the events before it'),
  people: z
    .object({
      event: z.literal('people'),
      changes: z.string().describe('their changes, as reported to the agent'),
      acts: z
        .array(
          z.object({
            action: z.string().describe('as an agent would write it, e.g. `xdotool key ctrl+s`'),
            evidence: z.string().describe('who did it, and what it hit'),
          }),
        )
        .describe('their acts, merged from their presses; of private ones, only that they were done'),
      observation: recordedObservation,
    })
    .describe('people had control, and the agent has looked again'),
  message: z
    .object({
      event: z.literal('message'),
      from: z.string().describe('name of the person'),
      text: z.string(),
      observation: recordedObservation
        .optional()
        .describe('shown to the agent with it, if it had rested until then'),
    })
    .describe('a person says something to the agent, which hears it before its next decision'),
  visit: z
    .object({
      event: z.literal('visit'),
      name: z.string().describe('of the person, as the page shows it'),
      rights: z.enum(['view', 'control']),
      address: z.string().describe('IP address that they came from; empty if it is not known'),
      cameAt: z.iso.datetime().describe('ISO 8601, UTC: the line itself may be written later'),
    })
    .describe('a person has opened the page of the session, or their page has reconnected'),
  reply: z
    .object({ event: z.literal('reply'), turn: recordedTurn })
    .describe('the agent says something without acting, and waits for a message'),
  lastTurn: z
    .object({ event: z.literal('last-turn'), turn: recordedTurn })
    .describe('the agent has finished without acting again'),
  unanswered: z
    .object({ event: z.literal('unanswered'), turn: recordedTurn })
    .describe(
      'a model gave no answer, or was cut off: the usage of its tries, as far as its server reported it',
    ),
  service: z.object({ event: z.literal('service'), service: serviceState }),
  usage: z
    .object({
      event: z.literal('usage'),
      hit: z.array(limitName).describe('limits hit since the previous event of this kind'),
      usage,
    })
    .describe('when a limit was hit, and once when the agent has ended'),
  refused: z.object({
    event: z.literal('refused-connection'),
    host: z.string().describe('as requested; empty if unknown'),
    port: z.int().nonnegative().describe('0 if it is not known'),
    why: refusalReason,
    refusedAt: z.iso.datetime().describe('ISO 8601, UTC: the line itself may be written later'),
  }),
  grade: z.object({
    event: z.literal('grade'),
    reward: z.number(),
    checks: z.array(recordedCheck),
    unwritten: z
      .string()
      .optional()
      .describe('why the IDE may not have written all of its changes before its files were copied'),
    noVerdict: z
      .string()
      .optional()
      .describe('why the tests reach no verdict on the final state, which is then scored 0'),
    trust: z
      .string()
      .optional()
      .describe(
        "why the agent's code could have forged a pass: the tests run it beside them; absent if they don't",
      ),
    log: z.string().describe('output of the tests'),
    durationMs: milliseconds,
  }),
  changes: recordedChanges.describe("the agent's changes to its workspace, as it is graded"),
  video: z.object({
    event: z.literal('video'),
    frames: z.int().nonnegative().describe('frames given to the encoder, including repeats'),
    failure: z.string().nullable().describe('why it ended before the episode did; null if it did not'),
  }),
  error: z.object({
    event: z.literal('error'),
    code: z.string().describe('kebab-case code of a local error, number of a wire error, else `unknown`'),
    message: z.string(),
    causes: z.array(z.string()).describe('messages of its causes, nearest first'),
    help: z.string().optional(),
  }),
  end: z.object({ event: z.literal('end'), how: episodeEnding, reason: z.string().optional() }),
};

const eventBody = z.discriminatedUnion('event', [
  eventShapes.start,
  eventShapes.reset,
  eventShapes.checkpoint,
  eventShapes.restore,
  eventShapes.step,
  eventShapes.state,
  eventShapes.people,
  eventShapes.message,
  eventShapes.visit,
  eventShapes.reply,
  eventShapes.lastTurn,
  eventShapes.unanswered,
  eventShapes.service,
  eventShapes.usage,
  eventShapes.refused,
  eventShapes.changes,
  eventShapes.grade,
  eventShapes.video,
  eventShapes.error,
  eventShapes.end,
]);
/** Kinds of events, by the name in their lines. */
export const eventKinds: readonly string[] = eventBody.options.map(({ shape }) => shape.event.value);

/** A line without its time. */
export type EventBody = z.output<typeof eventBody>;

const eventStamp = z.object({
  at: z.iso.datetime().describe('ISO 8601, UTC'),
  ms: milliseconds.describe('since the record was opened, by a clock that never jumps'),
});

/** One line of `events.jsonl`. */
export const recordEvent = z.intersection(eventStamp, eventBody);
export type RecordEvent = z.output<typeof recordEvent>;
/** The lines of one kind. */
export type EventOf<K extends RecordEvent['event']> = Extract<RecordEvent, { event: K }>;

/** Events of the episode's course: what happened to the IDE, and what was said. */
export type CourseEvent = EventOf<'step' | 'restore' | 'people' | 'message' | 'reply'>;

/** The events of a record by their kinds. */
export interface EventsByKind {
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
export function collectTurns({
  steps,
  replies,
  lastTurn,
  unanswered,
}: EventsByKind): readonly RecordedTurn[] {
  return [...steps, ...replies, ...(lastTurn ? [lastTurn] : []), ...unanswered].map(({ turn }) => turn);
}
