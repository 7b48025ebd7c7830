import { shorten } from '../../../../bridge/text/index.ts';
import type { Interval } from '../../../read/index.ts';
import { html, type Html, svg, type Tone } from '../parts/index.ts';

/** A bar with its interval, from 0 to 1. */
export interface PlotBar {
  readonly label: string;
  readonly value: Interval;
}

const labelWidth = 230;
const plotWidth = 520;
const rowHeight = 28;

/** Horizontal bars of shares with their intervals, as a static picture. */
export function barPlot(title: string, bars: readonly PlotBar[]): Html {
  const x = (share: number) => (labelWidth + share * plotWidth).toFixed(1);
  const rows = bars.map(({ label, value: { value, low, high } }, i) => {
    const top = i * rowHeight + 6;
    const middle = top + 8;
    return svg`<g>
      <title>${label}: ${formatPercent(value)}, interval ${formatPercent(low)} to ${formatPercent(high)}</title>
      ${rowLabel(label, top)}
      <rect class="fill part-1" x="${labelWidth}" y="${top}" width="${(value * plotWidth).toFixed(1)}" height="16" rx="3" />
      <path class="plot-interval" d="M${x(low)} ${middle}H${x(high)}M${x(low)} ${middle - 4}v8M${x(high)} ${middle - 4}v8" />
      <text class="plot-label" x="${labelWidth + plotWidth + 12}" y="${top + 13}">${formatPercent(value)}</text>
    </g>`;
  });
  return plotFigure(title, rows);
}

/** Parts of a whole, side by side. */
export interface PlotStack {
  readonly label: string;
  readonly parts: readonly (number | null)[];
}

/** The meaning of a colour: an effect, as everywhere, or any part. */
export type PlotTone = Tone | 'bad missed' | `part-${0 | 1 | 2 | 3}`;

/** Horizontal bars of parts whose sum is at most 1. */
export function stackPlot(
  title: string,
  names: readonly (readonly [name: string, tone: PlotTone])[],
  stacks: readonly PlotStack[],
): Html {
  const rows = stacks.map(({ label, parts }, i) => {
    const top = i * rowHeight + 6;
    const rects = names.map(([name, tone], j) => {
      const before = parts.slice(0, j).reduce<number>((all, one) => all + (one ?? 0), 0);
      const part = parts[j] ?? 0;
      return svg`<rect
        class="fill ${tone}"
        x="${(labelWidth + before * plotWidth).toFixed(1)}"
        y="${top}"
        width="${(part * plotWidth).toFixed(1)}"
        height="16"
        ><title>${label}: ${name} ${formatPercent(part)}</title></rect
      >`;
    });
    return svg`<g>${rowLabel(label, top)} ${rects}</g>`;
  });
  return html`${plotFigure(title, rows)}
    <ul class="plot-keys">
      ${names.map(
        ([name, tone]) =>
          html`<li>
            <svg width="12" height="12" aria-hidden="true">
              <rect class="fill ${tone}" width="12" height="12" rx="3" />
            </svg>
            ${name}
          </li>`,
      )}
    </ul>`;
}

/** A name, shortened to fit beside its bar; the whole name is in the title and in the table. */
function rowLabel(label: string, top: number): Html {
  return svg`<text class="plot-label" x="${labelWidth - 10}" y="${top + 13}" text-anchor="end">${shorten(label, 28)}</text>`;
}

function plotFigure(title: string, rows: readonly Html[]): Html {
  const bottom = rows.length * rowHeight + 4;
  const axis = [0, 0.25, 0.5, 0.75, 1].map((at) => {
    const x = labelWidth + at * plotWidth;
    return svg`<path class="plot-line" d="M${x} 0V${bottom}" /><text class="plot-label" x="${x}" y="${bottom + 18}" text-anchor="middle">${at * 100}</text>`;
  });
  return html`<div class="plot-frame" tabindex="0" role="region" aria-label="${title}">
    <svg
      class="plot"
      viewBox="0 0 ${labelWidth + plotWidth + 80} ${bottom + 26}"
      role="img"
      aria-label="${title}"
    >
      ${axis}${rows}
    </svg>
  </div>`;
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
