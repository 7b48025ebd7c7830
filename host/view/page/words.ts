import { plainLine as plain } from '../../../bridge/text/index.ts';
import { make } from '../../page/index.ts';
import type { AttemptLine, AttemptState } from './data.ts';

interface Look {
  readonly sign: string;
  readonly word: string;
  readonly tone: string;
}

export const states: Readonly<Record<AttemptState, Look>> = {
  passed: { sign: '✓', word: 'passed', tone: 'good' },
  partial: { sign: '◐', word: 'partly passed', tone: 'partial' },
  failed: { sign: '✕', word: 'failed', tone: 'bad' },
  suspect: { sign: '!', word: 'suspect score', tone: 'partial' },
  unscored: { sign: '–', word: 'no score', tone: 'none' },
  open: { sign: '…', word: 'not over', tone: 'none' },
};

const effects: Readonly<Record<string, Look>> = {
  confirmed: { sign: '✓', word: 'confirmed', tone: 'good' },
  partial: { sign: '◐', word: 'partial', tone: 'partial' },
  'no-effect': { sign: '∅', word: 'no effect', tone: 'bad' },
  unverifiable: { sign: '?', word: 'unverifiable', tone: 'none' },
  refused: { sign: '✕', word: 'refused', tone: 'bad' },
};

/** An effect as a sign that needs no colour. */
export function dot(effect: string | null): HTMLElement | null {
  const look = effect === null ? undefined : effects[effect];
  if (!look) return null;
  const element = make('span', `dot ${look.tone}`, look.sign);
  element.title = look.word;
  element.role = 'img';
  element.ariaLabel = look.word;
  return element;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

export function count(value: number, one: string): string {
  return `${number(value)} ${one}${value === 1 ? '' : 's'}`;
}

/** An attempt in one line. */
export function title({ task, agent, model, number: which }: AttemptLine): string {
  return plain(`${task}, ${agent}${model === null ? '' : ` with ${model}`}, attempt ${which}`);
}

/** A failure mode or an effect in words. */
export function words(name: string): string {
  return plain(name.replaceAll('-', ' '));
}

export { plainLine as plain } from '../../../bridge/text/index.ts';
