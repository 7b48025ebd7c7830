import type {
  Box,
  Dialog,
  dom,
  Focus,
  Mark,
  ParamsIn,
  Point,
  ResultOf,
  Service,
  UnreadPart,
} from '../../bridge/protocol/index.ts';
import type { Capture, CheckpointInfo, Settled } from '../node/index.ts';
import type { Action } from './actions/index.ts';
import type { ActionOutcome } from './effect/index.ts';
import type { MarkChanges } from './mark-table.ts';
import type { Sound } from './sound.ts';

/**
 * Everything the agent sees at one moment, under one number. Coordinates are screen pixels, or those of `screen.view`
 * where the agent sees that.
 */
export interface Observation {
  /** Rises with every observation of this sandbox; a mark of an older one is refused. */
  readonly number: number;
  readonly screen: Capture;
  readonly marks: readonly Mark[];
  /** Number of marks beyond the limit. */
  readonly omittedMarks: number;
  /** Numbers of marks that an earlier observation showed and the one before this did not; absent if it would be empty. */
  readonly back?: readonly number[];
  /** Parts of the page that did not answer or have too many elements; absent if everything was read. */
  readonly unread?: readonly UnreadPart[];
  readonly focus: Focus | null;
  readonly caret: Box | null;
  /** Only with a view: everything with coordinates, in screen pixels, including parts outside the view. For records. */
  readonly onScreen?: Pick<Observation, 'marks' | 'focus' | 'caret'>;
  /** The focused page is VS Code's workbench. */
  readonly workbench: boolean;
  readonly title: string;
  /**
   * The changes by people while they had control, in words: at most 2,000 characters. Only in an agent's first observation
   * after that; {@link Session.personChanges} has more.
   */
  readonly personChanges?: string;
  /** Sound that VS Code played since the observation before; only in a session with sound. */
  readonly audio?: Sound;
  /** A JavaScript dialog. The page can't be read until it is answered: there are no marks then. */
  readonly dialog?: Dialog;
}

/** The text to read. */
export type TextQuery = ParamsIn<typeof dom.text>;

/** Readable text that is not in a mark, in the order of the page. Coordinates as in an {@link Observation}. */
export interface PageText {
  readonly pieces: readonly { readonly text: string; readonly box: Box }[];
  /** Pieces beyond the limits. */
  readonly omitted: number;
  /** Parts that may have more text that was not read. */
  readonly unread: readonly string[];
}

/** Coordinates as in an {@link Observation}. */
export interface Pointer extends Point {
  /** The element that a click would reach; `mark` is its number if it was shown as one. Null if it is not known. */
  readonly under: ResultOf<typeof dom.under>['element'];
}

export interface StepInfo {
  /** 1 for the first step after a reset. */
  readonly step: number;
  readonly outcomes: readonly ActionOutcome[];
  /** Actions after the first failure, which were not tried. */
  readonly skipped: readonly Action[];
  readonly settled: Settled;
  /** Compared with the observation before, by which the caller knows the marks. */
  readonly marks: MarkChanges;
  readonly timing: StepTiming;
  /** Parts of the desktop that died or came back during the step. */
  readonly services: readonly Service[];
  /**
   * Events of VS Code after the last step of this session and before this one, e.g. `debugging ended app.py`. No action
   * caused them. Absent if nothing is known.
   */
  readonly meanwhile?: string;
  /** A person took control meanwhile: the observation is the one before the step. Absent otherwise. */
  readonly withheld?: string;
}

/** Milliseconds of each part of a step. */
export interface StepTiming {
  readonly actMs: number;
  readonly settleMs: number;
  readonly screenshotMs: number;
  readonly marksMs: number;
  readonly totalMs: number;
}

/** As in Gymnasium: observation, reward, terminated, truncated, info. */
export type StepResult = readonly [Observation, number, boolean, boolean, StepInfo];
export type ResetResult = readonly [Observation, ResetInfo];

export interface ResetInfo {
  readonly sandbox: string;
  /** Key of the image it was made from. */
  readonly image: string;
  readonly task: string | null;
  readonly instruction: string;
  /** Milliseconds from the call until the IDE was ready. */
  readonly startMs: number;
  /**
   * `cold`: booted. `golden`: restored from a golden checkpoint. `fork`: not reset, but forked from another. `joined`: not
   * reset, but running already.
   */
  readonly from: 'cold' | 'golden' | 'fork' | 'joined';
  /** The checkpoint that was restored, or that was taken for later resets; null without one. */
  readonly checkpoint: string | null;
  /** Problems without consequences, e.g. a damaged checkpoint, so that the IDE was booted instead. */
  readonly notes: readonly string[];
}

/** A checkpoint in an episode. */
export interface Checkpoint extends CheckpointInfo {
  /** The step of this episode after which it was taken, 0 for the start; null if it was taken elsewhere. */
  readonly step: number | null;
}

export type RestoreResult = readonly [Observation, RestoreInfo];

export interface RestoreInfo {
  readonly checkpoint: string;
  /** The step after which the checkpoint was taken; null if it was not taken in this episode. */
  readonly step: number | null;
  /** 1 for the first restore of the episode: each begins a branch, the steps before are branch 0. */
  readonly branch: number;
  /** Milliseconds from the call until the IDE was at rest. */
  readonly restoreMs: number;
}

/** The start of a forked environment. */
export interface ForkOrigin {
  readonly checkpoint: string;
  /** The step of the episode it was forked from; null if the checkpoint was not taken in that one. */
  readonly step: number | null;
}

/** The parts of an observation with coordinates, besides its picture. */
type PlacedParts = Pick<Observation, 'marks' | 'focus' | 'caret'>;

type AgentPicture = NonNullable<Observation['screen']['view']>;

/** The same in the pixels of a view, without parts outside the view. */
export function projectToView({ marks, focus, caret }: PlacedParts, view: AgentPicture): PlacedParts {
  const place = (box: Box | null | undefined) => (box ? scaleBoxToView(box, view) : null);
  const focusBox = place(focus?.box);
  return {
    marks: marks.flatMap((mark): Mark[] => {
      const box = place(mark.box);
      return box ? [{ ...mark, box }] : [];
    }),
    focus: focus && { ...focus, box: focusBox ?? undefined },
    caret: place(caret),
  };
}

/** A box in the pixels of the agent's picture; null if it is outside of that. */
export function projectBox(box: Box, view: AgentPicture | undefined): Box | null {
  return view ? scaleBoxToView(box, view) : box;
}

/** Grown to whole pixels and cut to the picture; null for a box beside it. */
function scaleBoxToView(box: Box, { region, width, height }: AgentPicture): Box | null {
  const across = stretchSpan(box.x - region.x, box.width, width / region.width, width);
  const down = stretchSpan(box.y - region.y, box.height, height / region.height, height);
  return across && down && { x: across.from, y: down.from, width: across.size, height: down.size };
}

function stretchSpan(from: number, size: number, scale: number, limit: number) {
  const start = Math.max(0, Math.floor(from * scale));
  const end = Math.min(limit, Math.ceil((from + size) * scale));
  return end > start ? { from: start, size: end - start } : null;
}
