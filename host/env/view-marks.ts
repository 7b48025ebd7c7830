import type { Box, Mark } from '../../bridge/protocol/index.ts';
import type { Observation } from './types.ts';

/** The parts of an observation with coordinates, besides its picture. */
export type Placed = Pick<Observation, 'marks' | 'focus' | 'caret'>;

type View = NonNullable<Observation['screen']['view']>;

/** The same in the pixels of a view, without parts outside the view. */
export function inView({ marks, focus, caret }: Placed, view: View): Placed {
  const place = (box: Box | null | undefined) => (box ? boxInView(box, view) : null);
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
export function boxSeen(box: Box, view: View | undefined): Box | null {
  return view ? boxInView(box, view) : box;
}

/** Grown to whole pixels and cut to the picture; null for a box beside it. */
function boxInView(box: Box, { region, width, height }: View): Box | null {
  const across = stretch(box.x - region.x, box.width, width / region.width, width);
  const down = stretch(box.y - region.y, box.height, height / region.height, height);
  return across && down && { x: across.from, y: down.from, width: across.size, height: down.size };
}

function stretch(from: number, size: number, scale: number, limit: number) {
  const start = Math.max(0, Math.floor(from * scale));
  const end = Math.min(limit, Math.ceil((from + size) * scale));
  return end > start ? { from: start, size: end - start } : null;
}
