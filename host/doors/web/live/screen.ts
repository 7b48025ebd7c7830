import { byId } from '../dom.ts';
import type { ScreenPlace, SoundHead, ToServer, UpdateHead } from './messages.ts';

/** The live picture of the sandbox's screen. */
export class ScreenCanvas {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  /** Updates are drawn one after the other. */
  #drawn: Promise<void> = Promise.resolve();

  constructor(canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('this browser draws no pictures');
    this.#canvas = canvas;
    this.#context = context;
  }

  resize(width: number, height: number): void {
    if (this.#canvas.width === width && this.#canvas.height === height) return;
    this.#canvas.width = width;
    this.#canvas.height = height;
  }

  draw(head: UpdateHead, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    let at = 0;
    const decoding = head.parts.map(({ bytes: length }) =>
      createImageBitmap(new Blob([bytes.subarray(at, (at += length))], { type: head.format })),
    );
    const before = this.#drawn;
    this.#drawn = Promise.all(decoding)
      .then(async (images) => {
        await before;
        for (const [i, image] of images.entries()) {
          this.#context.drawImage(image, head.parts[i]?.x ?? 0, head.parts[i]?.y ?? 0);
          image.close();
        }
        this.#canvas.dataset.serial = String(head.serial);
      })
      // A picture that can't be decoded is followed by others.
      .catch(() => undefined);
    return this.#drawn;
  }

  /** Converts a point of the window to one of the sandbox's screen. */
  placeOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): ScreenPlace {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    return {
      x: Math.floor(((clientX - left) * this.#canvas.width) / Math.max(1, width)),
      y: Math.floor(((clientY - top) * this.#canvas.height) / Math.max(1, height)),
    };
  }
}

interface KeyboardLock {
  lock?(): Promise<void>;
  unlock?(): void;
}

/** Fits the screen into the window or shows it pixel by pixel, and fills the person's own screen with it. */
export function listenToStage(onNotice: (text: string) => void): void {
  byId('fit').addEventListener('click', () => {
    const isWhole = document.body.classList.toggle('actual');
    byId('fit').setAttribute('aria-pressed', String(isWhole));
  });
  byId('full').addEventListener('click', () => {
    void toggleFull().catch(() => onNotice('This browser does not allow a full screen.'));
  });
  document.addEventListener('fullscreenchange', () => {
    const isFull = document.fullscreenElement !== null;
    byId('full').setAttribute('aria-pressed', String(isFull));
  });
}

async function toggleFull(): Promise<void> {
  const keyboard = (navigator as Navigator & { readonly keyboard?: KeyboardLock }).keyboard;
  if (document.fullscreenElement) {
    keyboard?.unlock?.();
    return document.exitFullscreen();
  }
  await document.documentElement.requestFullscreen({ navigationUI: 'hide' });
  // So that Ctrl+W, Ctrl+T, Alt+Tab and the like go to the sandbox. Only some browsers can, and only in full screen.
  await keyboard?.lock?.().catch(() => undefined);
}

/** Seconds by which playback is delayed, so that the next piece arrives in time. */
const leadSeconds = 0.15;

/** Plays the IDE's sound, for people who want to hear it. */
export class SoundPlayer {
  readonly #button: HTMLElement;
  readonly #send: (message: ToServer) => void;
  #context: AudioContext | undefined;
  /** When the last piece ends, on the context's clock. */
  #playedUntil = 0;

  constructor(button: HTMLElement, send: (message: ToServer) => void) {
    this.#button = button;
    this.#send = send;
    // Browsers let a page play only after a press.
    button.addEventListener('click', () => this.#toggle());
  }

  /** @param has whether the sandbox has sound */
  show(has: boolean): void {
    this.#button.hidden = !has;
    // After a reconnect, the server has to be asked again.
    if (this.#context) this.#send({ type: 'hear', on: true });
  }

  play({ rate, channels }: SoundHead, bytes: Uint8Array<ArrayBuffer>): void {
    const context = this.#context;
    const frames = Math.floor(bytes.byteLength / 2 / channels);
    if (!context || frames === 0) return;
    const samples = new DataView(bytes.buffer, bytes.byteOffset, frames * channels * 2);
    const buffer = context.createBuffer(channels, frames, rate);
    for (let channel = 0; channel < channels; channel += 1) {
      const data = buffer.getChannelData(channel);
      for (let i = 0; i < frames; i += 1)
        data[i] = samples.getInt16((i * channels + channel) * 2, true) / 0x8000;
    }
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    const soonest = context.currentTime;
    const at = this.#playedUntil > soonest ? this.#playedUntil : soonest + leadSeconds;
    source.start(at);
    this.#playedUntil = at + frames / rate;
    this.#button.dataset.played = String(Math.round(this.#playedUntil * 1000));
  }

  #toggle(): void {
    const on = this.#context === undefined;
    void this.#context?.close();
    this.#context = on ? new AudioContext() : undefined;
    this.#playedUntil = 0;
    this.#button.setAttribute('aria-pressed', String(on));
    this.#send({ type: 'hear', on });
  }
}
