import type { RecordedMark } from '../record/index.ts';

/** The parts of a mark that identify its element. */
export type Marked = Pick<RecordedMark, 'id' | 'role' | 'name' | 'box'>;

export type FoundMark = { readonly id: number } | { readonly why: string };

/**
 * The current mark for the element of a recorded mark: the same role and name, and the same place if several have both.
 * Its number is of no use: numbers are assigned again in each run.
 */
export function sameMark(id: number, recorded: readonly Marked[], shown: readonly Marked[]): FoundMark {
  const then = recorded.find((mark) => mark.id === id);
  if (!then) return { why: `the record does not say what mark [${id}] was` };
  const named = shown.filter((mark) => mark.role === then.role && mark.name === then.name);
  const [only, ...others] = named;
  const what = `${then.role} ${JSON.stringify(then.name)}`;
  if (!only) return { why: `mark [${id}] was the ${what}, which is not on the screen now` };
  // Without a name, only its place identifies it.
  if (others.length === 0 && then.name !== '') return { id: only.id };
  const there = named.filter(({ box }) => isSameBox(box, then.box));
  const [one] = there;
  if (one && there.length === 1) return { id: one.id };
  return { why: `mark [${id}] was the ${what}; of ${named.length} like it, none is surely the same` };
}

function isSameBox(a: Marked['box'], b: Marked['box']): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
