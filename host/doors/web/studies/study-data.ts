import type { ShownMoment } from '../../../read/index.ts';
import type { RecordedEffect, RecordedMark } from '../../../run/index.ts';
import type { EpisodeOverview, ResultVerdict } from '../parts/index.ts';

/** The outcome of an attempt, as the matrix shows it. `open`: it is not over, or was cut off. */
export type AttemptState = 'passed' | 'partial' | 'failed' | 'suspect' | 'unscored' | 'open';

/** One attempt in the matrix. */
export interface AttemptLine {
  /** Its folder below the viewed one, with slashes; empty for the viewed one itself. */
  readonly id: string;
  readonly study: string;
  readonly family: string;
  readonly task: string;
  readonly agent: string;
  readonly model: string | null;
  /** From 1. */
  readonly number: number;
  readonly state: AttemptState;
  /** How it ended, e.g. `scored`; null while it is not over. */
  readonly end: string | null;
  /** 0 to 1; null without a score. */
  readonly reward: number | null;
  /** Null while it is not over. */
  readonly steps: number | null;
  /** Tokens in and out; null if not known. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly totalMs: number | null;
  /** Why the agent's code could have forged a pass; null if the tests don't run it beside them. */
  readonly trust: string | null;
  /** Why it has no score, is suspect, or can't be read. */
  readonly why: string | null;
}

export interface StudyLine {
  readonly name: string;
  /** The total number of its attempts; null if it is not known. */
  readonly planned: number | null;
  readonly over: number;
  /** Names of its agents, in its order. */
  readonly agents: readonly string[];
}

export interface FolderProblem {
  readonly where: string;
  readonly what: string;
}

export interface IndexData {
  /** The viewed folder. */
  readonly name: string;
  readonly studies: readonly StudyLine[];
  readonly attempts: readonly AttemptLine[];
  readonly problems: readonly FolderProblem[];
  /** Names for filters: failure modes, and what goes wrong on the screen. */
  readonly modes: readonly string[];
  readonly signs: readonly string[];
  readonly effects: readonly string[];
}

/** The facts from an attempt's record, for filters. */
export interface AttemptFacts {
  readonly id: string;
  /** Failure modes, and what went wrong on the screen. */
  readonly modes: readonly string[];
  readonly effects: readonly string[];
  /** Calls, as the agent names them. */
  readonly tools: readonly string[];
  readonly problems: readonly string[];
}

/** A result of a search through attempts: the matching steps of one attempt; or none, to report progress. */
export interface FoundSteps {
  readonly id: string;
  readonly times: number;
  /** The number of searched attempts, and of all. */
  readonly done: number;
  readonly of: number;
}

/** One stop on the time line. */
export interface MomentLine {
  /** Place on the time line, from 0. */
  readonly at: number;
  /** Its name in links, e.g. `step-3`. */
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the record was opened. */
  readonly ms: number;
  /** The worst effect of its actions; null without actions. */
  readonly effect: RecordedEffect | null;
  readonly failing: boolean;
  /** Its first actions. */
  readonly calls: readonly { readonly text: string; readonly effect: RecordedEffect | null }[];
  /** The number of its other actions. */
  readonly more: number;
  readonly message: string | null;
  /** Milliseconds of the step, and of the model before it. */
  readonly stepMs: number | null;
  readonly modelMs: number | null;
  /** Tokens in and out. */
  readonly tokens: number | null;
  /** Files that its tools changed. */
  readonly files: readonly string[];
  /** Path of the frame; null if it can't be known. */
  readonly screen: string | null;
  /** Why the line can't be read. */
  readonly problem: string | null;
}

/** The opened record of an attempt. */
export interface AttemptData {
  readonly id: string;
  /** Folder of the shown record, below the viewed folder. */
  readonly record: string;
  /** Other tries of the attempt: their records. */
  readonly tries: readonly string[];
  readonly line: AttemptLine;
  readonly moments: number;
  /** The first moment; null without moments. */
  readonly first: string | null;
  /** Milliseconds of its last line. */
  readonly lastMs: number;
  readonly overview: EpisodeOverview;
  readonly verdict: ResultVerdict;
  readonly video: { readonly endMs: number | null; readonly failure: string | null } | null;
  /** Whether its steps can be opened as live IDEs here. */
  readonly live: boolean;
  /** Problems of the whole record, and the first lines that can't be read. */
  readonly problems: readonly string[];
}

/** A state of an attempt that is open as a live IDE. */
export interface OpenState {
  /** Of the attempt. */
  readonly id: string;
  readonly step: number;
  /** Address of its page, with the token in it. */
  readonly url: string;
  readonly sandbox: string;
  /** Whether it is the recorded state, in words. */
  readonly words: string;
}

/** The progress of a state that is being opened; the last line has the outcome. */
export type LiveLine =
  { readonly kind: 'progress' | 'failed'; readonly text: string } | ({ readonly kind: 'open' } & OpenState);

/** One moment with its marks, or the text of a line that can't be read. */
export type MomentData = { readonly line: MomentLine } & (
  | {
      readonly moment: ShownMoment;
      readonly marks: readonly RecordedMark[];
      /** What can't be read of it. */
      readonly problems: readonly string[];
    }
  | { readonly moment: null; readonly text: string }
);

/** Two attempts side by side: places of moments, null if the other did something else. */
export interface AlignedRow {
  readonly a: number | null;
  readonly b: number | null;
  /** Exactly the same. */
  readonly same: boolean;
}

export interface AlignedData {
  readonly rows: readonly AlignedRow[];
  /** The parts that were not compared, and why. */
  readonly note: string | null;
}

/** Criteria for steps: the page's filters. One step has to meet all of them. */
export interface StepCriteria {
  readonly effect: string;
  readonly tool: string;
  /** The number of a mark that was acted on, or a part of its role and name. */
  readonly mark: string;
  readonly text: string;
}
