import { PwpError } from '../lib/index.ts';

export type ProfileFormat = 'cpuprofile' | 'folded' | 'flamegraph-svg';

/** One call: a function as it was called by the frames above it. */
export interface Frame {
  /** As the profile has it; `(anonymous)` for a function without a name. */
  readonly name: string;
  /** Path or URL; absent if the profile has none. */
  readonly file?: string;
  /** 1 for the first line; absent if the profile has none. */
  readonly line?: number;
  /** Spent in the function's own code, in the profile's unit. */
  self: number;
  /** `self` and that of all calls below. */
  total: number;
  readonly children: Frame[];
}

export interface Profile {
  readonly format: ProfileFormat;
  /** The unit of times: `ms`, `samples` or the one that a flame graph names. */
  readonly unit: string;
  /** Represents the whole run, with its outermost calls below; not a function itself. */
  readonly root: Frame;
  /** Lines of folded stacks that were not understood. */
  readonly skipped: number;
}

/** A larger profile is refused: neither a view nor a summary would be useful. */
export const maxFrames = 500_000;

export function badProfile(message: string, cause?: unknown): PwpError {
  return new PwpError('bad-profile', message, {
    help: 'Supported are .cpuprofile files, folded stacks ("a;b;c 12") and flame graphs as SVG (flamegraph.pl, py-spy, inferno).',
    ...(cause !== undefined && { cause }),
  });
}

/** A new frame without time of its own. */
export function frame(name: string, place: { file?: string; line?: number } = {}): Frame {
  return { name: name === '' ? '(anonymous)' : name, ...place, self: 0, total: 0, children: [] };
}

/** Frames from the outermost to the innermost, each after its caller; stacks may be deeper than JavaScript's own. */
export function* frames(root: Frame): Generator<Frame> {
  const left = [root];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next;
    for (let index = next.children.length - 1; index >= 0; index--) {
      const child = next.children[index];
      if (child) left.push(child);
    }
  }
}

/** Adds up `total` from `self`. */
export function addUp(root: Frame): void {
  for (const one of [...frames(root)].reverse())
    one.total = one.children.reduce((sum, { total }) => sum + total, one.self);
}
