import type { InputMessage, ScreenPlace } from './messages.ts';

/** Pixels that the page inside scrolls at one turn of the wheel. */
const wheelTurnPixels = 53;
/** Of `WheelEvent.deltaMode`: a line and a page, in pixels. */
const wheelModePixels = [1, 16, 400];

/** A person's mouse, pen and fingers on the screen, while they drive. */
export class PointerInput {
  readonly #options: PointerInputOptions;
  readonly #touches: TouchInput;
  #wheel = { across: 0, down: 0 };
  /** The newest move, which is sent with the next frame. */
  #moved: ScreenPlace | undefined;

  constructor(options: PointerInputOptions) {
    this.#options = options;
    this.#touches = new TouchInput(options);
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
    const pixels = wheelModePixels[event.deltaMode] ?? 1;
    this.#wheel.across += event.deltaX * pixels;
    this.#wheel.down += event.deltaY * pixels;
    const [across, down] = [countTurns(this.#wheel.across), countTurns(this.#wheel.down)];
    if (across === 0 && down === 0) return;
    this.#wheel.across -= across * wheelTurnPixels;
    this.#wheel.down -= down * wheelTurnPixels;
    send({ type: 'wheel', across, down, ...placeOf(event) });
  }
}

function countTurns(pixels: number): number {
  return Math.max(-50, Math.min(50, Math.trunc(pixels / wheelTurnPixels)));
}

/** Milliseconds after which a finger that rests is a click of the right button. */
const longPressMs = 500;
/** Pixels that a finger may move and still tap. */
const tapSlopPixels = 10;
/** Pixels that two fingers move for one turn of the wheel. */
const touchTurnPixels = 30;

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
class TouchInput {
  readonly #options: PointerInputOptions;
  readonly #fingers = new Map<number, Finger>();
  #kind: 'none' | 'tap' | 'drag' | 'pan' | 'scroll' | 'over' = 'none';
  #long: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PointerInputOptions) {
    this.#options = options;
  }

  press({ pointerId, clientX, clientY }: PointerEvent, down: boolean): void {
    clearTimeout(this.#long);
    if (!down) return this.#lift(pointerId);
    this.#fingers.set(pointerId, { startX: clientX, startY: clientY, clientX, clientY });
    if (this.#fingers.size === 1) {
      this.#kind = 'tap';
      this.#long = setTimeout(() => this.#click(2), longPressMs);
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
    const far = Math.hypot(clientX - finger.startX, clientY - finger.startY) > tapSlopPixels;
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
    const across = Math.trunc((finger.clientX - clientX) / touchTurnPixels);
    const down = Math.trunc((finger.clientY - clientY) / touchTurnPixels);
    if (across === 0 && down === 0) return;
    const place = this.#options.placeOf({ clientX: finger.startX, clientY: finger.startY });
    finger.clientX -= across * touchTurnPixels;
    finger.clientY -= down * touchTurnPixels;
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

/** The elements that mouse and fingers act on. */
interface PointerInputOptions {
  readonly surface: HTMLElement;
  /** The element that scrolls if the screen is larger than its place. */
  readonly scroller: HTMLElement;
  readonly placeOf: (event: { readonly clientX: number; readonly clientY: number }) => ScreenPlace;
  readonly isDriving: () => boolean;
  readonly send: (message: InputMessage) => void;
  readonly onPress: () => void;
}
