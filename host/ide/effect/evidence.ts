import { PwpError } from '../../../bridge/lib/index.ts';
import {
  type Box,
  dom,
  type DomProbe,
  type Editor,
  ide,
  type Point,
  type ResultOf,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { Action } from '../actions/index.ts';
import type { AnswerPicture } from '../tools/index.ts';
import type { TextDifference } from './typed-change.ts';

/** What can be compared before and after an action. */
export interface Evidence {
  /** Undefined if the page could not be asked. */
  readonly page: DomProbe | undefined;
  /** Scroll positions, by the point they were read at. */
  readonly scroll: ReadonlyMap<string, string>;
  /** The active editor; its text only if the action types. */
  readonly editor: Editor | null | undefined;
  /** The recent events of VS Code; undefined if the extension could not be asked. */
  readonly events: ResultOf<typeof ide.events> | undefined;
  /** Where the pointer is; undefined if the screen was not looked at. */
  readonly pointer: Point | undefined;
  /** The change of the screen since the step before; undefined between the actions of one step. */
  readonly changed: Box | null | undefined;
}

/** The looks around one action of a batch. */
export interface EvidenceAround {
  readonly before: Evidence;
  readonly after: Evidence;
  /** Before and after all of its batch; undefined for an action alone. */
  readonly batch?: { readonly before: Evidence; readonly after: Evidence };
}

export interface EvidenceRequest {
  /** Read the text of the active editor. */
  readonly text: boolean;
  /** Where scroll positions are read. */
  readonly points: readonly Point[];
}

/** The maximum text of a document that is compared: more would make each step wait. UTF-16 code units. */
const longestText = 2 * 1024 * 1024;

export function pointKey({ x, y }: Point): string {
  return `${x},${y}`;
}

/**
 * Reads what can be compared. Costs a few milliseconds, and includes everything that the windows have read by then.
 * @param screen the screen of the step's own observation; undefined between actions
 */
export async function takeEvidence(
  sandbox: Sandbox,
  { text, points }: EvidenceRequest,
  screen: Pick<Evidence, 'pointer' | 'changed'> | undefined,
  signal: AbortSignal,
): Promise<Evidence> {
  // The page first: the extension learns from it.
  const page = await orNothing(sandbox.call(dom.probe, { points: [...points] }, { signal }));
  const asked = { includeText: text, maxChars: longestText, current: true };
  // A page that a dialog blocks can't pass anything on to the extension, either.
  const [answer, events] =
    page && !page.dialog
      ? await Promise.all([
          orNothing(sandbox.call(ide.editor, asked, { signal })),
          orNothing(sandbox.call(ide.events, {}, { signal })),
        ])
      : [];
  const scroll = new Map(points.map((point, i) => [pointKey(point), page?.scroll[i] ?? '']));
  return { page, scroll, editor: answer?.editor, events, pointer: screen?.pointer, changed: screen?.changed };
}

/** Without the page or the extension the rest is judged. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RpcError || (error instanceof PwpError && error.code !== 'timeout'))
      return undefined;
    throw error;
  }
}

/** The outcome of an action: never claimed, always seen. */
export type Effect = 'confirmed' | 'partial' | 'no-effect' | 'unverifiable' | 'refused';

export interface ActionOutcome {
  readonly action: Action;
  readonly effect: Effect;
  /** The evidence for the effect, one line, e.g. `screen changed in 312x40 at (8, 96)`; for `refused`, why. */
  readonly evidence: string;
  /** The output of the action: of a tool, or the line of `getmouselocation`. */
  readonly output: string | undefined;
  /** A tool's answer, in its descriptor's output schema; `output` is the same as text. */
  readonly result?: unknown;
  /** Pictures of a tool's answer, or the one that `zoom`, or `screenshot` in the middle of a batch, requested. */
  readonly images?: readonly AnswerPicture[];
  /** The result of typed text, in full, if it could be read back. */
  readonly typed?: TypedText;
  /** It was not tried, since a later action of its batch could not be read. Absent for all others. */
  readonly untried?: true;
  /** It was not played, as {@link SessionOptions.suppress} asks. Hidden from the agent. Absent for all others. */
  readonly suppressed?: true;
}

/** The result of the text that an action typed, in full: the evidence line shortens it. */
export interface TypedText {
  readonly where: 'editor' | 'field' | 'terminal';
  /** The document's URI, or the field's name. */
  readonly name: string;
  /** Where it begins, both from 1; of a terminal, always 1. */
  readonly line: number;
  readonly column: number;
  /** The text that was there before. */
  readonly replaced: string;
  /** How what landed differs from what was sent. */
  readonly differences: readonly TextDifference[];
}

export interface Judgement {
  readonly effect: Effect;
  readonly evidence: string;
  readonly typed?: TypedText;
}
