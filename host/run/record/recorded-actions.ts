import * as z from 'zod';
import { fileTools, refactorTools } from '../../../bridge/protocol/index.ts';

/** A file that a tool changed, as the tool saw it. */
const recordedFileChange = z.object({
  path: z.string(),
  linesAdded: z.int().nonnegative().nullable().describe('null if the tool does not count them'),
  linesRemoved: z.int().nonnegative().nullable(),
  newErrors: z
    .int()
    .nonnegative()
    .nullable()
    .describe('errors that VS Code shows since then; null if it had not checked the text before and after'),
});
export type RecordedFileChange = z.output<typeof recordedFileChange>;

type WrittenAnswer = z.output<typeof fileTools.editFile.output>;
type ProblemsAnswer = WrittenAnswer['problems'];

/** The files that a tool changed, according to its answer; undefined if that does not mention files. */
export function readChangedFiles(answer: unknown): RecordedFileChange[] | undefined {
  const written = fileTools.editFile.output.safeParse(answer);
  if (written.success) return readWritten(written.data);
  const refactored = refactorTools.renameSymbol.output.safeParse(answer);
  if (!refactored.success) return undefined;
  const { applied, files } = refactored.data;
  return applied ? files.map(({ path, new_path: to, problems }) => makeFileChange(to ?? path, problems)) : [];
}

function readWritten({ path, changed, created, problems, ...lines }: WrittenAnswer): RecordedFileChange[] {
  if (!changed) return [];
  const counted = { linesAdded: lines.lines_added, linesRemoved: lines.lines_removed };
  return [{ ...makeFileChange(path, problems, created), ...counted }];
}

function makeFileChange(path: string, problems: ProblemsAnswer | null, isNew = false): RecordedFileChange {
  return {
    path,
    linesAdded: null,
    linesRemoved: null,
    newErrors: problems && countNewErrors(problems, isNew),
  };
}

function countNewErrors({ state, compared, appeared }: ProblemsAnswer, isNew: boolean): number | null {
  if (state !== 'fresh' || !(compared || isNew)) return null;
  return appeared.filter(({ severity }) => severity === 'error').length;
}

const markId = z.int().describe('number of a mark of the observation before');
const onMark = { kind: z.literal('mark'), mark: markId };

/** An action as it was requested; the same shape as the environment's `Action`. */
export const recordedAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('xdotool'), line: z.string() }),
  z.discriminatedUnion('verb', [
    z.object({
      ...onMark,
      verb: z.enum(['click', 'double_click', 'triple_click', 'right_click', 'middle_click', 'hover']),
    }),
    z.object({ ...onMark, verb: z.literal('drag'), to: markId }),
    z.object({
      ...onMark,
      verb: z.literal('scroll'),
      direction: z.enum(['up', 'down', 'left', 'right']),
      amount: z.int().describe('notches of the wheel'),
    }),
    z.object({ ...onMark, verb: z.literal('type'), text: z.string() }),
  ]),
  z.object({
    kind: z.literal('computer'),
    call: z.record(z.string(), z.unknown()).describe('as its vendor writes it'),
  }),
  z.object({ kind: z.literal('dialog'), accept: z.boolean(), text: z.string().optional() }),
  z.object({
    kind: z.literal('ask'),
    text: z.string().describe('the question to a person'),
    wants: z.enum(['answer', 'hands']).optional(),
    choices: z.array(z.string()).readonly().optional(),
    timeout: z.number().optional().describe('seconds'),
  }),
  z.object({
    kind: z.literal('tool'),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).describe('long texts may be cut, and say so'),
    explanation: z.string().optional().describe('why, as the agent says'),
    set: z
      .string()
      .optional()
      .describe('whose names and arguments these are, e.g. ide-bench; absent: the registry’s'),
  }),
  z.object({ kind: z.literal('unreadable'), line: z.string(), why: z.string() }),
]);
export type RecordedAction = Readonly<z.output<typeof recordedAction>>;

/** An action as a call: of a tool, or by the kind of its input, e.g. `xdotool`, `click`, `computer`. */
export function describeCall(action: RecordedAction): {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
} {
  const { kind, ...given } = action;
  switch (action.kind) {
    case 'mark': {
      const { kind: mark, verb, ...rest } = action;
      void mark;
      return { name: verb, arguments: rest };
    }
    case 'computer':
      return { name: kind, arguments: action.call };
    case 'ask':
      return { name: 'ask_person', arguments: given };
    case 'tool':
      return { name: action.name, arguments: action.arguments };
    case 'unreadable':
      return { name: kind, arguments: { line: action.line } };
    case 'xdotool':
    case 'dialog':
      return { name: kind, arguments: given };
  }
}

export const recordedEffect = z.enum(['confirmed', 'partial', 'no-effect', 'unverifiable', 'refused']);
export type RecordedEffect = z.output<typeof recordedEffect>;

const recordedTyped = z.object({
  where: z.enum(['editor', 'field', 'terminal']),
  name: z.string().describe("the document's URI or the field's name"),
  line: z.int(),
  column: z.int(),
  replaced: z.string().describe('the text that was there before'),
  differences: z
    .array(
      z.object({
        at: z.int().describe('place in the text sent, in UTF-16 code units'),
        missing: z.string().describe('sent, but missing'),
        added: z.string().describe('present, but not sent'),
      }),
    )
    .readonly(),
});

const recordedImage = z.object({
  path: z.string().describe("relative to the record's folder"),
  mime: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml']),
  title: z.string(),
});
export type RecordedImage = z.output<typeof recordedImage>;

export const recordedOutcome = z.object({
  action: recordedAction,
  effect: recordedEffect,
  evidence: z.string().describe('what the effect rests on, one line; for `refused`, why'),
  output: z.string().optional().describe('what the action answered'),
  images: z.array(recordedImage).optional().describe("pictures of a tool's answer, or of a zoom"),
  changed: z
    .array(recordedFileChange)
    .optional()
    .describe('files that a tool changed; absent for tools that do not say'),
  typed: recordedTyped.optional().describe('what became of typed text, where it could be read back'),
  untried: z.literal(true).optional().describe('a later action of its batch could not be read'),
  suppressed: z.literal(true).optional().describe('it was not played, which was hidden from the agent'),
});
export type RecordedOutcome = z.output<typeof recordedOutcome>;
