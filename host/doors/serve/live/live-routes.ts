import { pause } from '../../../../bridge/lib/index.ts';
import type { PersonStep } from '../../../ide/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import type { PageVisit } from '../../../run/index.ts';
import type { Hello, PageKind, ToServer } from '../../web/index.ts';
import type { Visitor } from '../access.ts';
import { type Routes, sendPage } from '../server.ts';
import type { SocketHandler } from '../sockets.ts';
import { sendControl, sendQuestions, sendSteps, SoundFeed } from './feeds.ts';
import { LookFeed } from './look-feed.ts';
import { PageChannel } from './page-channel.ts';
import { type LiveScreen, ScreenFeed, screenRoutes, type ScreenSource } from './screen-feed.ts';
import { type AgentTalk, sendTalk, ViewerConnection } from './viewer-connection.ts';

/** A page (`/`) that shows a screen live, and the screen for programs. */
export function watchRoutes(source: ScreenSource): Routes {
  return makePageRoutes(source, (socket, visitor, signal) =>
    serveScreen(source, new PageChannel(socket), visitor, signal),
  );
}

/** The same with an IDE's marks, state and steps. */
export function inspectRoutes(source: Omit<IdeSource, 'person'>): Routes {
  const named = { ...source, person: '' };
  return makePageRoutes(source, (socket, visitor, signal) =>
    serveIde('inspect', named, new PageChannel(socket), visitor, signal),
  );
}

/** The same, with which a person can also take control, give it back, and answer agents. */
export function pairRoutes(source: IdeSource): Routes {
  return makePageRoutes(source, (socket, visitor, signal) =>
    serveIde('pair', source, new PageChannel(socket), visitor, signal),
  );
}

function makePageRoutes(source: ScreenSource, socket: SocketHandler): Routes {
  return {
    ...screenRoutes(source),
    '/': {
      shared: true,
      GET: (_, response) => sendPage(response, 'live', source.title),
    },
    '/live': { shared: true, socket },
  };
}

/** Milliseconds between two checks whether the sandbox still exists: they cost more than a look at the screen. */
const endCheckMs = 2000;

/** Serves one page that shows only a screen. Resolves when the screen is gone. */
async function serveScreen(
  source: ScreenSource,
  channel: PageChannel,
  visitor: Visitor,
  signal: AbortSignal,
): Promise<void> {
  const feed = new ScreenFeed(source, channel);
  channel.onMessage((message) => {
    if (message.type === 'next') feed.next(message.after);
  });
  sendHello(channel, 'watch', source, await source.open(signal), visitor);
  await raceFeeds([(within) => feed.run(within), (within) => untilEnded(source, within)], signal);
  channel.send({ type: 'ended' });
}

/** Serves one page that also shows marks, state and steps. Resolves when the sandbox has ended. */
async function serveIde(
  kind: Exclude<PageKind, 'watch'>,
  source: IdeSource,
  channel: PageChannel,
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
  sendHello(channel, kind, source, sandbox, visitor);
  const name = visitor.isOwner ? source.person : 'Guest';
  const { rights, address } = visitor;
  source.onVisit?.({ name, rights, address, cameAt: new Date().toISOString() });
  const feeds: PageFeed[] = [
    (within) => screen.run(within),
    (within) => looks.run(within),
    (within) => sound.run(sandbox, within),
    (within) => sendSteps(sandbox, channel, within),
    (within) => untilEnded(source, within),
  ];
  await using seat =
    kind === 'pair' ? new ViewerConnection({ sandbox, name, visitor, channel, source }) : undefined;
  if (seat) {
    receive = (message) => passMessage(seat, message);
    early.forEach(receive);
    feeds.push(
      (within) => sendControl(sandbox, seat, within),
      (within) => sendQuestions(sandbox, channel, within),
    );
    const { talk } = source;
    if (talk) feeds.push((within) => sendTalk(talk, channel, within));
  }
  await raceFeeds(feeds, signal);
  channel.send({ type: 'ended' });
}

type PageFeed = (signal: AbortSignal) => Promise<void>;

/** Runs all until the first is over, and ends the others. */
async function raceFeeds(feeds: readonly PageFeed[], signal: AbortSignal): Promise<void> {
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
  while (!(await hasEnded?.(signal))) await pause(endCheckMs, signal);
}

interface IdeSource extends ScreenSource<Sandbox> {
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

function passMessage(seat: ViewerConnection, message: ToServer): void {
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

function sendHello(
  channel: PageChannel,
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
