import { shorten } from '../../../bridge/lib/index.ts';
import type { Interval } from '../../analysis/index.ts';
import { markup, type Html } from '../../report/index.ts';
import { plain } from './plain.ts';

/** A bar with its interval, from 0 to 1. */
export interface Bar {
  readonly label: string;
  readonly value: Interval;
}

const left = 230;
const width = 520;
const rowHeight = 28;

/** Horizontal bars of shares with their intervals, as a static picture. */
export function barPlot(title: string, bars: readonly Bar[]): Html {
  const x = (share: number) => (left + share * width).toFixed(1);
  const rows = bars.map(({ label, value: { value, low, high } }, i) => {
    const top = i * rowHeight + 6;
    const middle = top + 8;
    return markup`<g>
      <title>${plain(label)}: ${percent(value)}, interval ${percent(low)} to ${percent(high)}</title>
      <text class="plot-label" x="${left - 10}" y="${top + 13}" text-anchor="end">${shortened(label)}</text>
      <rect class="plot-bar" x="${left}" y="${top}" width="${(value * width).toFixed(1)}" height="16" rx="3" />
      <path class="plot-interval" d="M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8" />
      <text class="plot-label" x="${left + width + 12}" y="${top + 13}">${percent(value)}</text>
    </g>`;
  });
  return figure(title, bars.length, [axis(bars.length), ...rows]);
}

/** Parts of a whole, side by side. */
export interface Stack {
  readonly label: string;
  readonly parts: readonly (number | null)[];
}

/** The meaning of a colour: an effect, as everywhere, or any part. */
export type Tone = 'good' | 'none' | 'partial' | 'missed' | 'bad' | `part-${0 | 1 | 2 | 3}`;

/** Horizontal bars of parts whose sum is at most 1. */
export function stackPlot(
  title: string,
  names: readonly (readonly [name: string, tone: Tone])[],
  stacks: readonly Stack[],
): Html {
  const rows = stacks.map(({ label, parts }, i) => {
    const top = i * rowHeight + 6;
    const rects = parts.map((part, j) => {
      const before = parts.slice(0, j).reduce<number>((all, one) => all + (one ?? 0), 0);
      return markup`<rect
        class="plot-${names[j]?.[1]}"
        x="${(left + before * width).toFixed(1)}"
        y="${top}"
        width="${((part ?? 0) * width).toFixed(1)}"
        height="16"
        ><title>${plain(label)}: ${names[j]?.[0]} ${percent(part ?? 0)}</title></rect
      >`;
    });
    return markup`<g>
      <text class="plot-label" x="${left - 10}" y="${top + 13}" text-anchor="end">${shortened(label)}</text>
      ${rects}
    </g>`;
  });
  const keys = names.map(
    ([name, tone]) =>
      markup`<li><svg width="12" height="12" aria-hidden="true"><rect class="plot-${tone}" width="12" height="12" rx="3" /></svg> ${name}</li>`,
  );
  const plot = figure(title, stacks.length, [axis(stacks.length), ...rows]);
  return markup`${plot}<ul class="plot-keys">${keys}</ul>`;
}

function figure(title: string, rows: number, content: readonly Html[]): Html {
  const height = rows * rowHeight + 30;
  return markup`<div class="plot-frame" tabindex="0" role="region" aria-label="${title}"><svg class="plot" viewBox="0 0 ${left + width + 80} ${height}" role="img" aria-label="${title}">${content}</svg></div>`;
}

function axis(rows: number): Html {
  const bottom = rows * rowHeight + 4;
  return markup`${[0, 0.25, 0.5, 0.75, 1].map(
    (at) =>
      markup`<path class="plot-line" d="M${left + at * width} 0V${bottom}" /><text class="plot-label" x="${left + at * width}" y="${bottom + 18}" text-anchor="middle">${at * 100}</text>`,
  )}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Shortens a name to fit beside its bar; the whole name is in the title and in the table. */
function shortened(label: string): string {
  return shorten(plain(label), 28);
}
