/** What came of an attempt, as the matrix shows it. `open`: it is not over, or was cut off. */
export type AttemptState = 'passed' | 'partial' | 'failed' | 'suspect' | 'unscored' | 'open';

/** One attempt in the matrix. */
export interface AttemptLine {
  /** Its folder below the one that is viewed, with slashes; empty for that one itself. */
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
  /** Why the agent's code could have forged a pass; null where the tests run none of it beside them. */
  readonly trust: string | null;
  /** Why it has no score, is suspect, or can't be read. */
  readonly why: string | null;
}

export interface StudyLine {
  readonly name: string;
  /** Attempts that it has in all; null if that is not known. */
  readonly planned: number | null;
  readonly over: number;
  /** Names of its agents, in its order. */
  readonly agents: readonly string[];
}

export interface Problem {
  readonly where: string;
  readonly what: string;
}

export interface IndexData {
  /** The folder that is viewed. */
  readonly name: string;
  readonly studies: readonly StudyLine[];
  readonly attempts: readonly AttemptLine[];
  readonly problems: readonly Problem[];
  /** Names for filters: failure modes, and what goes wrong on the screen. */
  readonly modes: readonly string[];
  readonly signs: readonly string[];
  readonly effects: readonly string[];
}

/** What the record of an attempt has, for filters. */
export interface Facts {
  readonly id: string;
  /** Failure modes, and what went wrong on the screen. */
  readonly modes: readonly string[];
  readonly effects: readonly string[];
  /** Calls as the agent names them. */
  readonly tools: readonly string[];
  readonly problems: readonly string[];
}

/** Of a search through attempts: the steps of one that match; or none, to say how far it is. */
export interface Found {
  readonly id: string;
  readonly times: number;
  /** Attempts that were searched, of how many. */
  readonly done: number;
  readonly of: number;
}

/** One stop on the time line. */
export interface MomentLine {
  /** Place on the time line, from 0. */
  readonly at: number;
  /** Names it in links, e.g. `step-3`. */
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the record was opened. */
  readonly ms: number;
  /** The worst of its actions; null if it has none. */
  readonly effect: string | null;
  readonly failing: boolean;
  /** The first of its actions. */
  readonly calls: readonly { readonly text: string; readonly effect: string | null }[];
  /** Actions that are not among them. */
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
  /** Of the record that is shown, below the folder that is viewed. */
  readonly record: string;
  /** Other tries of the attempt: their records. */
  readonly tries: readonly string[];
  readonly line: AttemptLine;
  readonly moments: number;
  /** The first moment; null if there is none. */
  readonly first: string | null;
  /** Milliseconds of its last line. */
  readonly lastMs: number;
  /** HTML of this project's own. */
  readonly about: string;
  readonly verdict: { readonly tone: string; readonly word: string; readonly score: string | null };
  readonly video: { readonly endMs: number | null; readonly failure: string | null } | null;
  /** Whether its steps can be opened as live IDEs here. */
  readonly live: boolean;
  /** Of the whole record, and the first lines that can't be read. */
  readonly problems: readonly string[];
}

/** A state of an attempt that is open as a live IDE. */
export interface OpenState {
  /** Of the attempt. */
  readonly id: string;
  readonly step: number;
  /** Of its page, with the token in it. */
  readonly url: string;
  readonly sandbox: string;
  /** Whether it is the recorded state, in words. */
  readonly words: string;
}

/** How far a state is that is being opened; the last line says what came of it. */
export type LiveLine =
  { readonly kind: 'progress' | 'failed'; readonly text: string } | ({ readonly kind: 'open' } & OpenState);

/** One moment, with HTML of this project's own. */
export interface MomentData {
  readonly line: MomentLine;
  readonly html: string;
}

/** Two attempts beside each other: places of moments, null where the other did something else. */
export interface AlignedRow {
  readonly a: number | null;
  readonly b: number | null;
  /** The same to the letter. */
  readonly same: boolean;
}

export interface AlignedData {
  readonly rows: readonly AlignedRow[];
  /** What was not compared, and why. */
  readonly note: string | null;
}

/** What steps are looked for; the page's filters. All of them are to be met by one step. */
export interface Criteria {
  readonly effect: string;
  readonly tool: string;
  /** The number of a mark that was acted on, or a part of its role and name. */
  readonly mark: string;
  readonly text: string;
}
