import { pause } from '../../../bridge/lib/index.ts';
import type { PersonStep } from '../../env/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { Rights, Visitor } from '../links.ts';
import type { Hello, PageKind, ToServer } from '../page/index.ts';
import type { LiveScreen, ScreenSource } from '../screen.ts';
import type { Channel } from './channel.ts';
import { sendHands, sendQuestions } from './hands-feed.ts';
import { LookFeed } from './look-feed.ts';
import { ScreenFeed } from './screen-feed.ts';
import { SoundFeed } from './sound-feed.ts';
import { Seat } from './seat.ts';
import { sendSteps } from './steps-feed.ts';
import { sendTalk, type AgentTalk } from './talk-feed.ts';

/** Milliseconds between two checks whether the sandbox still exists: they cost more than a look at the screen. */
const askMs = 2000;

/** Serves one page that shows only a screen. Resolves when the screen is gone. */
export async function serveScreen(
  source: ScreenSource,
  channel: Channel,
  visitor: Visitor,
  signal: AbortSignal,
): Promise<void> {
  const feed = new ScreenFeed(source, channel);
  channel.onMessage((message) => {
    if (message.type === 'next') feed.next(message.after);
  });
  greet(channel, 'watch', source, await source.open(signal), visitor);
  await first([(within) => feed.run(within), (within) => untilEnded(source, within)], signal);
  channel.send({ type: 'ended' });
}

/** Serves one page that also shows marks, state and steps. Resolves when the sandbox has ended. */
export async function serveIde(
  kind: Exclude<PageKind, 'watch'>,
  source: IdeSource,
  channel: Channel,
  visitor: Visitor,
  signal: AbortSignal,
): Promise<void> {
  const [screen, looks] = [new ScreenFeed(source, channel), new LookFeed(source, channel)];
  const sound = new SoundFeed(channel);
  const early: ToServer[] = [];
  let receive = (message: ToServer): void => void early.push(message);
  channel.onMessage((message) => {
    if (message.type === 'next') screen.next(message.after);
    else if (message.type === 'hear') sound.hear(message.on);
    else receive(message);
  });
  const sandbox = await source.open(signal);
  greet(channel, kind, source, sandbox, visitor);
  const name = visitor.isOwner ? source.person : 'Guest';
  const { rights, address } = visitor;
  source.onVisit?.({ name, rights, address, cameAt: new Date().toISOString() });
  const feeds: Feed[] = [
    (within) => screen.run(within),
    (within) => looks.run(within),
    (within) => sound.run(sandbox, within),
    (within) => sendSteps(sandbox, channel, within),
    (within) => untilEnded(source, within),
  ];
  await using seat = kind === 'pair' ? new Seat({ sandbox, name, visitor, channel, source }) : undefined;
  if (seat) {
    receive = (message) => act(seat, message);
    early.forEach(receive);
    feeds.push(
      (within) => sendHands(sandbox, seat, within),
      (within) => sendQuestions(sandbox, channel, within),
    );
    const { talk } = source;
    if (talk) feeds.push((within) => sendTalk(talk, channel, within));
  }
  await first(feeds, signal);
  channel.send({ type: 'ended' });
}

type Feed = (signal: AbortSignal) => Promise<void>;

/** Runs all until the first is over, and ends the others. */
async function first(feeds: readonly Feed[], signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const within = AbortSignal.any([signal, over.signal]);
  const running = feeds.map((feed) => feed(within));
  try {
    await Promise.race(running);
  } finally {
    over.abort();
    await Promise.allSettled(running);
  }
}

/** Polls for the end: a still screen sends nothing, and may be still for ever. */
async function untilEnded({ hasEnded }: ScreenSource, signal: AbortSignal): Promise<void> {
  while (!(await hasEnded?.(signal))) await pause(askMs, signal);
}

/** A person who has opened the page. */
export interface PageVisit {
  readonly name: string;
  readonly rights: Rights;
  /** IP address; empty if they have already gone. */
  readonly address: string;
  /** ISO 8601, UTC. */
  readonly cameAt: string;
}

export interface IdeSource extends ScreenSource<Sandbox> {
  /** Name of the person who has the server's own address. */
  readonly person: string;
  /** The agent that people on this page talk with. Default: no agent. */
  readonly talk?: AgentTalk | undefined;
  /** The task, for people. Default: no text. */
  readonly brief?: string | undefined;
  /** Called when the person who has the server's own address ends the session. Default: they can't. */
  readonly onEnd?: (() => void) | undefined;
  /** Called for each person who opens the page, and for each page that reconnects. */
  readonly onVisit?: ((visit: PageVisit) => void) | undefined;
  /** Called with each step of people who drive. */
  readonly onPersonStep?: ((step: PersonStep) => void) | undefined;
  /** Whether programs may look while a person drives, until that person changes it. Default false. */
  readonly letWatch?: boolean | undefined;
}

function act(seat: Seat, message: ToServer): void {
  switch (message.type) {
    case 'next':
    case 'hear':
      return;
    case 'take':
    case 'give':
    case 'ask':
    case 'withdraw':
    case 'let-watch':
    case 'private':
    case 'answer':
    case 'say':
    case 'stop':
    case 'end':
      return seat.wish(message);
    default:
      return seat.play(message);
  }
}

function greet(
  channel: Channel,
  kind: PageKind,
  { title, brief = '', onEnd }: ScreenSource & Pick<Partial<IdeSource>, 'brief' | 'onEnd'>,
  { display }: LiveScreen,
  visitor: Visitor,
): void {
  const { width, height } = display;
  const mayControl = kind === 'pair' && visitor.rights === 'control';
  const { isOwner } = visitor;
  const mayEnd = isOwner && onEnd !== undefined;
  const hasSound = kind !== 'watch' && (display.audio ?? false);
  const hello: Hello = {
    ...{ type: 'hello', kind, title, brief, width, height, hasSound },
    ...{ mayControl, isOwner, mayEnd },
  };
  channel.send(hello);
}
