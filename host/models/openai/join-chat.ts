import type { Joiner } from '../answer-stream.ts';
import { parsedObject } from '../arguments.ts';
import { fieldsOf, listOf } from '../usage.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that are whole in each piece that has them. */
const whole = new Set(['role', 'id', 'type', 'name', 'index', 'format']);

/**
 * Joins the pieces of Chat Completions, as OpenAI sends them and as self-hosted servers do: with a whole message in
 * place of a piece, whole calls, calls without a place in the list, and fields that only they know.
 */
export class ChatJoiner implements Joiner {
  readonly #calls: Fields[] = [];
  #rest: Fields = {};
  #message: Fields = {};
  #finish: unknown = null;
  #isDone = false;

  get state(): Joiner['state'] {
    if (this.#isDone) return 'done';
    return this.#finish === null ? 'open' : 'whole';
  }

  get answer(): Fields {
    const calls = this.#calls.length > 0 && { tool_calls: this.#calls };
    const message = { ...this.#message, ...calls };
    const isEmpty = Object.keys(message).length === 0 && this.#finish === null;
    return { ...this.#rest, choices: isEmpty ? [] : [{ index: 0, message, finish_reason: this.#finish }] };
  }

  add(event: unknown): void {
    if (event === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const { choices, ...rest } = fieldsOf(event);
    this.#rest = grown(this.#rest, rest);
    const choice = fieldsOf(listOf(choices).find((one) => (fieldsOf(one)['index'] ?? 0) === 0));
    const { delta, message, finish_reason: finish } = choice;
    const { tool_calls: calls, ...said } = fieldsOf(delta ?? message);
    this.#message = grown(this.#message, said);
    for (const call of listOf(calls)) this.#addCall(fieldsOf(call));
    // Some send an empty one with each piece.
    this.#finish = finish || this.#finish;
  }

  #addCall(piece: Fields): void {
    const at = this.#placeOf(piece);
    const before = this.#calls[at];
    if (before) this.#calls[at] = grown(before, piece);
    else this.#calls.push(piece);
  }

  /** The place of the call that a piece belongs to; the next one where it begins a call. */
  #placeOf(piece: Fields): number {
    const { id, index } = piece;
    const hasId = typeof id === 'string' && id !== '';
    const at =
      typeof index === 'number'
        ? this.#calls.findLastIndex((one) => one['index'] === index)
        : hasId
          ? this.#calls.findLastIndex((one) => one['id'] === id)
          : this.#calls.length - 1;
    const before = this.#calls[at];
    return before && !isAnother(before, piece) ? at : this.#calls.length;
  }
}

/** Whether a piece begins another call, of a server that gives the same place to several. */
function isAnother(before: Fields, piece: Fields): boolean {
  const [one, other] = [before['id'], piece['id']];
  if (one && other && one !== other) return true;
  const { name, arguments: given } = fieldsOf(piece['function']);
  const { name: nameBefore, arguments: written } = fieldsOf(before['function']);
  if (name && nameBefore && name !== nameBefore) return true;
  if (!name || !given) return false;
  return typeof written === 'string'
    ? written.trim() !== '' && parsedObject(written).arguments !== null
    : written !== undefined && written !== null;
}

/** The answer so far, with the next piece: texts and lists go on, and objects in each of their fields. */
function grown(before: Fields, piece: Fields): Fields {
  const changes = Object.entries(piece).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    if (whole.has(name)) return value === '' ? [] : [[name, value]];
    return [[name, joined(before[name], value)]];
  });
  return { ...before, ...Object.fromEntries(changes) };
}

function joined(before: unknown, piece: unknown): unknown {
  if (before === undefined || before === null) return piece;
  if (typeof before === 'string' && typeof piece === 'string') return before + piece;
  if (Array.isArray(before) || Array.isArray(piece)) return joinedLists(partsOf(before), partsOf(piece));
  if (isObject(before) && isObject(piece)) return grown(before, piece);
  return piece;
}

/** A piece about the same thing as the last one continues it: parts of one type, or with one index. */
function joinedLists(before: readonly unknown[], pieces: readonly unknown[]): unknown[] {
  return pieces.reduce<unknown[]>(
    (list, piece) => {
      const last = list.at(-1);
      const isSame =
        isObject(last) &&
        isObject(piece) &&
        last['type'] === piece['type'] &&
        last['index'] === piece['index'] &&
        (typeof piece['text'] === 'string' || piece['index'] !== undefined);
      return isSame ? [...list.slice(0, -1), grown(last, piece)] : [...list, piece];
    },
    [...before],
  );
}

function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  return typeof value === 'string' && value !== '' ? [{ type: 'text', text: value }] : [];
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
