import { byId, make, setText } from '../../page/index.ts';
import type { Hello, Talk, TalkLine, ToServer } from './message.ts';

/** The chat of people and the agent, besides the questions, and the field for a new message. */
export class Conversation {
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
      const item = rowOf(line);
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

function rowOf({ by, from, text, at }: TalkLine): HTMLElement {
  const row = make('li', 'line');
  row.dataset.by = by;
  const time = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  row.append(make('p', 'small', `${from}, ${time}`), make('p', 'text', text));
  return row;
}
