import { pause } from '../../../bridge/lib/index.ts';
import { dom, type DomProbe, type DragState, type Point } from '../../../bridge/protocol/index.ts';
import type { InputCommand, InputResult, Sandbox } from '../../node/index.ts';
import { endsWithCommand } from '../actions/index.ts';
import { compareEvidence, type Evidence, takeEvidence } from '../effect/index.ts';

/** VS Code has this many milliseconds to answer; then it gets the next input anyway. */
const fieldAnswerMs = 3000;
/** The view that a command opens may take this many times as long, while the IDE is busy. */
const openRounds = 3;
/** The last character of a file's name, and a line or a symbol after it; not `>Git: Pull`, which is a command. */
const placeInFile = /[^\s>:#(@](?=(?:[:#(]\d+(?:[:,#]\d+)?\)?|@[^@]*)$)/u;
/** Between two characters, where each has to be looked up: a file dialog of VS Code's takes 20 ms in a small folder. */
const lookUpMs = 60;

/**
 * Plays input as fast as VS Code can take it: all at once, except for input that relies on its answer: keys after text
 * choose what the text has found, and text goes to what the keys before it have opened.
 * @param page the last look at the page; undefined if it is not known
 */
export async function playPaced(
  sandbox: Sandbox,
  commands: readonly InputCommand[],
  page: Evidence['page'],
  signal: AbortSignal,
): Promise<Pick<InputResult, 'failure' | 'locations'>> {
  const locations: InputResult['locations'][number][] = [];
  const look = () => takeEvidence(sandbox, { text: false, points: [] }, undefined, signal);
  /** Plays the first piece, as much as the field takes at once, and returns the rest. */
  const play = async ([piece = [], ...rest]: readonly InputPiece[], paced: FieldPace) => {
    const [now, ...later] = splitByPace(piece, paced);
    const played = await playDrags(sandbox, now, page, signal);
    locations.push(...played.locations);
    return { last: now, left: [...later, ...rest], failure: played.failure };
  };
  const pieces = splitTextFromKeys(commands);
  let before = pieces.length > 1 && endsWithCommand(pieces[0] ?? []) ? await look() : undefined;
  let { last, left, failure } = await play(pieces, page?.paced ?? null);
  while (left.length > 0 && !failure) {
    await sandbox.input([{ kind: 'flush' }], { signal });
    let seen = await look();
    const typed = last.some(({ kind }) => kind === 'type');
    const opens = endsWithCommand(last);
    if (await awaitAnswer(sandbox, { typed, opens, before, after: seen }, signal)) seen = await look();
    before = seen;
    ({ last, left, failure } = await play(left, seen.page?.paced ?? null));
  }
  return { failure, locations };
}

type InputPiece = readonly InputCommand[];
type FieldPace = NonNullable<Evidence['page']>['paced'];

/** The part that the focused field takes at once, and then the rest. */
function splitByPace(piece: InputPiece, paced: FieldPace): [InputPiece, ...InputPiece[]] {
  if (paced === 'path') return [piece.map(slowDown)];
  if (paced === 'name') return splitAfterName(piece);
  return [piece];
}

/** Text is cut between the name of a file and a line or symbol in it: `cart.ts` and `:12`. */
function splitAfterName(piece: InputPiece): [InputPiece, ...InputPiece[]] {
  const at = piece.findIndex((command) => command.kind === 'type' && placeInFile.test(command.text));
  const command = piece[at];
  if (command?.kind !== 'type') return [piece];
  const cut = command.text.search(placeInFile) + 1;
  const part = (text: string) => ({ ...command, text });
  return [
    [...piece.slice(0, at), part(command.text.slice(0, cut))],
    [part(command.text.slice(cut)), ...piece.slice(at + 1)],
  ];
}

/** Input that was played, and the looks before and after it. */
interface PlayedInput {
  /** It ended with text. */
  readonly typed: boolean;
  /** It ended with a key that may be a command's, and text is to follow. */
  readonly opens: boolean;
  readonly before: Evidence | undefined;
  readonly after: Evidence;
}

/**
 * Before the next input, waits until VS Code has answered to text in a field, or to a command whose only effect so far is
 * that the field in which it was chosen has closed: the view that it opens may be late.
 * @returns whether it had to wait
 */
export async function awaitAnswer(
  sandbox: Sandbox,
  { typed, opens, before, after }: PlayedInput,
  signal: AbortSignal,
): Promise<boolean> {
  const late = typed
    ? after.page?.surface === 'field' && (after.page.pending !== null || after.page.paced === 'name')
    : opens &&
      before !== undefined &&
      (compareEvidence(before, after).seen.length === 0 ||
        hasClosed(before, after) ||
        asksForPath(before, after));
  if (!late) return false;
  // On a busy machine a command may need longer, and the text must not go to what had the keyboard before.
  for (let rounds = opens ? openRounds : 1; rounds > 0; rounds -= 1) {
    const { reason } = await sandbox.settle({ capMs: fieldAnswerMs, pointerOnly: false, signal });
    if (reason === 'quiet') break;
  }
  return true;
}

/** The keyboard was in a field, and no longer is: the command palette closes before its command does anything. */
function hasClosed({ page: before }: Evidence, { page: after }: Evidence): boolean {
  return before?.surface === 'field' && after?.surface !== 'field';
}

/** A file dialog has come, which fills in a path a moment later: keys before that are lost on it. */
function asksForPath({ page: before }: Evidence, { page: after }: Evidence): boolean {
  return after?.paced === 'path' && before?.paced !== 'path';
}

/** Separates text from all other input. */
function splitTextFromKeys(commands: readonly InputCommand[]): InputCommand[][] {
  const pieces: InputCommand[][] = [];
  let before: boolean | undefined;
  for (const command of commands.flatMap(withoutReturn)) {
    const types = command.kind === 'type';
    if (types !== before) pieces.push([]);
    pieces.at(-1)?.push(command);
    before = types;
  }
  return pieces;
}

/** A text that ends with Return as text and key. */
function withoutReturn(command: InputCommand): InputCommand[] {
  if (command.kind !== 'type' || !/[^\n]\n$/u.test(command.text)) return [command];
  const key = { kind: 'key', keys: ['Return'], action: 'press', delayMs: command.delayMs } as const;
  return [{ ...command, text: command.text.slice(0, -1) }, key];
}

function slowDown(command: InputCommand): InputCommand {
  return command.kind === 'type' ? { ...command, delayMs: Math.max(command.delayMs, lookUpMs) } : command;
}

/** The longest wait for each answer, in milliseconds: that a press arrives, and that a drag begins, continues, ends. */
const dragAnswerMs = 1500;
/** A pointer that moves less than this has not begun to drag, in pixels. */
const leastMove = 8;
/** The accuracy of places that the page reports, in pixels. */
const placeMargin = 2;

type DragResult = Pick<InputResult, 'failure' | 'locations'>;

/**
 * Plays input, and when it drags something, such as a file or a tab, gives the browser the time that it needs. Input
 * that comes too soon is lost: a drag begins a while after the pointer has moved, it then sees only moves, and a drop
 * before the page has answered has no target. All other input is played at once.
 * @param before what was seen of the page before; undefined if it is not known
 */
async function playDrags(
  sandbox: Sandbox,
  commands: readonly InputCommand[],
  before: DomProbe | undefined,
  signal: AbortSignal,
): Promise<DragResult> {
  if (!before || !(before.drag.held || commands.some(isDown))) return sandbox.input(commands, { signal });
  const dragging = new Dragging(sandbox, before, signal);
  const locations: Point[] = [];
  for (const part of splitDrags(commands)) {
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

  async play(part: readonly InputCommand[]): Promise<DragResult> {
    const { drag } = this.#page;
    const drops = part.some(isUp) && drag.on;
    const moves = drag.held && part.some(({ kind }) => kind === 'move');
    // A press on a tab shows it. While that is under way, no drag begins.
    if (moves && !drag.on)
      await this.#sandbox.settle({ capMs: dragAnswerMs, pointerOnly: false, signal: this.#signal });
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
    for (const x of makeNudges) {
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
    const seen = await awaitPage(this.#sandbox, this.#page, isOver, dragAnswerMs, this.#signal);
    if (seen) this.#page = seen;
    return seen !== undefined && isOver(seen);
  }
}

/**
 * Moves after which the pointer is where it was. At each, the browser learns the page's answer to the one before, and
 * the first one enters the element there: a drop before the browser has learnt that it is allowed is lost.
 */
const makeNudges = [1, -1, 1, -1];

/** Presses, releases, and what is between them. */
function splitDrags(commands: readonly InputCommand[]): InputCommand[][] {
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

/** The longest wait, in milliseconds: keys may never reach the page, e.g. if they open something that takes the rest. */
const arriveMs = 1500;
const againMs = 20;

/** The minimum number of keys that go down. A modifier that is already held does not go down again. */
export function countKeys(commands: readonly InputCommand[]): number {
  return commands.reduce((sum, command) => {
    if (command.kind === 'type') return sum + [...command.text].length;
    return command.kind === 'key' && command.action !== 'up' ? sum + 1 : sum;
  }, 0);
}

/**
 * Waits until the page has got the keys that were sent: the browser has them at once, and the page on a busy machine much
 * later. A look before that shows the state without them. Keys that go to another document can't be counted.
 * @param before what was seen of the page before they were sent
 */
export async function awaitKeys(
  sandbox: Sandbox,
  before: DomProbe,
  sent: number,
  signal: AbortSignal,
): Promise<void> {
  if (before.surface === null || before.dialog) return;
  await sandbox.input([{ kind: 'flush' }], { signal });
  const haveCome = (now: DomProbe) => now.surface === null || now.keys - before.keys >= sent;
  await awaitPage(sandbox, before, haveCome, arriveMs, signal);
}

/**
 * Waits until input has had an effect in the page, up to a time limit. It does not wait for a page that was replaced, or
 * that a dialog of the browser blocks.
 * @returns the page as it was last seen; undefined if it does not answer
 */
async function awaitPage(
  sandbox: Sandbox,
  before: DomProbe,
  hasCome: (now: DomProbe) => boolean,
  mostMs: number,
  signal: AbortSignal,
): Promise<DomProbe | undefined> {
  if (before.dialog) return undefined;
  const start = performance.now();
  for (;;) {
    const now = await sandbox.call(dom.probe, {}, { signal }).catch(() => {
      signal.throwIfAborted();
      return undefined;
    });
    if (now?.loadedAt !== before.loadedAt || now.dialog || hasCome(now)) return now;
    if (performance.now() - start >= mostMs) return now;
    await pause(againMs, signal);
  }
}
