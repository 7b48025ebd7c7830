import type { SoundHead, ToServer } from './message.ts';

/** Seconds by which playback is delayed, so that the next piece arrives in time. */
const leadSeconds = 0.15;

/** Plays the IDE's sound, for people who want to hear it. */
export class Sound {
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
