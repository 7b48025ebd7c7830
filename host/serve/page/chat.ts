import { byId, make } from '../../page/index.ts';
import type { Question, ToServer } from './message.ts';

type Answer = Extract<ToServer, { readonly type: 'answer' }>;

/** Questions of agents with their answers, while this page is open. */
export class Chat {
  readonly #send: (answer: Answer) => void;
  readonly #mayAnswer: () => boolean;
  readonly #items = new Map<string, HTMLElement>();
  #open = new Set<string>();

  constructor(send: (answer: Answer) => void, mayAnswer: () => boolean) {
    this.#send = send;
    this.#mayAnswer = mayAnswer;
  }

  /** Questions that wait. */
  get waiting(): number {
    return this.#open.size;
  }

  show(questions: readonly Question[]): void {
    const open = new Set(questions.map(({ id }) => id));
    for (const question of questions) {
      if (this.#items.has(question.id)) continue;
      const item = this.#itemOf(question);
      this.#items.set(question.id, item);
      byId('chat-list').append(item);
      item.scrollIntoView({ block: 'nearest' });
    }
    for (const [id, item] of this.#items) if (this.#open.has(id) && !open.has(id)) close(item, '');
    this.#open = open;
    if (this.#items.size > 0) byId('chat-none').hidden = true;
    byId('chat-count').textContent = open.size > 0 ? String(open.size) : '';
  }

  #itemOf(question: Question): HTMLElement {
    const item = make('li', 'question');
    const head = make('p', 'small', `${question.from}, ${timeOf(question.at)}`);
    item.append(head, make('p', 'text', question.text));
    if (this.#mayAnswer()) item.append(this.#formOf(question, item));
    return item;
  }

  #formOf({ id, wants, choices }: Question, item: HTMLElement): HTMLElement {
    const form = make('form');
    const field = make('textarea');
    field.rows = 2;
    field.maxLength = 10_000;
    field.ariaLabel = wants === 'hands' ? 'A note to the agent' : 'Your answer';
    field.placeholder = wants === 'hands' ? 'A note to the agent, if you like' : 'Your answer';
    const answer = (how: Answer['how'], text: string) => {
      this.#send({ type: 'answer', id, how, text });
      close(item, how === 'declined' ? 'You declined.' : `You: ${text === '' ? 'Done.' : text}`);
      this.#open.delete(id);
    };
    const buttons = make('div', 'buttons');
    for (const choice of choices) buttons.append(button(choice, () => answer('answered', choice)));
    if (wants === 'hands') buttons.append(button('I have done it', () => answer('done', field.value), true));
    else buttons.append(submit('Answer'));
    buttons.append(button('Decline', () => answer('declined', field.value)));
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

function close(item: HTMLElement, words: string): void {
  item.querySelector('form')?.remove();
  item.classList.add('closed');
  if (words !== '') item.append(make('p', 'answer', words));
  else if (!item.querySelector('.answer')) item.append(make('p', 'small', 'No longer open.'));
}

function button(text: string, run: () => void, isMain = false): HTMLButtonElement {
  const made = make('button', isMain ? 'main' : '', text);
  made.type = 'button';
  made.addEventListener('click', run);
  return made;
}

function submit(text: string): HTMLButtonElement {
  const made = make('button', 'main', text);
  made.type = 'submit';
  return made;
}

function timeOf(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
