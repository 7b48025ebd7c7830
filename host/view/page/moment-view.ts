import { make } from '../../page/index.ts';
import type { MomentData } from './data.ts';
import { ask } from './server.ts';

/** Moments that are kept. */
const most = 80;
/** Milliseconds that a picture may take before the step is shown without it. */
const pictureMs = 400;

/** The moments of one attempt as the server draws them. */
export class Moments {
  readonly #id: string;
  readonly #kept = new Map<string, Promise<MomentData>>();

  constructor(id: string) {
    this.#id = id;
  }

  /** @param at its name, or its place */
  get(at: string): Promise<MomentData> {
    const known = this.#kept.get(at);
    if (known) return known;
    const asked = ask<MomentData>('moment', { id: this.#id, at });
    this.#kept.set(at, asked);
    asked.catch(() => this.#kept.delete(at));
    const [first] = this.#kept.keys();
    if (this.#kept.size > most && first !== undefined) this.#kept.delete(first);
    return asked;
  }

  /** Asks again for each: they may have been written on. */
  forget(): void {
    this.#kept.clear();
  }

  /** Has a moment and its picture at hand. */
  async prepare(at: number): Promise<void> {
    const moment = await this.get(String(at)).catch(() => null);
    if (moment) void fragmentOf(moment);
  }
}

/** What a moment looks like, once its picture is there. */
export async function fragmentOf({ html, line }: MomentData): Promise<HTMLElement> {
  const holder = make('div');
  // Markup of this project's own, in which the server has escaped all that comes from a record.
  holder.innerHTML = html;
  const image = holder.querySelector('image');
  if (image) {
    const button = holder.querySelector('.open');
    image.addEventListener('error', () => lost(button, line.screen ?? ''));
    const loaded = new Image();
    loaded.src = image.getAttribute('href') ?? '';
    const late = new Promise((resolve) => setTimeout(resolve, pictureMs));
    await Promise.race([loaded.decode().catch(() => undefined), late]);
  }
  for (const picture of holder.querySelectorAll<HTMLImageElement>('img.returned'))
    picture.addEventListener('error', () =>
      picture.replaceWith(make('p', 'quiet', `A picture is missing: ${picture.alt}`)),
    );
  return holder;
}

function lost(button: Element | null, name: string): void {
  if (!button || button.classList.contains('lost')) return;
  button.classList.add('lost');
  button.after(make('p', 'alert', `The frame ${name} is missing or damaged.`));
}
