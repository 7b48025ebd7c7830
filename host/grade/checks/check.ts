import { clip } from '../../../bridge/lib/index.ts';
/** One thing that a task asks for, and whether it holds. */
export interface Check {
  /** The thing that is looked at, e.g. `files.autoSaveDelay`. */
  readonly name: string;
  /** Null: it could not be measured, and counts as neither. */
  readonly passed: boolean | null;
  /** The finding; for a failed check, beside the expectation; else why it could not be measured. */
  readonly why: string;
}

export function passed(name: string, why: string): Check {
  return { name, passed: true, why: cut(why, maxWhy) };
}

export function failed(name: string, why: string): Check {
  return { name, passed: false, why: cut(why, maxWhy) };
}

/** For something that can't be looked at here, regardless of the agent: never for something that the agent can cause. */
export function notMeasured(name: string, why: string): Check {
  return { name, passed: null, why: cut(why, maxWhy) };
}

/** Any value, short enough for one line. */
export function show(value: unknown): string {
  return cut(value === undefined ? 'nothing' : textOf(value), 200);
}

/** A value that the agent wrote may be nested too deep to be written out, which must not end the tests. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return `something that can't be shown (${typeof value})`;
  }
}

/** The agent's text may have any length; messages about it are bounded. */
const maxWhy = 2000;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${clip(text, length)}…`;
}
