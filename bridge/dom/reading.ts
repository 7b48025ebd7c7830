import { deadline, describeError } from '../lib/index.ts';
import type { Box, Mark, UnreadPart } from '../protocol/index.ts';
import { clip } from '../text/index.ts';
import type { BrowserPage, DocumentWorld } from './browser-page.ts';
import { pageAnswers } from './page-answers.ts';
import type { ForeignFrame, FramePlace, Located, Reading, ReadingRequest } from './page/index.ts';

/** Milliseconds that a frame of another origin has to answer. */
const FRAME_MS = 1000;
/** Maximum number of frames of other origins that are asked. */
const MAX_FRAMES = 16;
/** Milliseconds of their own that the page's document may take, and one in a frame: on a busy machine up to four times. */
const BUDGET_MS = { page: 1500, frame: 500 };

/** The way from the page's own document to one in a frame of another origin. */
type FramePath = readonly {
  readonly parent: DocumentWorld;
  readonly key: number;
  readonly world: DocumentWorld;
}[];

export interface PageReading extends Omit<Reading, 'frames' | 'cut' | 'slowdown'> {
  /** Not all was read. */
  readonly truncated: boolean;
  readonly unread: readonly UnreadPart[];
  /** The document of each mark. */
  readonly spots: ReadonlyMap<number, FramePath>;
}

type PageReadingRequest = Omit<ReadingRequest, 'place' | 'budgetMs'>;

/** Reads a page with its frames of other origins; each of them has its own time limit. */
export async function readPage(
  page: BrowserPage,
  request: PageReadingRequest,
  signal: AbortSignal,
): Promise<PageReading> {
  const { frames, ...top } = await observeDocument(page.world, { ...request, place: null }, signal);
  const whole = new ReadingInProgress(page, request, top);
  await whole.addFrames(frames, page.world, [], signal);
  return whole.result();
}

/** Where a mark is now, looked up through the frames around it. */
export async function locateMarkInPage(
  page: BrowserPage,
  mark: number,
  path: FramePath,
  signal: AbortSignal,
): Promise<Located> {
  let place: FramePlace = null;
  for (const { parent, key } of path) {
    const frames: readonly ForeignFrame[] = await parent.call(
      `frames(${JSON.stringify(place)})`,
      pageAnswers.frames,
      signal,
    );
    place = frames.find((frame) => frame.key === key)?.place ?? null;
    if (!place) return { gone: 'its frame is gone' };
  }
  const world = path.at(-1)?.world ?? page.world;
  if (path.length > 0 && world.stuck) return { gone: 'its frame does not answer' };
  const found = await world.call(`locate(${mark}, ${JSON.stringify(place)})`, pageAnswers.locate, signal);
  if ('gone' in found) return found;
  const [shown] = await askFramesAround(path, [found.point], signal);
  return shown ? found : { gone: 'the element is covered' };
}

const cutReasons = {
  many: 'it has more elements than are read',
  late: 'the machine is busy, and there was no time for the rest of it',
} as const;

class ReadingInProgress {
  readonly #page: BrowserPage;
  readonly #request: PageReadingRequest;
  readonly #unread: UnreadPart[] = [];
  readonly #spots = new Map<number, FramePath>();
  readonly #slowdown: number;
  #reading: Omit<Reading, 'frames' | 'cut' | 'slowdown'>;
  #frames = 0;
  #truncated = false;

  constructor(
    page: BrowserPage,
    request: PageReadingRequest,
    { cut, slowdown, ...top }: Omit<Reading, 'frames'>,
  ) {
    this.#page = page;
    this.#request = request;
    this.#reading = top;
    this.#slowdown = slowdown;
    this.#noteCut('page', cut, null);
    for (const { id } of top.marks) this.#spots.set(id, []);
  }

  result(): PageReading {
    const unread = this.#unread.slice(0, 50);
    return { ...this.#reading, truncated: this.#truncated, unread, spots: this.#spots };
  }

  #noteCut(what: string, cut: Reading['cut'], box: Box | null): void {
    if (cut === null) return;
    this.#truncated = true;
    this.#unread.push({ what, why: cutReasons[cut], box, ...(cut === 'late' && { late: true }) });
  }

  async addFrames(
    frames: readonly ForeignFrame[],
    parent: DocumentWorld,
    path: FramePath,
    signal: AbortSignal,
  ): Promise<void> {
    for (const frame of frames) {
      try {
        const inner = await this.#addFrame(frame, parent, path, signal);
        if (inner) await this.addFrames(inner.frames, inner.world, inner.path, signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#unread.push({
          what: frame.name,
          why: clip(describeError(error), 300),
          box: boxAroundFrame(frame),
        });
      }
    }
  }

  async #addFrame(frame: ForeignFrame, parent: DocumentWorld, path: FramePath, signal: AbortSignal) {
    if (++this.#frames > MAX_FRAMES) throw new Error(`more than ${MAX_FRAMES} frames of other origins`);
    using limit = deadline('the answer', FRAME_MS * this.#slowdown, signal);
    const world = await this.#page.worldIn(parent, frame.key, limit.signal);
    if (!world) return undefined;
    if (world.stuck) throw new Error('it still owes its last answer');
    const below = [...path, { parent, key: frame.key, world }];
    const { frames, ...reading } = await observeDocument(world, this.#requestFor(frame), limit.signal);
    await this.#merge(frame, reading, below, limit.signal);
    this.#noteCut(frame.name, reading.cut, boxAroundFrame(frame));
    return { frames, world, path: below };
  }

  #requestFor({ place, inside }: ForeignFrame): Omit<ReadingRequest, 'budgetMs'> {
    const { within, ...query } = this.#request;
    const limit = Math.max(0, this.#request.limit - this.#reading.marks.length);
    return { ...query, ...(!inside && { within }), limit, nextId: this.#reading.nextId, place };
  }

  async #merge(
    { focused }: ForeignFrame,
    inner: Omit<Reading, 'frames'>,
    path: FramePath,
    signal: AbortSignal,
  ): Promise<void> {
    const shown = await askFramesAround(path, inner.marks.map(findBoxCentre), signal);
    const marks = inner.marks.filter((_, i) => shown[i]);
    for (const { id } of marks) this.#spots.set(id, path);
    const outer = this.#reading;
    this.#reading = {
      ...outer,
      marks: [...outer.marks, ...marks],
      omitted: outer.omitted + inner.omitted,
      nextId: inner.nextId,
      ...(focused && { focus: inner.focus ?? outer.focus, caret: inner.caret }),
    };
  }
}

function observeDocument(
  world: DocumentWorld,
  request: Omit<ReadingRequest, 'budgetMs'>,
  signal: AbortSignal,
) {
  const budgetMs = request.place ? BUDGET_MS.frame : BUDGET_MS.page;
  const whole: ReadingRequest = { ...request, budgetMs };
  return world.call(`observe(${JSON.stringify(whole)})`, pageAnswers.observe, signal);
}

/** A document can't know what covers its frame: those around it are asked. */
async function askFramesAround(
  path: FramePath,
  points: readonly { x: number; y: number }[],
  signal: AbortSignal,
): Promise<boolean[]> {
  let shown = points.map(() => true);
  if (points.length === 0) return shown;
  for (const { parent, key } of path) {
    const here = await parent.call(`shows(${key}, ${JSON.stringify(points)})`, pageAnswers.shows, signal);
    shown = shown.map((so, i) => so && here[i] === true);
  }
  return shown;
}

function findBoxCentre({ box }: Mark): { x: number; y: number } {
  return { x: Math.floor(box.x + box.width / 2), y: Math.floor(box.y + box.height / 2) };
}

function boxAroundFrame({ place: { clip } }: ForeignFrame): Box {
  return {
    x: clip.left,
    y: clip.top,
    width: Math.max(0, clip.right - clip.left),
    height: Math.max(0, clip.bottom - clip.top),
  };
}
