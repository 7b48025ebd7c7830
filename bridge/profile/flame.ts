import type { Frame, Profile } from './model.ts';

/** A bar of a flame graph. */
export interface FlameFrame {
  readonly frame: Frame;
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
export function flameFrames({ root }: Profile, least = 0, from: Frame = root): FlameFrame[] {
  const bars: FlameFrame[] = [];
  const left: FlameFrame[] = [{ frame: from, depth: from === root ? 0 : 1, start: 0 }];
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.frame !== root) bars.push(next);
    let { start } = next;
    const below: FlameFrame[] = [];
    for (const frame of next.frame.children) {
      if (frame.total > 0 && frame.total >= least) below.push({ frame, depth: next.depth + 1, start });
      start += frame.total;
    }
    left.push(...below.reverse());
  }
  return bars;
}
