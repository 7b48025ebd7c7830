import { buildElement, byId, setText } from '../dom.ts';
import type { ControlView, Hello, Talk, ToServer } from './messages.ts';

const modeWords: Readonly<Record<Exclude<PageMode, 'watch' | 'other'>, readonly [string, string]>> = {
  agent: ['Agent works', 'You watch. Take control at any time.'],
  idle: ['No one acts', 'An agent may act at any time. So may you: take control.'],
  waiting: ['Waiting for you', 'The agent has a question.'],
  you: ['You drive', 'Agents are refused until you give back.'],
  paused: ['Paused', 'Agents are refused until you let them go on.'],
};

/** Replaces the text about a question. */
const restingText = 'The agent does what you say in the chat.';

/** Shows who has control, and what this person can do about it. */
export function showControl(situation: PageSituation, now: number): PageMode {
  const mode = decideMode(situation, now);
  document.body.dataset.mode = mode;
  const { hands, hello } = situation;
  if (mode === 'watch' || !hands) return mode;
  const holder = hands.holder?.name ?? '';
  const [title, detail] = mode === 'other' ? [`${holder} drives`, 'You watch.'] : modeWords[mode];
  setText(byId('mode'), title);
  const said = describeDetail(mode === 'waiting' && situation.questions === 0 ? restingText : detail, hands);
  setText(byId('detail'), said);
  // A narrow header shows the beginning of the text.
  byId('detail').title = said;
  const can = hello.mayControl;
  const isYours = mode === 'you' || mode === 'paused';
  const asked = hands.requests.some(({ isYou }) => isYou);
  toggleShown('take', can && (mode === 'paused' || !hands.holder || (mode === 'other' && hello.isOwner)));
  setText(byId('take'), mode === 'other' ? `Take control from ${holder}` : 'Take control');
  toggleShown('give', isYours);
  setText(byId('give'), mode === 'paused' ? 'Let the agent go on' : 'Give back');
  toggleShown('pause', can && !hands.holder);
  toggleShown('ask', can && mode === 'other');
  setText(byId('ask'), asked ? 'Take my request back' : 'Ask for control');
  byId('ask').dataset.asked = String(asked);
  toggleShown('driving', isYours);
  byId<HTMLInputElement>('let-watch').checked = hands.holder?.letsWatch ?? false;
  byId<HTMLInputElement>('private').checked = hands.isPrivate;
  showControlRequests(hands);
  return mode;
}

function describeDetail(detail: string, { lookDue, holder }: ControlView): string {
  return lookDue && !holder ? `${detail} The agent looks first.` : detail;
}

function showControlRequests({ requests }: ControlView): void {
  const others = requests.filter(({ isYou }) => !isYou);
  byId('requests').replaceChildren(
    ...others.map(({ name, isPerson, why }) => {
      const who = isPerson ? name : `The agent ${name}`;
      return buildElement(
        'li',
        '',
        why === '' ? `${who} asks for control.` : `${who} asks for control: ${why}`,
      );
    }),
  );
}

function toggleShown(id: string, isShown: boolean): void {
  byId(id).hidden = !isShown;
}

/** Makes the buttons work. */
export function listenToControls(send: (message: ToServer) => void): void {
  const click = (id: string, run: () => void) => byId(id).addEventListener('click', run);
  const isOther = () => document.body.dataset.mode === 'other';
  click('take', () => send({ type: 'take', force: isOther(), pause: false }));
  click('pause', () => send({ type: 'take', force: false, pause: true }));
  click('give', () => send({ type: 'give' }));
  click('ask', () =>
    send(byId('ask').dataset.asked === 'true' ? { type: 'withdraw' } : { type: 'ask', why: '' }),
  );
  byId('let-watch').addEventListener('change', ({ target }) =>
    send({ type: 'let-watch', on: target instanceof HTMLInputElement && target.checked }),
  );
  byId('private').addEventListener('change', ({ target }) =>
    send({ type: 'private', on: target instanceof HTMLInputElement && target.checked }),
  );
}

/** The situation, as the page's frame and its first words show it. */
type PageMode = 'watch' | 'agent' | 'idle' | 'waiting' | 'you' | 'other' | 'paused';

export interface PageSituation {
  readonly hello: Hello;
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
  if (hello.kind !== 'pair' || !hands) return 'watch';
  if (hands.holder?.isYou) return hands.paused ? 'paused' : 'you';
  if (hands.holder) return 'other';
  if (questions > 0 || talk === 'waits') return 'waiting';
  if (talk === 'works') return 'agent';
  return lastStep !== undefined && now - lastStep < workingMs ? 'agent' : 'idle';
}
