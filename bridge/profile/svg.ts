import { named } from './folded.ts';
import { badProfile, frames, maxFrames, type Frame, type Profile } from './model.ts';

interface Bar {
  readonly frame: Frame;
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly row: number;
}

/**
 * Reads a flame graph drawn by flamegraph.pl, inferno or py-spy: the vertical order of bars shows who called whom. The
 * drawing's own script is not run. Bars that were left out for being thin count as their callers' own time.
 */
export function readFlameGraph(text: string): Profile {
  const bars = [...text.matchAll(/<g\b[^>]*>\s*<title>([^<]*)<\/title>\s*<rect\b([^>]*)>/g)].flatMap(
    (match) => readBar(match[1] ?? '', match[2] ?? ''),
  );
  if (bars.length === 0) throw badProfile('the SVG has no bars with titles as flame graphs have them');
  if (bars.length > maxFrames) throw badProfile(`the profile has more than ${maxFrames} frames`);
  const root = stack(bars);
  for (const one of frames(root))
    one.self = Math.max(0, one.total - one.children.reduce((sum, { total }) => sum + total, 0));
  return { format: 'flamegraph-svg', unit: bars[0]?.unit ?? 'samples', root, skipped: 0 };
}

function readBar(title: string, attributes: string): Bar[] {
  const match = /^([^]*) \(([\d,.]+) ([^,;)]+)[,;] ?[\d.]+%[^)]*\)$/.exec(plain(title).trim());
  const number = (name: string) => {
    const found = new RegExp(`\\s${name}="(-?[\\d.]+)%?"`).exec(` ${attributes}`)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [row, from, width] = [number('y'), number('fg:x') ?? number('x'), number('fg:w') ?? number('width')];
  if (!match || row === undefined || from === undefined || width === undefined) return [];
  const frame = named(match[1] ?? '');
  frame.total = Number((match[2] ?? '').replaceAll(',', ''));
  return [{ frame, unit: match[3] ?? 'samples', from, to: from + width, row }];
}

/** Puts each bar below its caller's, and returns the one at the bottom. */
function stack(bars: readonly Bar[]): Frame {
  const rows = [...new Set(bars.map(({ row }) => row))].sort((a, b) => a - b);
  const onRow = rows.map((row) => bars.filter((bar) => bar.row === row).sort((a, b) => a.from - b.from));
  const width = Math.max(...onRow.map((row) => (row.at(-1)?.to ?? 0) - (row[0]?.from ?? 0)));
  // Flames grow upwards, icicles downwards: the outermost bar is the lowest or the highest.
  const carries = (row: readonly Bar[] | undefined) =>
    row?.length === 1 && row[0] !== undefined && row[0].to - row[0].from >= width * 0.999;
  const [top, bottom] = [onRow[0], onRow.at(-1)];
  const grows = carries(bottom) && !(carries(top) && top?.[0]?.frame.name === 'all');
  if (!grows && !carries(top)) throw badProfile('the SVG has no outermost bar that is as wide as all others');
  const ordered = grows ? onRow.reverse() : onRow;
  ordered.slice(1).forEach((row, index) => hang(row, ordered[index] ?? []));
  const root = ordered[0]?.[0]?.frame;
  if (!root) throw badProfile('the SVG has no outermost bar');
  return root;
}

/** Both sorted from left to right, so one walk finds each bar's place. */
function hang(row: readonly Bar[], below: readonly Bar[]): void {
  const slack = 0.02;
  let at = 0;
  for (const bar of row) {
    const middle = (bar.from + bar.to) / 2;
    while (at < below.length - 1 && (below[at]?.to ?? 0) < middle - slack) at++;
    const carrier = below[at];
    if (!carrier || carrier.from > middle + slack || carrier.to < middle - slack)
      throw badProfile(`the bar of ${bar.frame.name} is on no other bar`);
    carrier.frame.children.push(bar.frame);
  }
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#39': "'",
};

function plain(text: string): string {
  return text.replaceAll(/&(#39|[a-z]+);/g, (whole, name: string) => entities[name] ?? whole);
}
