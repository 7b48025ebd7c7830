import type { PointerOptions } from './pointer-options.ts';

/** Milliseconds after which a finger that rests is a click of the right button. */
const longMs = 500;
/** Pixels that a finger may move and still tap. */
const slop = 10;
/** Pixels that two fingers move for one turn of the wheel. */
const turnPixels = 30;

interface Finger {
  readonly startX: number;
  readonly startY: number;
  clientX: number;
  clientY: number;
}

/**
 * Fingers on the screen: a tap clicks, a long press clicks right, two fingers turn the wheel. One that moves drags, or
 * moves the screen under its window if it is larger.
 */
export class Touches {
  readonly #options: PointerOptions;
  readonly #fingers = new Map<number, Finger>();
  #kind: 'none' | 'tap' | 'drag' | 'pan' | 'scroll' | 'over' = 'none';
  #long: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PointerOptions) {
    this.#options = options;
  }

  press({ pointerId, clientX, clientY }: PointerEvent, down: boolean): void {
    clearTimeout(this.#long);
    if (!down) return this.#lift(pointerId);
    this.#fingers.set(pointerId, { startX: clientX, startY: clientY, clientX, clientY });
    if (this.#fingers.size === 1) {
      this.#kind = 'tap';
      this.#long = setTimeout(() => this.#click(2), longMs);
    } else if (this.#fingers.size === 2) {
      if (this.#kind === 'drag') this.#button(0, false, { clientX, clientY });
      this.#kind = 'scroll';
    }
  }

  move({ pointerId, clientX, clientY }: PointerEvent): void {
    const finger = this.#fingers.get(pointerId);
    if (!finger) return;
    const [dx, dy] = [clientX - finger.clientX, clientY - finger.clientY];
    if (this.#kind === 'scroll') return this.#scroll(finger, { clientX, clientY });
    const far = Math.hypot(clientX - finger.startX, clientY - finger.startY) > slop;
    if (this.#kind === 'tap' && far) this.#begin(finger);
    if (this.#kind === 'tap') return;
    Object.assign(finger, { clientX, clientY });
    if (this.#kind === 'pan') this.#options.scroller.scrollBy(-dx, -dy);
    if (this.#kind === 'drag') {
      this.#options.send({ type: 'move', ...this.#options.placeOf({ clientX, clientY }) });
    }
  }

  #begin({ startX, startY }: Finger): void {
    clearTimeout(this.#long);
    const { scroller } = this.#options;
    const isLarger =
      scroller.scrollWidth > scroller.clientWidth + 1 || scroller.scrollHeight > scroller.clientHeight + 1;
    this.#kind = isLarger ? 'pan' : 'drag';
    if (!isLarger) this.#button(0, true, { clientX: startX, clientY: startY });
  }

  #scroll(finger: Finger, { clientX, clientY }: Pick<Finger, 'clientX' | 'clientY'>): void {
    const across = Math.trunc((finger.clientX - clientX) / turnPixels);
    const down = Math.trunc((finger.clientY - clientY) / turnPixels);
    if (across === 0 && down === 0) return;
    const place = this.#options.placeOf({ clientX: finger.startX, clientY: finger.startY });
    finger.clientX -= across * turnPixels;
    finger.clientY -= down * turnPixels;
    this.#options.send({ type: 'wheel', across, down, ...place });
  }

  #lift(pointerId: number): void {
    const finger = this.#fingers.get(pointerId);
    this.#fingers.delete(pointerId);
    if (!finger) return;
    if (this.#kind === 'tap') this.#click(0, finger);
    else if (this.#kind === 'drag') this.#button(0, false, finger);
    this.#kind = this.#fingers.size === 0 ? 'none' : 'over';
  }

  #click(button: number, finger = this.#fingers.values().next().value): void {
    this.#kind = 'over';
    if (!finger) return;
    this.#button(button, true, finger);
    this.#button(button, false, finger);
  }

  #button(button: number, down: boolean, at: Pick<Finger, 'clientX' | 'clientY'>): void {
    this.#options.send({ type: 'button', button, down, ...this.#options.placeOf(at) });
  }
}
