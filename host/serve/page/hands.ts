import { byId, make, setText } from '../../page/index.ts';
import type { Hands, ToServer } from './message.ts';
import { modeOf, type Mode, type Situation } from './situation.ts';

const words: Readonly<Record<Exclude<Mode, 'watch' | 'other'>, readonly [string, string]>> = {
  agent: ['Agent works', 'You watch. Take control at any time.'],
  idle: ['No one acts', 'An agent may act at any time. So may you: take control.'],
  waiting: ['Waiting for you', 'The agent has a question.'],
  you: ['You drive', 'Agents are refused until you give back.'],
  paused: ['Paused', 'Agents are refused until you let them go on.'],
};

/** Replaces the text about a question. */
const rests = 'The agent does what you say in the chat.';

/** Shows who has control, and what this person can do about it. */
export function showHands(situation: Situation, now: number): Mode {
  const mode = modeOf(situation, now);
  document.body.dataset.mode = mode;
  const { hands, hello } = situation;
  if (mode === 'watch' || !hands) return mode;
  const holder = hands.holder?.name ?? '';
  const [title, detail] = mode === 'other' ? [`${holder} drives`, 'You watch.'] : words[mode];
  setText(byId('mode'), title);
  const said = detailOf(mode === 'waiting' && situation.questions === 0 ? rests : detail, hands);
  setText(byId('detail'), said);
  // A narrow header shows the beginning of the text.
  byId('detail').title = said;
  const can = hello.mayControl;
  const isYours = mode === 'you' || mode === 'paused';
  const asked = hands.requests.some(({ isYou }) => isYou);
  show('take', can && (mode === 'paused' || !hands.holder || (mode === 'other' && hello.isOwner)));
  setText(byId('take'), mode === 'other' ? `Take control from ${holder}` : 'Take control');
  show('give', isYours);
  setText(byId('give'), mode === 'paused' ? 'Let the agent go on' : 'Give back');
  show('pause', can && !hands.holder);
  show('ask', can && mode === 'other');
  setText(byId('ask'), asked ? 'Take my request back' : 'Ask for control');
  byId('ask').dataset.asked = String(asked);
  show('driving', isYours);
  byId<HTMLInputElement>('let-watch').checked = hands.holder?.letsWatch ?? false;
  byId<HTMLInputElement>('private').checked = hands.isPrivate;
  showRequests(hands);
  return mode;
}

function detailOf(detail: string, { lookDue, holder }: Hands): string {
  return lookDue && !holder ? `${detail} The agent looks first.` : detail;
}

function showRequests({ requests }: Hands): void {
  const others = requests.filter(({ isYou }) => !isYou);
  byId('requests').replaceChildren(
    ...others.map(({ name, isPerson, why }) => {
      const who = isPerson ? name : `The agent ${name}`;
      return make('li', '', why === '' ? `${who} asks for control.` : `${who} asks for control: ${why}`);
    }),
  );
}

function show(id: string, isShown: boolean): void {
  byId(id).hidden = !isShown;
}

/** Makes the buttons work. */
export function listenToHands(send: (message: ToServer) => void): void {
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
