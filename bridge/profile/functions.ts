import type { Frame, Profile } from './model.ts';

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
export function functionsOf({ root }: Profile): FunctionTime[] {
  const sums = new Map<string, FunctionTime & { self: number; total: number; calls: number }>();
  walk(root, (frame, key, isInside) => {
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
function walk(root: Frame, visit: (frame: Frame, key: string, isInside: boolean) => void): void {
  const open = new Map<string, number>();
  const left: { frame: Frame; leave: boolean }[] = root.children.map((frame) => ({ frame, leave: false }));
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
