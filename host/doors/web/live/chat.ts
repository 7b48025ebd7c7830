import { buildElement, byId, setText } from '../dom.ts';
import type { Hello, PageQuestion, Talk, TalkLine, ToServer } from './messages.ts';

type AnswerMessage = Extract<ToServer, { readonly type: 'answer' }>;

/** Questions of agents with their answers, while this page is open. */
export class QuestionPanel {
  readonly #send: (answer: AnswerMessage) => void;
  readonly #mayAnswer: () => boolean;
  readonly #items = new Map<string, HTMLElement>();
  #open = new Set<string>();

  constructor(send: (answer: AnswerMessage) => void, mayAnswer: () => boolean) {
    this.#send = send;
    this.#mayAnswer = mayAnswer;
  }

  /** Questions that wait. */
  get waiting(): number {
    return this.#open.size;
  }

  show(questions: readonly PageQuestion[]): void {
    const open = new Set(questions.map(({ id }) => id));
    for (const question of questions) {
      if (this.#items.has(question.id)) continue;
      const item = this.#itemOf(question);
      this.#items.set(question.id, item);
      byId('chat-list').append(item);
      item.scrollIntoView({ block: 'nearest' });
    }
    for (const [id, item] of this.#items) if (this.#open.has(id) && !open.has(id)) closeQuestion(item, '');
    this.#open = open;
    if (this.#items.size > 0) byId('chat-none').hidden = true;
    byId('chat-count').textContent = open.size > 0 ? String(open.size) : '';
  }

  #itemOf(question: PageQuestion): HTMLElement {
    const item = buildElement('li', 'question');
    const head = buildElement('p', 'small', `${question.from}, ${formatClockTime(question.at)}`);
    item.append(head, buildElement('p', 'text', question.text));
    if (this.#mayAnswer()) item.append(this.#formOf(question, item));
    return item;
  }

  #formOf({ id, wants, choices }: PageQuestion, item: HTMLElement): HTMLElement {
    const form = buildElement('form');
    const field = buildElement('textarea');
    field.rows = 2;
    field.maxLength = 10_000;
    field.ariaLabel = wants === 'hands' ? 'A note to the agent' : 'Your answer';
    field.placeholder = wants === 'hands' ? 'A note to the agent, if you like' : 'Your answer';
    const answer = (how: AnswerMessage['how'], text: string) => {
      this.#send({ type: 'answer', id, how, text });
      closeQuestion(item, how === 'declined' ? 'You declined.' : `You: ${text === '' ? 'Done.' : text}`);
      this.#open.delete(id);
    };
    const buttons = buildElement('div', 'buttons');
    for (const choice of choices) buttons.append(makeButton(choice, () => answer('answered', choice)));
    if (wants === 'hands')
      buttons.append(makeButton('I have done it', () => answer('done', field.value), true));
    else buttons.append(makeSubmitButton('Answer'));
    buttons.append(makeButton('Decline', () => answer('declined', field.value)));
    form.append(field, buttons);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (wants === 'hands') answer('done', field.value);
      else if (field.value.trim() !== '') answer('answered', field.value);
    });
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    return form;
  }
}

function closeQuestion(item: HTMLElement, words: string): void {
  item.querySelector('form')?.remove();
  item.classList.add('closed');
  if (words !== '') item.append(buildElement('p', 'answer', words));
  else if (!item.querySelector('.answer')) item.append(buildElement('p', 'small', 'No longer open.'));
}

function makeButton(text: string, run: () => void, isMain = false): HTMLButtonElement {
  const made = buildElement('button', isMain ? 'main' : '', text);
  made.type = 'button';
  made.addEventListener('click', run);
  return made;
}

function makeSubmitButton(text: string): HTMLButtonElement {
  const made = buildElement('button', 'main', text);
  made.type = 'submit';
  return made;
}

function formatClockTime(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** The chat of people and the agent, besides the questions, and the field for a new message. */
export class ChatPanel {
  readonly #send: (message: ToServer) => void;
  #talk: Talk | null = null;
  /** Number of the newest line that is shown. */
  #shown = -1;

  constructor(send: (message: ToServer) => void) {
    this.#send = send;
    const field = byId<HTMLTextAreaElement>('say-text');
    byId('say').addEventListener('submit', (event) => {
      event.preventDefault();
      if (field.value.trim() === '') return;
      this.#send({ type: 'say', text: field.value });
      field.value = '';
    });
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      byId<HTMLFormElement>('say').requestSubmit();
    });
    byId('stop').addEventListener('click', () => this.#send({ type: 'stop' }));
  }

  /** Null if the page has no agent. */
  get state(): Talk['state'] | null {
    return this.#talk?.state ?? null;
  }

  show(talk: Talk, { mayControl }: Pick<Hello, 'mayControl'>): void {
    if (!this.#talk) setText(byId('tab-chat-label'), 'Chat');
    this.#talk = talk;
    for (const line of talk.lines) {
      if (line.number <= this.#shown) continue;
      this.#shown = line.number;
      const item = makeChatRow(line);
      byId('chat-list').append(item);
      item.scrollIntoView({ block: 'nearest' });
    }
    setText(byId('chat-none'), `Say what ${talk.agent} is to do.`);
    if (talk.lines.length > 0) byId('chat-none').hidden = true;
    const isOver = talk.state === 'over';
    byId('say').hidden = !mayControl || isOver;
    byId('stop').hidden = talk.state !== 'works';
  }
}

function makeChatRow({ by, from, text, at }: TalkLine): HTMLElement {
  const row = buildElement('li', 'line');
  row.dataset.by = by;
  const time = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  row.append(buildElement('p', 'small', `${from}, ${time}`), buildElement('p', 'text', text));
  return row;
}
