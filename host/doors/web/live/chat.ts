import { byId } from '../dom.ts';
import { html, type Html } from '../parts/index.ts';
import type { Hello, PageQuestion, Talk, TalkLine, ToServer } from './messages.ts';

type AnswerMessage = Extract<ToServer, { readonly type: 'answer' }>;

/** A question of an agent, and what became of it. */
interface ShownQuestion extends PageQuestion {
  isOpen: boolean;
  /** Null if it was not answered here. */
  answer: string | null;
}

/** Questions of agents with their answers, and the chat of people and the agent, while this page is open. */
export class ChatPanel {
  readonly #send: (message: ToServer) => void;
  readonly #draw: () => void;
  readonly #entries: (ShownQuestion | TalkLine)[] = [];
  #talk: Talk | null = null;
  /** Number of the newest line that is shown. */
  #newest = -1;
  /** The number of entries that were scrolled to. */
  #revealed = 0;

  constructor(send: (message: ToServer) => void, draw: () => void) {
    [this.#send, this.#draw] = [send, draw];
  }

  /** The number of questions that wait. */
  get waiting(): number {
    return this.#questions.filter(({ isOpen }) => isOpen).length;
  }

  /** Null if the page has no agent. */
  get state(): Talk['state'] | null {
    return this.#talk?.state ?? null;
  }

  get title(): string {
    return this.#talk ? 'Chat' : 'Questions';
  }

  ask(questions: readonly PageQuestion[]): void {
    const open = new Set(questions.map(({ id }) => id));
    const known = new Set(this.#questions.map(({ id }) => id));
    for (const shown of this.#questions) shown.isOpen &&= open.has(shown.id);
    for (const question of questions)
      if (!known.has(question.id)) this.#entries.push({ ...question, isOpen: true, answer: null });
  }

  hear(talk: Talk): void {
    this.#talk = talk;
    this.#entries.push(...talk.lines.filter(({ number }) => number > this.#newest));
    this.#newest = Math.max(this.#newest, ...talk.lines.map(({ number }) => number));
  }

  /** Scrolls to new entries, once they are drawn. */
  reveal(): void {
    if (this.#entries.length > this.#revealed)
      byId('chat-list').lastElementChild?.scrollIntoView({ block: 'nearest' });
    this.#revealed = this.#entries.length;
  }

  panel(hello: Hello | null): Html {
    const talk = this.#talk;
    const empty = talk
      ? `Say what ${talk.agent} is to do.`
      : 'No questions. When an agent asks something, it is shown here, and the agent waits for your answer.';
    return html`<p id="brief" ?hidden="${!hello?.brief}">${hello?.brief}</p>
      <ol id="chat-list" aria-live="polite" aria-label="Questions">
        ${this.#entries.map((entry) => ('wants' in entry ? this.#question(entry, hello) : chatLine(entry)))}
      </ol>
      <p class="nothing" id="chat-none" ?hidden="${this.#entries.length > 0}">${empty}</p>
      <form
        id="say"
        ?hidden="${!talk || !hello?.mayControl || talk.state === 'over'}"
        @submit="${(event: Event) => this.#say(event)}"
      >
        <textarea
          id="say-text"
          rows="2"
          maxlength="10000"
          aria-label="Message to the agent"
          placeholder="Message to the agent"
          @keydown="${submitByEnter}"
        ></textarea>
        <div class="buttons">
          <button type="submit" class="main">Send</button>
          <button
            type="button"
            id="stop"
            ?hidden="${talk?.state !== 'works'}"
            @click="${() => this.#send({ type: 'stop' })}"
          >
            Stop
          </button>
        </div>
      </form>`;
  }

  get #questions(): ShownQuestion[] {
    return this.#entries.filter((entry) => 'wants' in entry);
  }

  #question(question: ShownQuestion, hello: Hello | null): Html {
    const { from, at, text, isOpen, answer } = question;
    return html`<li class="question ${isOpen ? '' : 'closed'}">
      <p class="small">${from}, ${formatClockTime(at)}</p>
      <p class="text">${text}</p>
      ${isOpen && hello?.mayControl && this.#form(question)}
      ${answer !== null && html`<p class="answer">${answer}</p>`}
      ${!isOpen && answer === null && html`<p class="small">No longer open.</p>`}
    </li>`;
  }

  #form(question: ShownQuestion): Html {
    const { wants, choices } = question;
    const hint = wants === 'hands' ? 'A note to the agent, if you like' : 'Your answer';
    const typed = ({ target }: Event) =>
      (target as Element).closest('form')?.querySelector('textarea')?.value ?? '';
    const answer = (how: AnswerMessage['how'], text: string) => this.#answer(question, how, text);
    const submit = (event: Event) => {
      event.preventDefault();
      const text = typed(event);
      if (wants === 'hands') answer('done', text);
      else if (text.trim() !== '') answer('answered', text);
    };
    return html`<form @submit="${submit}">
      <textarea
        rows="2"
        maxlength="10000"
        aria-label="${hint.replace(', if you like', '')}"
        placeholder="${hint}"
        @keydown="${submitByEnter}"
      ></textarea>
      <div class="buttons">
        ${choices.map(
          (choice) =>
            html`<button type="button" @click="${() => answer('answered', choice)}">${choice}</button>`,
        )}
        <button type="submit" class="main">${wants === 'hands' ? 'I have done it' : 'Answer'}</button>
        <button type="button" @click="${(event: Event) => answer('declined', typed(event))}">Decline</button>
      </div>
    </form>`;
  }

  #answer(question: ShownQuestion, how: AnswerMessage['how'], text: string): void {
    this.#send({ type: 'answer', id: question.id, how, text });
    question.isOpen = false;
    question.answer = how === 'declined' ? 'You declined.' : `You: ${text === '' ? 'Done.' : text}`;
    this.#draw();
  }

  #say(event: Event): void {
    event.preventDefault();
    const field = byId<HTMLTextAreaElement>('say-text');
    if (field.value.trim() === '') return;
    this.#send({ type: 'say', text: field.value });
    field.value = '';
  }
}

function chatLine({ by, from, text, at }: TalkLine): Html {
  return html`<li class="line" data-by="${by}">
    <p class="small">${from}, ${formatClockTime(at)}</p>
    <p class="text">${text}</p>
  </li>`;
}

/** Enter sends, and Shift+Enter begins a line. */
function submitByEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  (event.target as HTMLTextAreaElement).form?.requestSubmit();
}

function formatClockTime(at: string | number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
