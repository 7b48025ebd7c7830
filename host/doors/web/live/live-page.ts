import type { AgentStep } from '../../../../bridge/protocol/index.ts';
import { byId, setText } from '../dom.ts';
import { ChatPanel, QuestionPanel } from './chat.ts';
import { PageConnection } from './connection.ts';
import { listenToControls, showControl } from './control.ts';
import { KeyboardInput } from './keyboard.ts';
import { listenToMarks, pointAtMark, showMarks } from './marks.ts';
import type { ControlView, Hello, LiveLook, Modifier, PageQuestion, ToPage } from './messages.ts';
import { PointerInput } from './pointer.ts';
import { listenToStage, ScreenCanvas, SoundPlayer } from './screen.ts';
import { showState, showSteps } from './side-panels.ts';

/** Milliseconds for which a failure is shown. */
const noticeMs = 8000;
/** Milliseconds between two checks of the clock: an agent that rests is no longer at work. */
const tickMs = 5000;
const pageTabs = ['chat', 'steps', 'state', 'list'] as const;
type PageTab = (typeof pageTabs)[number];

/** The page: the messages it has received, and their display. */
class LivePage {
  readonly #screen = new ScreenCanvas(byId<HTMLCanvasElement>('screen'));
  readonly #connection: PageConnection;
  readonly #keyboard: KeyboardInput;
  readonly #chat: QuestionPanel;
  readonly #talk: ChatPanel;
  readonly #sound: SoundPlayer;
  #hello: Hello | null = null;
  #hands: ControlView | null = null;
  #look: LiveLook | null = null;
  #steps: readonly AgentStep[] = [];
  #trouble: string | null = 'connecting';
  #ended = false;
  /** The serial of the drawn screen; null before the first one. */
  #serial: number | null = null;
  /** A change of the screen was requested. */
  #isWaiting = false;
  #notice: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#connection = new PageConnection({
      onMessage: (message) => this.#receive(message),
      onUpdate: (head, bytes) => {
        this.#serial = head.serial;
        // The next change is on its way while this one is drawn.
        this.#next();
        void this.#screen.draw(head, bytes);
      },
      onSound: (head, bytes) => this.#sound.play(head, bytes),
      onOpen: () => this.#opened(),
      onClosed: (reason) => this.#closed(reason),
    });
    const send = this.#connection.send.bind(this.#connection);
    this.#talk = new ChatPanel(send);
    this.#sound = new SoundPlayer(byId('sound'), send);
    this.#chat = new QuestionPanel(send, () => this.#hello?.mayControl ?? false);
    const field = byId<HTMLTextAreaElement>('keys');
    const surface = byId('stage');
    const driving = { isDriving: () => this.#drives, send };
    const onNotice = (text: string) => this.#say(text);
    this.#keyboard = new KeyboardInput({ ...driving, field, onNotice, onLeave: () => byId('give').focus() });
    const placeOf = this.#screen.placeOf.bind(this.#screen);
    const focus = () => field.focus({ preventScroll: true });
    new PointerInput({ ...driving, surface, scroller: byId('viewport'), placeOf, onPress: focus });
    field.addEventListener('focus', () => document.body.classList.add('typing'));
    field.addEventListener('blur', () => document.body.classList.remove('typing'));
    listenToControls(send);
    listenToStage(onNotice);
    listenToMarks((id) => {
      this.#choose('list');
      pointAtMark(id, true);
    });
    byId('end').addEventListener('click', () => send({ type: 'end' }));
    this.#listen(focus);
    setInterval(() => this.#showHands(), tickMs);
  }

  get #drives(): boolean {
    return (this.#hands?.holder?.isYou ?? false) && !(this.#hands?.paused ?? false);
  }

  #listen(focus: () => void): void {
    byId('search').addEventListener('input', () => this.#showSide());
    byId('overlay').addEventListener('change', () => this.#showSide());
    for (const tab of pageTabs) byId(`tab-${tab}`).addEventListener('click', () => this.#choose(tab));
    byId('tabs').addEventListener('keydown', (event) => this.#walkTabs(event));
    for (const button of document.querySelectorAll<HTMLElement>('[data-key]'))
      button.addEventListener('click', () => {
        const held = (button.dataset.held ?? '').split(' ').filter((each) => each !== '') as Modifier[];
        this.#keyboard.strike(button.dataset.key ?? '', held);
        this.#showSticky();
        focus();
      });
    for (const button of document.querySelectorAll<HTMLElement>('[data-hold]'))
      button.addEventListener('click', () => {
        this.#keyboard.toggle(button.dataset.hold as Modifier);
        this.#showSticky();
      });
    document.addEventListener('keydown', (event) => this.#shortcut(event));
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && !this.#isWaiting) this.#next();
    });
  }

  #shortcut(event: KeyboardEvent): void {
    const { target } = event;
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) {
      if (target === byId('search') && event.key === 'Escape') target.blur();
      if (target instanceof HTMLTextAreaElement || target.type === 'search') return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'm') byId('overlay').click();
    if (event.key !== '/' || this.#hello?.kind === 'watch') return;
    event.preventDefault();
    byId<HTMLInputElement>('search').select();
  }

  #walkTabs(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    const shown = pageTabs.filter((tab) => !byId(`tab-${tab}`).hidden);
    const at = shown.findIndex((tab) => byId(`tab-${tab}`) === document.activeElement);
    const next = shown[(at + by + shown.length) % shown.length];
    if (next === undefined) return;
    this.#choose(next);
    byId(`tab-${next}`).focus();
  }

  #showSticky(): void {
    for (const button of document.querySelectorAll<HTMLElement>('[data-hold]'))
      button.setAttribute('aria-pressed', String(this.#keyboard.holds(button.dataset.hold as Modifier)));
  }

  #opened(): void {
    this.#trouble = null;
    this.#serial = null;
    this.#next();
  }

  /** Asks for the next change of the screen, except while the page is hidden. */
  #next(): void {
    this.#isWaiting = !document.hidden;
    if (this.#isWaiting) this.#connection.send({ type: 'next', after: this.#serial });
  }

  #closed(reason: string | null): void {
    this.#hands = null;
    this.#trouble = 'not connected';
    if (!this.#ended)
      showOver(reason === null ? 'Not connected. Is pwp still running?' : capitalizeText(reason));
    this.#showHands();
    this.#showStatus();
  }

  #receive(message: ToPage): void {
    switch (message.type) {
      case 'hello':
        this.#begin(message);
        break;
      case 'look':
        [this.#look, this.#trouble] = [message.look, null];
        this.#showSide();
        break;
      case 'steps':
        this.#steps = message.steps;
        showSteps(this.#steps, this.#query);
        break;
      case 'hands':
        this.#take(message.hands);
        break;
      case 'questions':
        this.#ask(message.questions);
        break;
      case 'talk':
        if (this.#hello) this.#talk.show(message.talk, this.#hello);
        break;
      case 'clipboard':
        void this.#copy(message.text);
        break;
      case 'notice':
        this.#say(message.text);
        break;
      case 'trouble':
        this.#trouble = message.text;
        break;
      case 'ended':
        this.#ended = true;
        this.#connection.end();
        showOver('This sandbox has ended');
        break;
    }
    this.#showHands();
    this.#showStatus();
  }

  #begin(hello: Hello): void {
    const { kind, title, width, height } = hello;
    // People who inspect look for marks; for a person who drives, they are in the way.
    if (!this.#hello) byId<HTMLInputElement>('overlay').checked = kind === 'inspect';
    this.#hello = hello;
    document.body.dataset.kind = kind;
    this.#screen.resize(width, height);
    this.#sound.show(hello.hasSound);
    this.#showSide();
    showOver('');
    byId('stage').style.setProperty('--width', String(width));
    byId('stage').style.setProperty('--height', String(height));
    setText(byId('brief'), hello.brief);
    byId('brief').hidden = hello.brief === '';
    byId('end').hidden = !hello.mayEnd;
    byId('screen').ariaLabel = `The screen of ${title}, live`;
    byId('tab-chat').hidden = kind !== 'pair';
    if (kind !== 'pair' && !byId('chat').hidden) this.#choose('state');
  }

  #take(hands: ControlView): void {
    const drove = this.#drives;
    this.#hands = hands;
    if (this.#drives === drove) return;
    if (this.#drives) byId('keys').focus({ preventScroll: true });
    else if (document.activeElement === byId('keys')) byId('keys').blur();
  }

  #ask(questions: readonly PageQuestion[]): void {
    const before = this.#chat.waiting;
    this.#chat.show(questions);
    if (this.#chat.waiting > before) this.#choose('chat');
  }

  async #copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.#say('Your browser did not let this page write to the clipboard.');
    }
  }

  get #query(): string {
    return byId<HTMLInputElement>('search').value.trim().toLowerCase();
  }

  #choose(name: PageTab): void {
    for (const tab of pageTabs) {
      byId(tab).hidden = tab !== name;
      byId(`tab-${tab}`).setAttribute('aria-selected', String(tab === name));
      byId(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
    }
    byId('search').hidden = name === 'chat';
  }

  #showSide(): void {
    document.body.classList.toggle('plain', !byId<HTMLInputElement>('overlay').checked);
    showSteps(this.#steps, this.#query);
    if (!this.#look) return;
    showState(this.#look.state, this.#query);
    showMarks(this.#look, this.#query);
    const { focus, title } = this.#look.seen;
    const where = focus ? ` · focus on ${focus.role} ${JSON.stringify(focus.name)}` : '';
    setText(byId('focus'), title + where);
  }

  #showHands(): void {
    if (!this.#hello) return;
    const lastStep = this.#steps.findLast(({ by }) => by === 'agent')?.at;
    const questions = this.#chat.waiting;
    const { state: talk } = this.#talk;
    showControl({ hello: this.#hello, hands: this.#hands, talk, questions, lastStep }, Date.now());
  }

  #showStatus(): void {
    const status = byId('status');
    const isWaiting = this.#hello?.kind !== 'watch' && !this.#look;
    status.dataset.state = this.#ended ? 'ended' : this.#trouble ? 'trouble' : isWaiting ? 'waiting' : 'live';
    const words = this.#trouble ?? (isWaiting ? 'waiting for the IDE' : 'live');
    setText(status, this.#ended ? 'this sandbox has ended' : words);
  }

  #say(text: string): void {
    clearTimeout(this.#notice);
    byId('notice').hidden = false;
    setText(byId('notice'), text);
    this.#notice = setTimeout(() => (byId('notice').hidden = true), noticeMs);
  }
}

/** Shows over the screen why there is nothing to see; an empty text hides it. */
function showOver(text: string): void {
  setText(byId('over'), text);
  byId('over').hidden = text === '';
}

function capitalizeText(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

new LivePage();
