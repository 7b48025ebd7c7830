import type { Hands, Hello, Talk } from './message.ts';

/** The situation, as the page's frame and its first words show it. */
export type Mode = 'watch' | 'agent' | 'idle' | 'waiting' | 'you' | 'other' | 'paused';

export interface Situation {
  readonly hello: Hello;
  readonly hands: Hands | null;
  /** The state of the agent that people on this page talk with; null without one. */
  readonly talk: Talk['state'] | null;
  /** Questions without an answer. */
  readonly questions: number;
  /** Milliseconds since 1970 of the newest step; undefined before the first one. */
  readonly lastStep: number | undefined;
}

/** An agent is at work if its last step is at most this many milliseconds old. */
const workingMs = 20_000;

export function modeOf({ hello, hands, talk, questions, lastStep }: Situation, now: number): Mode {
  if (hello.kind !== 'pair' || !hands) return 'watch';
  if (hands.holder?.isYou) return hands.paused ? 'paused' : 'you';
  if (hands.holder) return 'other';
  if (questions > 0 || talk === 'waits') return 'waiting';
  if (talk === 'works') return 'agent';
  return lastStep !== undefined && now - lastStep < workingMs ? 'agent' : 'idle';
}
