import { make } from '../../page/index.ts';
import type { MomentData } from './data.ts';
import { ask } from './server.ts';

/** The maximum number of moments to keep. */
const most = 80;
/** Milliseconds that a picture may take before the step is shown without it. */
const pictureMs = 400;

/** The moments of one attempt, as the server renders them. */
export class Moments {
  readonly #id: string;
  readonly #kept = new Map<string, Promise<MomentData>>();

  constructor(id: string) {
    this.#id = id;
  }

  /** @param at name or place of the moment */
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

  /** Forgets all moments: they may have been extended. */
  forget(): void {
    this.#kept.clear();
  }

  /** Preloads a moment and its picture. */
  async prepare(at: number): Promise<void> {
    const moment = await this.get(String(at)).catch(() => null);
    if (moment) void fragmentOf(moment);
  }
}

/** The rendered moment, once its picture is loaded. */
export async function fragmentOf({ html, line }: MomentData): Promise<HTMLElement> {
  const holder = make('div');
  // This project's own markup, in which the server has escaped everything from a record.
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
