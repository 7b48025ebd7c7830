import type { DomProbe, DragState, Point } from '../../bridge/protocol/index.ts';
import type { InputCommand, InputResult, Sandbox } from '../node/index.ts';
import { awaitPage } from './arrival.ts';

/** The longest wait for each answer, in milliseconds: that a press arrives, and that a drag begins, continues, ends. */
const answerMs = 1500;
/** A pointer that moves less than this has not begun to drag, in pixels. */
const leastMove = 8;
/** The accuracy of places that the page reports, in pixels. */
const placeMargin = 2;

type Played = Pick<InputResult, 'failure' | 'locations'>;

/**
 * Plays input, and when it drags something, such as a file or a tab, gives the browser the time that it needs. Input
 * that comes too soon is lost: a drag begins a while after the pointer has moved, it then sees only moves, and a drop
 * before the page has answered has no target. All other input is played at once.
 * @param before what was seen of the page before; undefined if it is not known
 */
export async function playDrags(
  sandbox: Sandbox,
  commands: readonly InputCommand[],
  before: DomProbe | undefined,
  signal: AbortSignal,
): Promise<Played> {
  if (!before || !(before.drag.held || commands.some(isDown))) return sandbox.input(commands, { signal });
  const dragging = new Dragging(sandbox, before, signal);
  const locations: Point[] = [];
  for (const part of partsOf(commands)) {
    const played = await dragging.play(part);
    locations.push(...played.locations);
    if (played.failure) return { locations, failure: played.failure };
  }
  return { locations, failure: undefined };
}

class Dragging {
  readonly #sandbox: Sandbox;
  readonly #signal: AbortSignal;
  #page: DomProbe;
  /** Where the button went down; undefined if that was before this input. */
  #from: Point | undefined;

  constructor(sandbox: Sandbox, page: DomProbe, signal: AbortSignal) {
    this.#sandbox = sandbox;
    this.#page = page;
    this.#signal = signal;
  }

  async play(part: readonly InputCommand[]): Promise<Played> {
    const { drag } = this.#page;
    const drops = part.some(isUp) && drag.on;
    const moves = drag.held && part.some(({ kind }) => kind === 'move');
    // A press on a tab shows it. While that is under way, no drag begins.
    if (moves && !drag.on)
      await this.#sandbox.settle({ capMs: answerMs, pointerOnly: false, signal: this.#signal });
    const played = await this.#sandbox.input(part, { signal: this.#signal });
    if (played.failure) return played;
    if (part.some(isDown)) await this.#pressed(drag);
    else if (drops) await this.#dropped(drag);
    else if (moves) await this.#moved();
    return played;
  }

  /** A drag is over when the window that the browser draws at the pointer is gone: until then, no other drag begins. */
  async #dropped(before: DragState): Promise<void> {
    await this.#await(({ ended }) => ended > before.ended);
    await this.#sandbox.input([{ kind: 'flush' }], { signal: this.#signal });
  }

  async #pressed(before: DragState): Promise<void> {
    await this.#await(({ presses, away }) => away || presses > before.presses);
    this.#from = this.#page.drag.held ? await this.#locate() : undefined;
  }

  /** Asks the page often enough what it takes at that place for the browser to know its answer. */
  async #moved(): Promise<void> {
    const at = await this.#locate();
    if (!at || (this.#from && isNear(at, this.#from, leastMove))) return;
    if (!(await this.#await(({ on }) => on))) return;
    for (const x of nudges) {
      const { overs: before } = this.#page.drag;
      await this.#sandbox.input([{ kind: 'move', x, y: 0, relative: true }], { signal: this.#signal });
      const isAsked = ({ over, overs }: DragState) =>
        over !== null && isNear(over, at, placeMargin) && overs > before;
      if (!(await this.#await(isAsked))) return;
    }
  }

  /** Where the pointer is. */
  async #locate(): Promise<Point | undefined> {
    const played = await this.#sandbox.input([{ kind: 'locate' }], { signal: this.#signal });
    return played.locations[0];
  }

  async #await(hasCome: (drag: DragState) => boolean): Promise<boolean> {
    const isOver = ({ drag }: DomProbe) => hasCome(drag);
    const seen = await awaitPage(this.#sandbox, this.#page, isOver, answerMs, this.#signal);
    if (seen) this.#page = seen;
    return seen !== undefined && isOver(seen);
  }
}

/**
 * Moves after which the pointer is where it was. At each, the browser learns the page's answer to the one before, and
 * the first one enters the element there: a drop before the browser has learnt that it is allowed is lost.
 */
const nudges = [1, -1, 1, -1];

/** Presses, releases, and what is between them. */
function partsOf(commands: readonly InputCommand[]): InputCommand[][] {
  const parts: InputCommand[][] = [[]];
  for (const command of commands) {
    if (isUp(command)) parts.push([]);
    parts.at(-1)?.push(command);
    if (isUp(command) || isDown(command)) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

function isDown(command: InputCommand): boolean {
  return command.kind === 'button' && command.button === 1 && command.action === 'down';
}

function isUp(command: InputCommand): boolean {
  return command.kind === 'button' && command.button === 1 && command.action === 'up';
}

function isNear(one: Point, other: Point, margin: number): boolean {
  return Math.abs(one.x - other.x) <= margin && Math.abs(one.y - other.y) <= margin;
}
