import type { InputCommand } from '../../node/index.ts';

/** One act of a person, merged from their presses. */
export type PersonAct =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly keys: string; readonly count: number }
  | (PressPlace & { readonly kind: 'click'; readonly button: number; readonly count: number })
  | (PressPlace & { readonly kind: 'drag'; readonly button: number; readonly to: PressPlace })
  | (PressPlace & { readonly kind: 'scroll'; readonly button: number; readonly count: number });

interface PressPlace {
  readonly x: number;
  readonly y: number;
}

const modifierKeys: Readonly<Record<string, string>> = {
  shift: 'shift',
  shift_l: 'shift',
  shift_r: 'shift',
  ctrl: 'ctrl',
  control: 'ctrl',
  control_l: 'ctrl',
  control_r: 'ctrl',
  alt: 'alt',
  alt_l: 'alt',
  alt_r: 'alt',
  meta: 'meta',
  meta_l: 'meta',
  super: 'super',
  super_l: 'super',
};

/** A button that comes up further away than that was dragged, in pixels. */
const dragPixels = 4;
const firstWheelButton = 4;

/**
 * Merges a person's presses into what an agent would do: characters into text, key down and up into a stroke, presses at
 * one place into a double click, notches into one scroll. Pointer motion alone is dropped.
 */
export class InputMerger {
  #acts: PersonAct[] = [];
  readonly #held = new Set<string>();
  readonly #buttons = new Map<number, PressPlace>();
  #at: PressPlace = { x: 0, y: 0 };
  #focusMoves = 0;

  add(command: InputCommand): void {
    switch (command.kind) {
      case 'move':
        this.#at = command.relative
          ? { x: this.#at.x + command.x, y: this.#at.y + command.y }
          : { x: command.x, y: command.y };
        return;
      case 'type':
        return this.#text(command.text);
      case 'key':
        return this.#keys(command.keys, command.action);
      case 'button':
        for (let i = 0; i < command.repeat; i += 1) this.#button(command.button, command.action);
        return;
      case 'release':
        this.#held.clear();
        this.#buttons.clear();
        return;
      default:
        return;
    }
  }

  /** Whether there are acts to take. */
  get isEmpty(): boolean {
    return this.#acts.length === 0;
  }

  /** The number of acts so far that may have moved the focus: all except characters and motion. */
  get focusMoves(): number {
    return this.#focusMoves;
  }

  /** The acts since the last call; long text and many strokes in pieces, so that each fits into one line. */
  take(): PersonAct[] {
    const acts = this.#acts;
    this.#acts = [];
    return acts.flatMap(splitAct);
  }

  #keys(keys: readonly string[], action: 'press' | 'down' | 'up'): void {
    const own = keys.flatMap((key) => modifierKeys[key.toLowerCase()] ?? []);
    const others = keys.filter((key) => modifierKeys[key.toLowerCase()] === undefined);
    if (action === 'down') for (const modifier of own) this.#held.add(modifier);
    if (action === 'up') for (const modifier of own) this.#held.delete(modifier);
    // A key acts as it goes down.
    if (action !== 'up') for (const key of others) this.#stroke(key, new Set([...this.#held, ...own]));
  }

  #stroke(key: string, held: ReadonlySet<string>): void {
    const chord = [...held].filter((modifier) => modifier !== 'shift');
    const character = key === 'space' ? ' ' : key;
    if (chord.length === 0 && [...character].length === 1)
      return this.#text(held.has('shift') ? character.toUpperCase() : character);
    this.#focusMoves += 1;
    const keys = [...held, key].join('+');
    const last = this.#acts.at(-1);
    if (last?.kind === 'key' && last.keys === keys) this.#replace({ ...last, count: last.count + 1 });
    else this.#acts.push({ kind: 'key', keys, count: 1 });
  }

  #text(text: string): void {
    const last = this.#acts.at(-1);
    if (last?.kind === 'text') this.#replace({ kind: 'text', text: last.text + text });
    else this.#acts.push({ kind: 'text', text });
  }

  #button(button: number, action: 'click' | 'down' | 'up'): void {
    if (button >= firstWheelButton) return action === 'up' ? undefined : this.#scroll(button);
    this.#focusMoves += 1;
    if (action === 'down') return void this.#buttons.set(button, this.#at);
    const from = this.#buttons.get(button) ?? this.#at;
    this.#buttons.delete(button);
    const to = this.#at;
    if (Math.hypot(to.x - from.x, to.y - from.y) > dragPixels)
      this.#acts.push({ kind: 'drag', button, ...from, to });
    else this.#click(button, to);
  }

  #click(button: number, { x, y }: PressPlace): void {
    const last = this.#acts.at(-1);
    const again = last?.kind === 'click' && last.button === button && last.x === x && last.y === y;
    if (again) this.#replace({ ...last, count: last.count + 1 });
    else this.#acts.push({ kind: 'click', button, x, y, count: 1 });
  }

  #scroll(button: number): void {
    const { x, y } = this.#at;
    const last = this.#acts.at(-1);
    if (last?.kind === 'scroll' && last.button === button) this.#replace({ ...last, count: last.count + 1 });
    else this.#acts.push({ kind: 'scroll', button, x, y, count: 1 });
  }

  #replace(act: PersonAct): void {
    this.#acts[this.#acts.length - 1] = act;
  }
}

/** The maximum of one act. A written quote takes five characters, a stroke with all modifiers up to forty. */
const actLimits = { characters: 180, strokes: 20 } as const;

function splitAct(act: PersonAct): PersonAct[] {
  if (act.kind === 'text')
    return splitIntoChunks([...act.text], actLimits.characters).map((text) => ({
      kind: 'text',
      text: text.join(''),
    }));
  if (act.kind !== 'key' || act.count <= actLimits.strokes) return [act];
  const whole = Math.floor(act.count / actLimits.strokes);
  const counts = [...Array<number>(whole).fill(actLimits.strokes), act.count % actLimits.strokes];
  return counts.filter((count) => count > 0).map((count) => ({ ...act, count }));
}

/** A person's act as an agent would write it: a line that can be played again. Secret text is left out. */
export function formatPersonAct(act: PersonAct, secret: boolean): string {
  switch (act.kind) {
    case 'text':
      return secret ? 'typed something private' : `xdotool type ${quoteForShell(act.text)}`;
    case 'key':
      return secret
        ? 'pressed keys in private'
        : `xdotool key ${Array<string>(act.count).fill(act.keys).join(' ')}`;
    case 'click':
      return `xdotool mousemove ${act.x} ${act.y} click ${formatRepeat(act.count)}${act.button}`;
    case 'drag':
      return `xdotool mousemove ${act.x} ${act.y} mousedown ${act.button} mousemove ${act.to.x} ${act.to.y} mouseup ${act.button}`;
    case 'scroll':
      return `xdotool mousemove ${act.x} ${act.y} click ${formatRepeat(act.count)}${act.button}`;
  }
}

function formatRepeat(count: number): string {
  return count === 1 ? '' : `--repeat ${count} `;
}

/** As POSIX sh quotes. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** Splits a list into pieces of at most `size`, in order; an empty list has no pieces. */
export function splitIntoChunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  );
}
