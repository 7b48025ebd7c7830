import * as z from 'zod';
import type { RecordedAction } from './actions.ts';
import type { EventOf } from './events.ts';

/** An agent's actions after an action that was silently skipped. */
export const afterSuppressed = ['repeated', 'other', 'nothing'] as const;
export type AfterSuppressed = (typeof afterSuppressed)[number];

export const suppression = z.object({
  step: z.int().positive(),
  then: z
    .enum(afterSuppressed)
    .describe(
      `repeated: the same action is in one of the three steps that followed; other: it is not; nothing: no step followed`,
    ),
});
export type Suppression = z.output<typeof suppression>;

/** The number of steps that count: an agent may look before it tries again. */
const within = 3;

/** Null if no action was suppressed. */
export function suppressionOf(steps: readonly EventOf<'step'>[]): Suppression | null {
  for (const [i, { step, outcomes }] of steps.entries()) {
    const suppressed = outcomes.find((one) => one.suppressed);
    if (!suppressed) continue;
    const following = steps.slice(i + 1, i + 1 + within);
    const tried = following.flatMap((one) => [...one.outcomes.map(({ action }) => action), ...one.skipped]);
    if (following.length === 0) return { step, then: 'nothing' };
    return { step, then: tried.some((action) => isSame(action, suppressed.action)) ? 'repeated' : 'other' };
  }
  return null;
}

function isSame(one: RecordedAction, other: RecordedAction): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
