import { PwpError } from '../errors.ts';

type ProfileFormat = 'cpuprofile' | 'folded' | 'flamegraph-svg';

/** One call: a function as it was called by the frames above it. */
export interface CallFrame {
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
  readonly children: CallFrame[];
}

export interface Profile {
  readonly format: ProfileFormat;
  /** The unit of times: `ms`, `samples` or the one that a flame graph names. */
  readonly unit: string;
  /** Represents the whole run, with its outermost calls below; not a function itself. */
  readonly root: CallFrame;
  /** Lines of folded stacks that were not understood. */
  readonly skipped: number;
}

/** A larger profile is refused: neither a view nor a summary would be useful. */
export const maxFrames = 500_000;

export function createProfileError(message: string, cause?: unknown): PwpError {
  return new PwpError('bad-profile', message, {
    help: 'Supported are .cpuprofile files, folded stacks ("a;b;c 12") and flame graphs as SVG (flamegraph.pl, py-spy, inferno).',
    ...(cause !== undefined && { cause }),
  });
}

/** A new frame without time of its own. */
export function createCallFrame(name: string, place: { file?: string; line?: number } = {}): CallFrame {
  return { name: name === '' ? '(anonymous)' : name, ...place, self: 0, total: 0, children: [] };
}

/** Frames from the outermost to the innermost, each after its caller; stacks may be deeper than JavaScript's own. */
export function* walkFrames(root: CallFrame): Generator<CallFrame> {
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
export function sumTotals(root: CallFrame): void {
  for (const one of [...walkFrames(root)].reverse())
    one.total = one.children.reduce((sum, { total }) => sum + total, one.self);
}

/** A function over all its calls. */
export interface FunctionTime {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  /** In its own code, in the profile's unit. */
  readonly self: number;
  /** From call to return; recursive calls are not counted again. */
  readonly total: number;
  /** Frames of the call tree. */
  readonly calls: number;
}

/** All functions, by their own time, the largest first. */
export function rankFunctions({ root }: Profile): FunctionTime[] {
  const sums = new Map<string, FunctionTime & { self: number; total: number; calls: number }>();
  walkCalls(root, (frame, key, isInside) => {
    const { name, file, line } = frame;
    const place = { ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
    const sum = sums.get(key) ?? { name, ...place, self: 0, total: 0, calls: 0 };
    sum.self += frame.self;
    if (!isInside) sum.total += frame.total;
    sum.calls++;
    sums.set(key, sum);
  });
  return [...sums.values()].sort(
    (a, b) => b.self - a.self || b.total - a.total || (a.name < b.name ? -1 : 1),
  );
}

/** Visits all calls but the root; reports whether the same function is among the callers. */
function walkCalls(root: CallFrame, visit: (frame: CallFrame, key: string, isInside: boolean) => void): void {
  const open = new Map<string, number>();
  const left: { frame: CallFrame; leave: boolean }[] = root.children.map((frame) => ({
    frame,
    leave: false,
  }));
  for (let next = left.pop(); next; next = left.pop()) {
    const { frame, leave } = next;
    const key = `${frame.name}\0${frame.file ?? ''}\0${frame.line ?? ''}`;
    const depth = open.get(key) ?? 0;
    open.set(key, leave ? depth - 1 : depth + 1);
    if (leave) continue;
    visit(frame, key, depth > 0);
    left.push({ frame, leave: true }, ...frame.children.map((child) => ({ frame: child, leave: false })));
  }
}

/** A bar of a flame graph. */
interface FlameBar {
  readonly frame: CallFrame;
  /** 1 for the outermost calls. */
  readonly depth: number;
  /** Where the bar starts, in the profile's unit from the left. */
  readonly start: number;
}

/**
 * Bars from the outermost to the innermost, each caller before what it called.
 * @param least bars of less, in the profile's unit, are left out with all below them
 * @param from the frame that fills the whole width; default: the profile's root
 */
export function layOutFlames({ root }: Profile, least = 0, from: CallFrame = root): FlameBar[] {
  const bars: FlameBar[] = [];
  const left: FlameBar[] = [{ frame: from, depth: from === root ? 0 : 1, start: 0 }];
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.frame !== root) bars.push(next);
    let { start } = next;
    const below: FlameBar[] = [];
    for (const frame of next.frame.children) {
      if (frame.total > 0 && frame.total >= least) below.push({ frame, depth: next.depth + 1, start });
      start += frame.total;
    }
    left.push(...below.reverse());
  }
  return bars;
}
