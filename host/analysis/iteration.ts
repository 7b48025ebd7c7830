import type { Call } from './calls.ts';
import { editOf } from './edits.ts';

/** IDE-Bench's kinds: an edit succeeded; edits were tried, but all failed; no edit was tried. */
export const iterationKinds = ['productive', 'non-productive', 'exploration'] as const;
export type IterationKind = (typeof iterationKinds)[number];

export function iterationKind(calls: readonly Call[]): IterationKind {
  const edits = calls.flatMap((call) => editOf(call) ?? []);
  if (edits.length === 0) return 'exploration';
  return edits.some(({ success }) => success) ? 'productive' : 'non-productive';
}
