import type { InputCommand, InputResult, Sandbox } from '../node/index.ts';
import { endsWithCommand } from './actions/index.ts';
import { playDrags } from './drag.ts';
import { changesOf, takeEvidence, type Evidence } from './effect/index.ts';

/** VS Code has this many milliseconds to answer; then it gets the next input anyway. */
const answerMs = 3000;
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
  const play = async ([piece = [], ...rest]: readonly Piece[], paced: Paced) => {
    const [now, ...later] = inPace(piece, paced);
    const played = await playDrags(sandbox, now, page, signal);
    locations.push(...played.locations);
    return { last: now, left: [...later, ...rest], failure: played.failure };
  };
  const pieces = piecesOf(commands);
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

type Piece = readonly InputCommand[];
type Paced = NonNullable<Evidence['page']>['paced'];

/** The part that the focused field takes at once, and then the rest. */
function inPace(piece: Piece, paced: Paced): [Piece, ...Piece[]] {
  if (paced === 'path') return [piece.map(slowed)];
  if (paced === 'name') return afterNames(piece);
  return [piece];
}

/** Text is cut between the name of a file and a line or symbol in it: `cart.ts` and `:12`. */
function afterNames(piece: Piece): [Piece, ...Piece[]] {
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
interface Seen {
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
  { typed, opens, before, after }: Seen,
  signal: AbortSignal,
): Promise<boolean> {
  const late = typed
    ? after.page?.surface === 'field' && (after.page.pending !== null || after.page.paced === 'name')
    : opens &&
      before !== undefined &&
      (changesOf(before, after).seen.length === 0 || hasClosed(before, after) || asksForPath(before, after));
  if (!late) return false;
  // On a busy machine a command may need longer, and the text must not go to what had the keyboard before.
  for (let rounds = opens ? openRounds : 1; rounds > 0; rounds -= 1) {
    const { reason } = await sandbox.settle({ capMs: answerMs, pointerOnly: false, signal });
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
function piecesOf(commands: readonly InputCommand[]): InputCommand[][] {
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

function slowed(command: InputCommand): InputCommand {
  return command.kind === 'type' ? { ...command, delayMs: Math.max(command.delayMs, lookUpMs) } : command;
}
