import type { Tone } from '../parts/index.ts';
import type { AttemptLine, AttemptState } from './study-data.ts';

interface StateSign {
  readonly sign: string;
  readonly word: string;
  readonly tone: Tone;
}

export const stateSigns: Readonly<Record<AttemptState, StateSign>> = {
  passed: { sign: '✓', word: 'passed', tone: 'good' },
  partial: { sign: '◐', word: 'partly passed', tone: 'partial' },
  failed: { sign: '✕', word: 'failed', tone: 'bad' },
  suspect: { sign: '!', word: 'suspect score', tone: 'partial' },
  unscored: { sign: '–', word: 'no score', tone: 'none' },
  open: { sign: '…', word: 'not over', tone: 'none' },
};

/** An attempt in one line. */
export function formatAttemptTitle({ task, agent, model, number: which }: AttemptLine): string {
  return `${task}, ${agent}${model === null ? '' : ` with ${model}`}, attempt ${which}`;
}

/** A failure mode or an effect in words. */
export function formatKebabName(name: string): string {
  return name.replaceAll('-', ' ');
}
