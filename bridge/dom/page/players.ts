import type { Rect } from './rect.ts';

/** The browser draws its own controls into them, which no script can read. */
export const PLAYERS = 'audio[controls], video[controls]';

export function isPlayer(element: Element): boolean {
  return element.matches(PLAYERS);
}

/** A player's state and position, as its controls show them: `paused at 0:00 of 0:12`. */
export function playerState(element: Element): string {
  const { paused, currentTime, duration } = element as HTMLMediaElement;
  const length = Number.isFinite(duration) ? ` of ${clock(duration)}` : '';
  return `${paused ? 'paused' : 'playing'} at ${clock(currentTime)}${length}`;
}

/** The place where a click plays and pauses: the button at the left of an audio player, the whole of a video player. */
export function playButton(element: Element, rect: Rect): Rect {
  const side = rect.bottom - rect.top;
  return element.localName === 'audio' ? { ...rect, right: Math.min(rect.right, rect.left + side) } : rect;
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
