import type { RecordedEffect } from '../record/index.ts';
import { markup, type Html } from './markup.ts';

interface Look {
  readonly sign: string;
  readonly word: string;
  readonly tone: 'good' | 'partial' | 'bad' | 'none';
  readonly meaning: string;
}

const looks: Readonly<Record<RecordedEffect, Look>> = {
  confirmed: { sign: '✓', word: 'Confirmed', tone: 'good', meaning: 'It was seen to happen' },
  partial: { sign: '◐', word: 'Partial', tone: 'partial', meaning: 'Part of it was seen to happen' },
  'no-effect': { sign: '∅', word: 'No effect', tone: 'bad', meaning: 'Nothing was seen to happen' },
  unverifiable: {
    sign: '?',
    word: 'Unverifiable',
    tone: 'none',
    meaning: 'It could not be checked',
  },
  refused: { sign: '✕', word: 'Refused', tone: 'bad', meaning: 'It was not tried' },
};

/** A badge that needs no colour to be read. */
export function badge(effect: RecordedEffect): Html {
  const { sign, word, tone, meaning } = looks[effect];
  return markup`<span class="badge ${tone}" title="${meaning}"
    ><span aria-hidden="true">${sign}</span> ${word}</span
  >`;
}

const order: readonly RecordedEffect[] = ['refused', 'no-effect', 'partial', 'unverifiable', 'confirmed'];

/** The effect to show for a whole step: the worst of its actions. Null if it had none. */
export function worst(effects: readonly RecordedEffect[]): RecordedEffect | null {
  return order.find((effect) => effects.includes(effect)) ?? null;
}

/** A step's effect as a dot on its thumbnail. */
export function dot(effect: RecordedEffect | null): Html | null {
  if (effect === null) return null;
  const { sign, word, tone } = looks[effect];
  return markup`<span class="dot ${tone}" title="${word}"><span aria-hidden="true">${sign}</span></span>`;
}

export function effectWord(effect: RecordedEffect): string {
  return looks[effect].word.toLowerCase();
}
