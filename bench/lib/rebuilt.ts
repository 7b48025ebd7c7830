import type { TypedText } from '../../host/ide/effect/evidence.ts';

/**
 * The text after `sent` was typed into it, according to the effect. If the effect is right, this is the whole text.
 */
export function rebuilt(before: string, sent: string, typed: TypedText): string {
  const { line, column, replaced, differences } = typed;
  const above = before.split('\n').slice(0, line - 1);
  const offset = above.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  const landed = applyDifferences(sent, differences);
  return before.slice(0, offset) + landed + before.slice(offset + replaced.length);
}

/** The text that arrived, computed from the sent text and the reported differences. */
export function applyDifferences(sent: string, differences: TypedText['differences']): string {
  let landed = '';
  let at = 0;
  for (const { at: place, missing, added } of differences) {
    landed += sent.slice(at, place) + added;
    at = place + missing.length;
  }
  return landed + sent.slice(at);
}
