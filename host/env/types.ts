import type { Box, Dialog, Focus, Mark, Service, UnreadPart } from '../../bridge/protocol/index.ts';
import type { Capture, CheckpointInfo, Settled } from '../node/index.ts';
import type { Action } from './actions/index.ts';
import type { ActionOutcome } from './effect/index.ts';

/** All that the agent sees at one moment, under one number. Coordinates are screen pixels. */
export interface Observation {
  /** Rises with every observation of this sandbox; a mark of an older one is refused. */
  readonly number: number;
  readonly screen: Capture;
  readonly marks: readonly Mark[];
  /** Marks left out by the bound. */
  readonly omittedMarks: number;
  /** Parts of the page that did not answer, or have too many elements to be read; absent where all was read. */
  readonly unread?: readonly UnreadPart[];
  readonly focus: Focus | null;
  readonly caret: Box | null;
  /** The focused page is VS Code's workbench. */
  readonly workbench: boolean;
  readonly title: string;
  /** In front of the page, which can't be read until it is answered: there are no marks then. */
  readonly dialog?: Dialog;
}

export interface StepInfo {
  /** 1 for the first step after a reset. */
  readonly step: number;
  readonly outcomes: readonly ActionOutcome[];
  /** Actions after the first failure, which were not tried. */
  readonly skipped: readonly Action[];
  readonly settled: Settled;
  readonly timing: StepTiming;
  /** Parts of the desktop that died or came back during the step. */
  readonly services: readonly Service[];
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
  /** `cold`: booted. `golden`: restored as it was after an earlier boot. `fork`: not reset, but branched off another. */
  readonly from: 'cold' | 'golden' | 'fork';
  /** The checkpoint that it was restored from, or that was taken of it for later resets; null where there is none. */
  readonly checkpoint: string | null;
  /** What did not go as meant but did no harm, e.g. a damaged checkpoint in whose place the IDE was booted. */
  readonly notes: readonly string[];
}

/** A checkpoint as an episode knows it. */
export interface Checkpoint extends CheckpointInfo {
  /** The step of this episode after which it was taken, 0 for the start; null where it was taken elsewhere. */
  readonly step: number | null;
}

export type RestoreResult = readonly [Observation, RestoreInfo];

export interface RestoreInfo {
  readonly checkpoint: string;
  /** The step whose state it is again; null where the checkpoint was not taken in this episode. */
  readonly step: number | null;
  /** 1 for the first restore of the episode: each begins a branch, the steps before are branch 0. */
  readonly branch: number;
  /** Milliseconds from the call until the IDE was at rest. */
  readonly restoreMs: number;
}

/** Where a forked environment branched off. */
export interface Origin {
  readonly checkpoint: string;
  /** The step of the episode it was forked from; null where the checkpoint was not taken in that one. */
  readonly step: number | null;
}
