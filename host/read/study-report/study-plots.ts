import { plainLine, shorten } from '../../../bridge/text/index.ts';
import type { Interval } from '../analysis/index.ts';
import { type Html, markup } from '../report/index.ts';

/** A bar with its interval, from 0 to 1. */
interface PlotBar {
  readonly label: string;
  readonly value: Interval;
}

const labelWidth = 230;
const plotWidth = 520;
const rowHeight = 28;

/** Horizontal bars of shares with their intervals, as a static picture. */
export function renderBarPlot(title: string, bars: readonly PlotBar[]): Html {
  const x = (share: number) => (labelWidth + share * plotWidth).toFixed(1);
  const rows = bars.map(({ label, value: { value, low, high } }, i) => {
    const top = i * rowHeight + 6;
    const middle = top + 8;
    return markup`<g>
      <title>${plainLine(label)}: ${formatPercent(value)}, interval ${formatPercent(low)} to ${formatPercent(high)}</title>
      <text class="plot-label" x="${labelWidth - 10}" y="${top + 13}" text-anchor="end">${shortenName(label)}</text>
      <rect class="plot-bar" x="${labelWidth}" y="${top}" width="${(value * plotWidth).toFixed(1)}" height="16" rx="3" />
      <path class="plot-interval" d="M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8" />
      <text class="plot-label" x="${labelWidth + plotWidth + 12}" y="${top + 13}">${formatPercent(value)}</text>
    </g>`;
  });
  return renderPlotFigure(title, bars.length, [renderAxis(bars.length), ...rows]);
}

/** Parts of a whole, side by side. */
interface PlotStack {
  readonly label: string;
  readonly parts: readonly (number | null)[];
}

/** The meaning of a colour: an effect, as everywhere, or any part. */
type PlotTone = 'good' | 'none' | 'partial' | 'missed' | 'bad' | `part-${0 | 1 | 2 | 3}`;

/** Horizontal bars of parts whose sum is at most 1. */
export function renderStackPlot(
  title: string,
  names: readonly (readonly [name: string, tone: PlotTone])[],
  stacks: readonly PlotStack[],
): Html {
  const rows = stacks.map(({ label, parts }, i) => {
    const top = i * rowHeight + 6;
    const rects = parts.map((part, j) => {
      const before = parts.slice(0, j).reduce<number>((all, one) => all + (one ?? 0), 0);
      return markup`<rect
        class="plot-${names[j]?.[1]}"
        x="${(labelWidth + before * plotWidth).toFixed(1)}"
        y="${top}"
        width="${((part ?? 0) * plotWidth).toFixed(1)}"
        height="16"
        ><title>${plainLine(label)}: ${names[j]?.[0]} ${formatPercent(part ?? 0)}</title></rect
      >`;
    });
    return markup`<g>
      <text class="plot-label" x="${labelWidth - 10}" y="${top + 13}" text-anchor="end">${shortenName(label)}</text>
      ${rects}
    </g>`;
  });
  const keys = names.map(
    ([name, tone]) =>
      markup`<li><svg width="12" height="12" aria-hidden="true"><rect class="plot-${tone}" width="12" height="12" rx="3" /></svg> ${name}</li>`,
  );
  const plot = renderPlotFigure(title, stacks.length, [renderAxis(stacks.length), ...rows]);
  return markup`${plot}<ul class="plot-keys">${keys}</ul>`;
}

function renderPlotFigure(title: string, rows: number, content: readonly Html[]): Html {
  const height = rows * rowHeight + 30;
  return markup`<div class="plot-frame" tabindex="0" role="region" aria-label="${title}"><svg class="plot" viewBox="0 0 ${labelWidth + plotWidth + 80} ${height}" role="img" aria-label="${title}">${content}</svg></div>`;
}

function renderAxis(rows: number): Html {
  const bottom = rows * rowHeight + 4;
  return markup`${[0, 0.25, 0.5, 0.75, 1].map(
    (at) =>
      markup`<path class="plot-line" d="M${labelWidth + at * plotWidth} 0V${bottom}" /><text class="plot-label" x="${labelWidth + at * plotWidth}" y="${bottom + 18}" text-anchor="middle">${at * 100}</text>`,
  )}`;
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Shortens a name to fit beside its bar; the whole name is in the title and in the table. */
function shortenName(label: string): string {
  return shorten(plainLine(label), 28);
}
