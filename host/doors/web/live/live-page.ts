import { render } from 'lit-html';
import type { AgentStep } from '../../../../bridge/protocol/index.ts';
import { capitalize } from '../../../../bridge/text/index.ts';
import { byId } from '../dom.ts';
import { ChatPanel } from './chat.ts';
import { PageConnection } from './connection.ts';
import { describeControl } from './control.ts';
import { KeyboardInput } from './keyboard.ts';
import { type LiveActs, liveFrame, type LivePageView, type PageTab } from './live-frame.ts';
import { arrangeMarks, listenToMarks, pointAtMark } from './marks.ts';
import type { ControlView, Hello, LiveLook, ToPage } from './messages.ts';
import { PointerInput } from './pointer.ts';
import { listenToStage, ScreenCanvas, SoundPlayer } from './screen.ts';
import { StatePanel } from './side-panels.ts';

/** Milliseconds for which a failure is shown. */
const noticeMs = 8000;
/** Milliseconds between two checks of the clock: an agent that rests is no longer at work. */
const tickMs = 5000;

/** The page: the messages it has received, and their display. */
class LivePage {
  readonly #name = document.title;
  readonly #connection: PageConnection;
  readonly #chat: ChatPanel;
  readonly #state = new StatePanel(() => this.#draw());
  readonly #acts: LiveActs;
  readonly #screen: ScreenCanvas;
  readonly #keyboard: KeyboardInput;
  readonly #sound: SoundPlayer;
  #hello: Hello | null = null;
  #hands: ControlView | null = null;
  #look: LiveLook | null = null;
  #steps: readonly AgentStep[] = [];
  #trouble: string | null = 'connecting';
  #ended = false;
  #over = '';
  #notice = '';
  #tab: PageTab = 'chat';
  #query = '';
  #showsMarks = false;
  /** The serial of the drawn screen; null before the first one. */
  #serial: number | null = null;
  /** A change of the screen was requested. */
  #isWaiting = false;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;

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
    const focus = () => byId('keys').focus({ preventScroll: true });
    this.#chat = new ChatPanel(send, () => this.#draw());
    this.#acts = {
      send,
      choose: (tab) => this.#choose(tab),
      search: (text) => this.#set(() => (this.#query = text.trim().toLowerCase())),
      showMarks: (on) => this.#set(() => (this.#showsMarks = on)),
      strike: (key, held) => {
        this.#set(() => this.#keyboard.strike(key, held));
        focus();
      },
      toggle: (modifier) => this.#set(() => this.#keyboard.toggle(modifier)),
      holds: (modifier) => this.#keyboard.holds(modifier),
    };
    const driving = { isDriving: () => this.#drives, send };
    const onNotice = (text: string) => this.#say(text);
    const onLeave = () => byId('give').focus();
    this.#keyboard = new KeyboardInput({ ...driving, onNotice, onLeave });
    this.#draw();
    this.#keyboard.listen(byId<HTMLTextAreaElement>('keys'));
    this.#screen = new ScreenCanvas(byId<HTMLCanvasElement>('screen'));
    this.#sound = new SoundPlayer(byId('sound'), send);
    const placeOf = this.#screen.placeOf.bind(this.#screen);
    const places = { surface: byId('stage'), scroller: byId('viewport') };
    new PointerInput({ ...driving, ...places, placeOf, onPress: focus });
    listenToStage(onNotice);
    listenToMarks((id) => {
      this.#choose('list');
      pointAtMark(id, true);
    });
    document.addEventListener('keydown', (event) => this.#shortcut(event));
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && !this.#isWaiting) this.#next();
    });
    setInterval(() => this.#draw(), tickMs);
  }

  get #drives(): boolean {
    return (this.#hands?.holder?.isYou ?? false) && !(this.#hands?.paused ?? false);
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
      this.#over = reason === null ? 'Not connected. Is pwp still running?' : capitalize(reason);
    this.#draw();
  }

  #receive(message: ToPage): void {
    switch (message.type) {
      case 'hello':
        this.#begin(message);
        break;
      case 'look':
        [this.#look, this.#trouble] = [message.look, null];
        this.#state.take(message.look.state);
        break;
      case 'steps':
        this.#steps = message.steps;
        break;
      case 'hands':
        return this.#take(message.hands);
      case 'questions': {
        const before = this.#chat.waiting;
        this.#chat.ask(message.questions);
        if (this.#chat.waiting > before) this.#tab = 'chat';
        break;
      }
      case 'talk':
        this.#chat.hear(message.talk);
        break;
      case 'clipboard':
        return void this.#copy(message.text);
      case 'notice':
        return this.#say(message.text);
      case 'trouble':
        this.#trouble = message.text;
        break;
      case 'ended':
        this.#ended = true;
        this.#connection.end();
        this.#over = 'This sandbox has ended';
        break;
    }
    this.#draw();
  }

  #begin(hello: Hello): void {
    const { kind, width, height } = hello;
    // People who inspect look for marks; for a person who drives, they are in the way.
    if (!this.#hello) this.#showsMarks = kind === 'inspect';
    this.#hello = hello;
    this.#screen.resize(width, height);
    this.#sound.show(hello.hasSound);
    this.#over = '';
    if (kind !== 'pair' && this.#tab === 'chat') this.#tab = 'state';
  }

  #take(hands: ControlView): void {
    const drove = this.#drives;
    this.#hands = hands;
    this.#draw();
    if (this.#drives === drove) return;
    if (this.#drives) byId('keys').focus({ preventScroll: true });
    else if (document.activeElement === byId('keys')) byId('keys').blur();
  }

  async #copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.#say('Your browser did not let this page write to the clipboard.');
    }
  }

  #choose(tab: PageTab): void {
    this.#set(() => (this.#tab = tab));
  }

  #say(text: string): void {
    clearTimeout(this.#noticeTimer);
    this.#set(() => (this.#notice = text));
    this.#noticeTimer = setTimeout(() => this.#set(() => (this.#notice = '')), noticeMs);
  }

  /** Changes something and draws it. */
  #set(change: () => unknown): void {
    change();
    this.#draw();
  }

  #draw(): void {
    const [hello, hands, chat, steps] = [this.#hello, this.#hands, this.#chat, this.#steps];
    const situation = {
      ...{ hello, hands, talk: chat.state, questions: chat.waiting },
      lastStep: steps.findLast(({ by }) => by === 'agent')?.at,
    };
    const control = describeControl(situation, Date.now());
    const { classList, dataset } = document.body;
    Object.assign(dataset, { kind: hello?.kind ?? 'watch', mode: control.mode });
    classList.toggle('plain', !this.#showsMarks);
    const view = {
      ...{
        name: this.#name,
        hello,
        hands,
        control,
        status: this.#status(),
        over: this.#over,
        notice: this.#notice,
      },
      ...{ tab: this.#tab, query: this.#query, showsMarks: this.#showsMarks },
      ...{ look: this.#look, steps, chat, state: this.#state },
    };
    render(liveFrame(view, this.#acts), document.body);
    arrangeMarks();
    chat.reveal();
  }

  #status(): LivePageView['status'] {
    if (this.#ended) return { state: 'ended', words: 'this sandbox has ended' };
    if (this.#trouble !== null) return { state: 'trouble', words: this.#trouble };
    const isWaiting = this.#hello?.kind !== 'watch' && !this.#look;
    return isWaiting ? { state: 'waiting', words: 'waiting for the IDE' } : { state: 'live', words: 'live' };
  }
}

new LivePage();
