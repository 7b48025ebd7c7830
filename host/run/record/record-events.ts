import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { desktop, refusalReason, usage } from '../../../bridge/protocol/index.ts';
import { episodeEnding, recordedCheck, recordedTurn, type RecordedTurn, recordMeta } from './record-meta.ts';
import { recordedAction, recordedOutcome } from './recorded-actions.ts';
import { limitName, recordedChanges, recordedObservation, recordedState } from './recorded-state.ts';

/** Raised whenever a line's meaning changes incompatibly. */
export const RECORD_VERSION = 1;

const milliseconds = z.number().nonnegative();
const serviceState = desktop.changed.params;

const eventBody = z.discriminatedUnion('event', [
  z.object({ event: z.literal('start'), record: z.literal(RECORD_VERSION), ...recordMeta.shape }),
  z.object({
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
  z.object({
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
  z.object({
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
  z.object({
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
  recordedState.describe('files and editors after the events before it'),
  z
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
  z
    .object({
      event: z.literal('message'),
      from: z.string().describe('name of the person'),
      text: z.string(),
      observation: recordedObservation
        .optional()
        .describe('shown to the agent with it, if it had rested until then'),
    })
    .describe('a person says something to the agent, which hears it before its next decision'),
  z
    .object({
      event: z.literal('visit'),
      name: z.string().describe('of the person, as the page shows it'),
      rights: z.enum(['view', 'control']),
      address: z.string().describe('IP address that they came from; empty if it is not known'),
      cameAt: z.iso.datetime().describe('ISO 8601, UTC: the line itself may be written later'),
    })
    .describe('a person has opened the page of the session, or their page has reconnected'),
  z
    .object({ event: z.literal('reply'), turn: recordedTurn })
    .describe('the agent says something without acting, and waits for a message'),
  z
    .object({ event: z.literal('last-turn'), turn: recordedTurn })
    .describe('the agent has finished without acting again'),
  z
    .object({ event: z.literal('unanswered'), turn: recordedTurn })
    .describe(
      'a model gave no answer, or was cut off: the usage of its tries, as far as its server reported it',
    ),
  z.object({ event: z.literal('service'), service: serviceState }),
  z
    .object({
      event: z.literal('usage'),
      hit: z.array(limitName).describe('limits hit since the previous event of this kind'),
      usage,
    })
    .describe('when a limit was hit, and once when the agent has ended'),
  z.object({
    event: z.literal('refused-connection'),
    host: z.string().describe('as requested; empty if unknown'),
    port: z.int().nonnegative().describe('0 if it is not known'),
    why: refusalReason,
    refusedAt: z.iso.datetime().describe('ISO 8601, UTC: the line itself may be written later'),
  }),
  z.object({
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
  recordedChanges.describe("the agent's changes to its workspace, as it is graded"),
  z.object({
    event: z.literal('video'),
    frames: z.int().nonnegative().describe('frames given to the encoder, including repeats'),
    failure: z.string().nullable().describe('why it ended before the episode did; null if it did not'),
  }),
  z.object({
    event: z.literal('error'),
    code: z.string().describe('kebab-case code of a local error, number of a wire error, else `unknown`'),
    message: z.string(),
    causes: z.array(z.string()).describe('messages of its causes, nearest first'),
    help: z.string().optional(),
  }),
  z.object({ event: z.literal('end'), how: episodeEnding, reason: z.string().optional() }),
]);
/** Kinds of events, by the name in their lines. */
export const eventKinds: ReadonlySet<string> = new Set(
  eventBody.options.map(({ shape }) => shape.event.value),
);

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

const courseKinds = ['step', 'restore', 'people', 'message', 'reply'] as const;
/** Events of the episode's course: what happened to the IDE, and what was said. */
type CourseEvent = EventOf<(typeof courseKinds)[number]>;

function isOfCourse(event: RecordEvent): event is CourseEvent {
  return courseKinds.some((kind) => kind === event.event);
}

/** The events of one kind, in order. */
export function selectEvents<K extends RecordEvent['event']>(
  events: readonly RecordEvent[],
  kind: K,
): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.event === kind);
}

/** The events of a record by their kinds. Errors: `bad-record` without a start. */
export function sortByKind(folder: string, events: readonly RecordEvent[]) {
  const of = <K extends RecordEvent['event']>(kind: K): readonly EventOf<K>[] => selectEvents(events, kind);
  const [start] = of('start');
  if (start === undefined) throw new PwpError('bad-record', `${folder} has no start event`);
  return {
    folder,
    /** All of them, in the order in which they happened. */
    events,
    start,
    reset: of('reset').at(0) ?? null,
    steps: of('step'),
    /** The acts of people while they had control. */
    people: of('people'),
    /** The agent's messages without actions, before it continued. */
    replies: of('reply'),
    /** The agent's final message, without actions. */
    lastTurn: of('last-turn').at(-1) ?? null,
    /** Requests to a model that gave no answer. */
    unanswered: of('unanswered'),
    checkpoints: of('checkpoint'),
    restores: of('restore'),
    /** Steps, restores, turns of people and what was said, in the order in which they happened. */
    course: events.filter(isOfCourse),
    services: of('service'),
    usages: of('usage'),
    refusals: of('refused-connection'),
    errors: of('error'),
    video: of('video').at(-1) ?? null,
    changes: of('changes').at(-1) ?? null,
    grade: of('grade').at(-1) ?? null,
    /** Null when the run was killed. */
    end: of('end').at(0) ?? null,
    /** Milliseconds from the opening of the record to its last line. */
    lastMs: events.at(-1)?.ms ?? 0,
  };
}
export type EventsByKind = Readonly<ReturnType<typeof sortByKind>>;

/** All requests to a model, in any turn. */
export function collectTurns({
  steps,
  replies,
  lastTurn,
  unanswered,
}: EventsByKind): readonly RecordedTurn[] {
  return [...steps, ...replies, ...(lastTurn ? [lastTurn] : []), ...unanswered].map(({ turn }) => turn);
}
