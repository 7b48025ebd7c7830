import { plainLine as plain } from '../../../../bridge/text/index.ts';
import { buildElement } from '../dom.ts';
import type { AttemptLine, AttemptState } from './study-data.ts';

interface WordSign {
  readonly sign: string;
  readonly word: string;
  readonly tone: string;
}

export const stateSigns: Readonly<Record<AttemptState, WordSign>> = {
  passed: { sign: '✓', word: 'passed', tone: 'good' },
  partial: { sign: '◐', word: 'partly passed', tone: 'partial' },
  failed: { sign: '✕', word: 'failed', tone: 'bad' },
  suspect: { sign: '!', word: 'suspect score', tone: 'partial' },
  unscored: { sign: '–', word: 'no score', tone: 'none' },
  open: { sign: '…', word: 'not over', tone: 'none' },
};

const effectSigns: Readonly<Record<string, WordSign>> = {
  confirmed: { sign: '✓', word: 'confirmed', tone: 'good' },
  partial: { sign: '◐', word: 'partial', tone: 'partial' },
  'no-effect': { sign: '∅', word: 'no effect', tone: 'bad' },
  unverifiable: { sign: '?', word: 'unverifiable', tone: 'none' },
  refused: { sign: '✕', word: 'refused', tone: 'bad' },
};

/** An effect as a sign that needs no colour. */
export function makeEffectDot(effect: string | null): HTMLElement | null {
  const look = effect === null ? undefined : effectSigns[effect];
  if (!look) return null;
  const element = buildElement('span', `dot ${look.tone}`, look.sign);
  element.title = look.word;
  element.role = 'img';
  element.ariaLabel = look.word;
  return element;
}

export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

export function integerText(value: number): string {
  return value.toLocaleString('en-US');
}

export function countText(value: number, one: string): string {
  return `${integerText(value)} ${one}${value === 1 ? '' : 's'}`;
}

/** An attempt in one line. */
export function formatAttemptTitle({ task, agent, model, number: which }: AttemptLine): string {
  return plain(`${task}, ${agent}${model === null ? '' : ` with ${model}`}, attempt ${which}`);
}

/** A failure mode or an effect in words. */
export function formatKebabName(name: string): string {
  return plain(name.replaceAll('-', ' '));
}
