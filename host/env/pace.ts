import type { InputCommand, InputResult, Sandbox } from '../node/index.ts';
import { endsWithCommand } from './actions/index.ts';
import { changesOf, takeEvidence, type Evidence } from './effect/index.ts';

/** VS Code has this long to answer, in milliseconds: then it gets the next input all the same. */
const answerMs = 3000;
/** Between two characters, where each has to be looked up: a file dialog of VS Code's takes 20 ms in a small folder. */
const lookUpMs = 60;

/**
 * Plays input as fast as VS Code can take it. All at once, but for what counts on its answer: keys after text choose
 * what the text has found, and text goes to what the keys before it have opened.
 * @param page what was seen of the page before; undefined if it is not known
 */
export async function playPaced(
  sandbox: Sandbox,
  commands: readonly InputCommand[],
  page: Evidence['page'],
  signal: AbortSignal,
): Promise<Pick<InputResult, 'failure' | 'locations'>> {
  const locations: InputResult['locations'][number][] = [];
  const [first = [], ...rest] = piecesOf(commands);
  const look = () => takeEvidence(sandbox, { text: false, points: [] }, undefined, signal);
  let before = rest.length > 0 && endsWithCommand(first) ? await look() : undefined;
  const play = async (piece: readonly InputCommand[], paced: boolean) => {
    const played = await sandbox.input(paced ? piece.map(slowed) : piece, { signal });
    locations.push(...played.locations);
    return played.failure;
  };
  let failure = await play(first, page?.paced ?? false);
  let last = first;
  for (const piece of rest) {
    if (failure) break;
    await sandbox.input([{ kind: 'flush' }], { signal });
    let seen = await look();
    const typed = last.some(({ kind }) => kind === 'type');
    const opens = endsWithCommand(last);
    if (await awaitAnswer(sandbox, { typed, opens, before, after: seen }, signal)) seen = await look();
    failure = await play(piece, seen.page?.paced ?? false);
    [before, last] = [seen, piece];
  }
  return { failure, locations };
}

/** What was played, and what was seen before and after it. */
interface Seen {
  /** It ended with text. */
  readonly typed: boolean;
  /** It ended with a key that may be a command's, and text is to follow. */
  readonly opens: boolean;
  readonly before: Evidence | undefined;
  readonly after: Evidence;
}

/**
 * Before the next input, waits until VS Code has answered to text in a field, or to a command of which no more is seen
 * yet than that the field in which it was chosen has closed: what it opens may be late.
 * @returns whether it had to wait
 */
export async function awaitAnswer(
  sandbox: Sandbox,
  { typed, opens, before, after }: Seen,
  signal: AbortSignal,
): Promise<boolean> {
  const late = typed
    ? after.page?.surface === 'field' && after.page.pending !== null
    : opens &&
      before !== undefined &&
      (changesOf(before, after).seen.length === 0 || hasClosed(before, after));
  if (late) await sandbox.settle({ capMs: answerMs, pointerOnly: false, signal });
  return late;
}

/** The keyboard was in a field, and is in none now: the command palette closes before its command does anything. */
function hasClosed({ page: before }: Evidence, { page: after }: Evidence): boolean {
  return before?.surface === 'field' && after?.surface !== 'field';
}

/** Text apart from all else. */
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
