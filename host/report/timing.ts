import type { EventOf } from '../record/index.ts';
import { duration } from './format.ts';
import { markup, type Html } from './markup.ts';

type Step = EventOf<'step'>;

/** The parts of a step's time, as one bar and its legend. */
export function timing({ timing: spent }: Step): Html {
  const { actMs, settleMs, screenshotMs, marksMs, totalMs } = spent;
  const parts = [
    { name: 'Act', ms: actMs },
    { name: 'Settle', ms: settleMs },
    { name: 'Screenshot', ms: screenshotMs },
    { name: 'Marks', ms: marksMs },
  ];
  return markup`<section class="fact timing">
    <h4>Time <b>${duration(totalMs)}</b></h4>
    ${bar(parts, totalMs)}
    <ul class="legend">
      ${parts.map(({ name, ms }, index) => markup`<li class="part-${index}">${name} <b>${duration(ms)}</b></li>`)}
    </ul>
  </section>`;
}

function bar(parts: readonly { name: string; ms: number }[], totalMs: number): Html {
  const whole = Math.max(
    totalMs,
    parts.reduce((sum, { ms }) => sum + ms, 0),
  );
  let x = 0;
  const rects = parts.map(({ ms }, index) => {
    const width = whole === 0 ? 0 : (ms / whole) * 100;
    const rect = markup`<rect
      class="part-${index}"
      x="${x.toFixed(2)}"
      width="${width.toFixed(2)}"
      height="4"
    />`;
    x += width;
    return rect;
  });
  return markup`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    ${rects}
  </svg>`;
}

/** How long the desktop took to settle, or what was still busy if it never did. */
export function settling({ settled }: Step): Html {
  const { ms, reason, busy } = settled;
  if (reason === 'quiet')
    return markup`<section class="fact">
      <h4>Settled</h4>
      <p>Quiet after ${duration(ms)}${busy.length > 0 && `, except for long-running activity: ${busy.join(', ')}`}.</p>
    </section>`;
  return markup`<section class="fact">
    <h4>Settled</h4>
    <p><strong class="tone-partial">Still busy after ${duration(ms)}</strong>, so the wait was ended.</p>
    ${
      busy.length > 0 &&
      markup`<ul class="chips">
        ${busy.map((what) => markup`<li>${what}</li>`)}
      </ul>`
    }
  </section>`;
}
