import type { ControlView, Hello, Talk } from './messages.ts';

const modeWords: Readonly<Record<Exclude<PageMode, 'watch' | 'other'>, readonly [string, string]>> = {
  agent: ['Agent works', 'You watch. Take control at any time.'],
  idle: ['No one acts', 'An agent may act at any time. So may you: take control.'],
  waiting: ['Waiting for you', 'The agent has a question.'],
  you: ['You drive', 'Agents are refused until you give back.'],
  paused: ['Paused', 'Agents are refused until you let them go on.'],
};

/** Replaces the text about a question. */
const restingText = 'The agent does what you say in the chat.';

/** Who has control, in words, and what this person can do about it. */
export interface ShownControl {
  readonly mode: PageMode;
  readonly title: string;
  readonly detail: string;
  /** The texts of buttons; null for those that are not shown. */
  readonly take: string | null;
  readonly give: string | null;
  readonly pause: string | null;
  readonly ask: string | null;
  /** Whether this person's request is the one that waits. */
  readonly hasAsked: boolean;
  readonly isDriving: boolean;
  readonly requests: readonly string[];
}

export function describeControl(situation: PageSituation, now: number): ShownControl {
  const mode = decideMode(situation, now);
  const { hands, hello, questions } = situation;
  const none = { take: null, give: null, pause: null, ask: null };
  const nothing = { title: '', detail: '', ...none, hasAsked: false, isDriving: false, requests: [] };
  if (mode === 'watch' || !hands || !hello) return { mode, ...nothing };
  const { holder, lookDue, requests } = hands;
  const name = holder?.name ?? '';
  const [title, said] = mode === 'other' ? [`${name} drives`, 'You watch.'] : modeWords[mode];
  const detail = mode === 'waiting' && questions === 0 ? restingText : said;
  const can = hello.mayControl;
  const isDriving = mode === 'you' || mode === 'paused';
  const hasAsked = requests.some(({ isYou }) => isYou);
  const mayTake = can && (mode === 'paused' || !holder || (mode === 'other' && hello.isOwner));
  return {
    ...{ mode, title, detail: lookDue && !holder ? `${detail} The agent looks first.` : detail },
    take: mayTake ? (mode === 'other' ? `Take control from ${name}` : 'Take control') : null,
    give: isDriving ? (mode === 'paused' ? 'Let the agent go on' : 'Give back') : null,
    pause: can && !holder ? 'Pause the agent' : null,
    ask: can && mode === 'other' ? (hasAsked ? 'Take my request back' : 'Ask for control') : null,
    ...{ hasAsked, isDriving },
    requests: requests
      .filter(({ isYou }) => !isYou)
      .map(({ name: by, isPerson, why }) => {
        const who = isPerson ? by : `The agent ${by}`;
        return why === '' ? `${who} asks for control.` : `${who} asks for control: ${why}`;
      }),
  };
}

/** The situation, as the page's frame and its first words show it. */
type PageMode = 'watch' | 'agent' | 'idle' | 'waiting' | 'you' | 'other' | 'paused';

export interface PageSituation {
  readonly hello: Hello | null;
  readonly hands: ControlView | null;
  /** The state of the agent that people on this page talk with; null without one. */
  readonly talk: Talk['state'] | null;
  /** Questions without an answer. */
  readonly questions: number;
  /** Milliseconds since 1970 of the newest step; undefined before the first one. */
  readonly lastStep: number | undefined;
}

/** An agent is at work if its last step is at most this many milliseconds old. */
const workingMs = 20_000;

export function decideMode(
  { hello, hands, talk, questions, lastStep }: PageSituation,
  now: number,
): PageMode {
  if (hello?.kind !== 'pair' || !hands) return 'watch';
  if (hands.holder?.isYou) return hands.paused ? 'paused' : 'you';
  if (hands.holder) return 'other';
  if (questions > 0 || talk === 'waits') return 'waiting';
  if (talk === 'works') return 'agent';
  return lastStep !== undefined && now - lastStep < workingMs ? 'agent' : 'idle';
}
