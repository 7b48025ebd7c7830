import type { InputCommand } from '../../node/index.ts';

/** Milliseconds between the clicks of a double click: toolkits drop clicks that come at once. */
const betweenClicksMs = 40;
const wheel = { up: 4, down: 5, left: 6, right: 7 } as const;

export function moveTo(x: number, y: number): InputCommand {
  return { kind: 'move', x, y, relative: false };
}

export function press(keys: readonly string[]): InputCommand {
  return { kind: 'key', keys, action: 'press', delayMs: 0 };
}

/** Clicks at a place, or where the pointer is. */
export function clickAt(
  at: readonly [number, number] | undefined,
  button: number,
  repeat: number,
): InputCommand[] {
  const move = at ? [moveTo(at[0], at[1])] : [];
  const delayMs = repeat > 1 ? betweenClicksMs : 0;
  return [...move, { kind: 'button', button, action: 'click', repeat, delayMs }];
}

/** Turns the wheel by a number of notches. */
export function scroll(direction: keyof typeof wheel, notches: number): InputCommand[] {
  if (notches === 0) return [];
  return [{ kind: 'button', button: wheel[direction], action: 'click', repeat: notches, delayMs: 0 }];
}

/** Does something while keys are held. */
export function held(keys: readonly string[], commands: readonly InputCommand[]): InputCommand[] {
  if (keys.length === 0) return [...commands];
  return [
    { kind: 'key', keys, action: 'down', delayMs: 0 },
    ...commands,
    { kind: 'key', keys, action: 'up', delayMs: 0 },
  ];
}
