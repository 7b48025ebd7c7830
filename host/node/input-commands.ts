/** Presses of a button less than this many milliseconds apart count together: Chromium's own bound. */
const multiClickMs = 500;

/**
 * Input commands, already parsed and resolved: the language between the environment (which reads xdotool lines,
 * computer actions and marks) and a node (which plays them). Coordinates are screen pixels.
 */
export type InputCommand =
  /** Moves the pointer; `relative` moves count from where it is. */
  | ({
      readonly kind: 'move';
      readonly x: number;
      readonly y: number;
      readonly relative: boolean;
    } & ClearableModifiers)
  /** Presses, releases or clicks a button (1 left, 2 middle, 3 right, 4-7 wheel up, down, left, right). */
  | ({
      readonly kind: 'button';
      readonly button: number;
      readonly action: 'click' | 'down' | 'up';
      readonly repeat: number;
      readonly delayMs: number;
    } & ClearableModifiers)
  /** Keys held together, as X keysym names with xdotool's aliases (`ctrl`, `Return`, `a`): `press` is down, then up in reverse. */
  | ({
      readonly kind: 'key';
      readonly keys: readonly string[];
      readonly action: 'press' | 'down' | 'up';
      /** Pause after the stroke. */
      readonly delayMs: number;
    } & ClearableModifiers)
  /**
   * Types text character by character; any Unicode. `\n` is Return, `\t` is Tab. A `delayMs` of 0 types as fast as the
   * IDE can read; otherwise it pauses that long after each character.
   */
  | ({ readonly kind: 'type'; readonly text: string; readonly delayMs: number } & ClearableModifiers)
  /** Where the pointer is; in the result. */
  | { readonly kind: 'locate' }
  | { readonly kind: 'sleep'; readonly ms: number }
  /** Releases every key and button that is down. */
  | { readonly kind: 'release' }
  /** Waits until the windows have read all input sent so far; at most 3 s. */
  | { readonly kind: 'flush' };

interface ClearableModifiers {
  /** Modifiers that are held are released for this command and pressed again after it; not by default. */
  readonly clearModifiers?: boolean;
}

/** The result of a batch of commands. Names and coordinates are checked before anything is played. */
export interface InputResult {
  /** Commands that were played; equals the number requested unless `failure` is there. */
  readonly executed: number;
  /** Why the first command that failed could not be played; later ones were not tried. */
  readonly failure?: { readonly index: number; readonly message: string } | undefined;
  /** Pointer positions, one for each `locate` played, in order. */
  readonly locations: readonly { readonly x: number; readonly y: number }[];
}

/** Clicks that are meant to count together, e.g. 2 for a double click; 1 for slower ones, or more than three. */
export function clicksTogether(command: InputCommand): number {
  if (command.kind !== 'button' || command.action !== 'click') return 1;
  return command.repeat <= 3 && command.delayMs < multiClickMs ? command.repeat : 1;
}
