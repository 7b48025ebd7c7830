import type { Place } from './message.ts';
import type { PointerOptions } from './pointer-options.ts';
import { Touches } from './touch.ts';

/** Pixels that the page inside scrolls at one turn of the wheel. */
const turnPixels = 53;
/** Of `WheelEvent.deltaMode`: a line and a page, in pixels. */
const modes = [1, 16, 400];

/** A person's mouse, pen and fingers on the screen, while they drive. */
export class Pointer {
  readonly #options: PointerOptions;
  readonly #touches: Touches;
  #wheel = { across: 0, down: 0 };
  /** The newest move, which is sent with the next frame. */
  #moved: Place | undefined;

  constructor(options: PointerOptions) {
    this.#options = options;
    this.#touches = new Touches(options);
    const { surface } = options;
    surface.addEventListener('pointerdown', (event) => this.#press(event, true));
    surface.addEventListener('pointerup', (event) => this.#press(event, false));
    surface.addEventListener('pointercancel', (event) => this.#press(event, false));
    surface.addEventListener('pointermove', (event) => this.#move(event));
    surface.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
    surface.addEventListener('contextmenu', (event) => {
      if (options.isDriving()) event.preventDefault();
    });
  }

  #press(event: PointerEvent, down: boolean): void {
    const { isDriving, surface, placeOf, send, onPress } = this.#options;
    if (!isDriving()) return;
    event.preventDefault();
    if (down) {
      surface.setPointerCapture(event.pointerId);
      onPress();
    }
    if (event.pointerType === 'touch') return this.#touches.press(event, down);
    this.#moved = undefined;
    send({ type: 'button', button: Math.max(0, event.button), down, ...placeOf(event) });
  }

  #move(event: PointerEvent): void {
    const { isDriving, placeOf, send } = this.#options;
    if (!isDriving()) return;
    if (event.pointerType === 'touch') return this.#touches.move(event);
    // A second button that is pressed or released while one is down comes as a move.
    if (event.button >= 0) {
      const down = (event.buttons & ([1, 4, 2, 8, 16][event.button] ?? 0)) !== 0;
      send({ type: 'button', button: event.button, down, ...placeOf(event) });
      return;
    }
    const isWaiting = this.#moved !== undefined;
    this.#moved = placeOf(event);
    if (!isWaiting) requestAnimationFrame(() => this.#sendMove());
  }

  #sendMove(): void {
    if (this.#moved) this.#options.send({ type: 'move', ...this.#moved });
    this.#moved = undefined;
  }

  #turn(event: WheelEvent): void {
    const { isDriving, placeOf, send } = this.#options;
    if (!isDriving()) return;
    event.preventDefault();
    const pixels = modes[event.deltaMode] ?? 1;
    this.#wheel.across += event.deltaX * pixels;
    this.#wheel.down += event.deltaY * pixels;
    const [across, down] = [turnsOf(this.#wheel.across), turnsOf(this.#wheel.down)];
    if (across === 0 && down === 0) return;
    this.#wheel.across -= across * turnPixels;
    this.#wheel.down -= down * turnPixels;
    send({ type: 'wheel', across, down, ...placeOf(event) });
  }
}

function turnsOf(pixels: number): number {
  return Math.max(-50, Math.min(50, Math.trunc(pixels / turnPixels)));
}
