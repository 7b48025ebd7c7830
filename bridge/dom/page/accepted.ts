import { clip } from '../../text/index.ts';
import { descendantOf } from './focus.ts';
import { nameOf } from './names.ts';
import { roleOf } from './roles.ts';
import { activeElement } from './views.ts';

/** The entry of a quick pick, such as the command palette, at which Return was pressed: VS Code accepts that one. */
export class Accepted {
  #count = 0;
  #name = '';

  watch({ defaultView }: Document): void {
    defaultView?.addEventListener('keydown', (event) => this.#note(event), { capture: true, passive: true });
  }

  /** The newest; null before the first. */
  read(): { count: number; name: string } | null {
    return this.#count === 0 ? null : { count: this.#count, name: this.#name };
  }

  #note({ key, isTrusted }: KeyboardEvent): void {
    if (key !== 'Enter' || !isTrusted) return;
    const active = activeElement();
    const entry = active?.closest('.quick-input-widget') ? descendantOf(active) : null;
    if (!entry) return;
    this.#count += 1;
    this.#name = clip(nameOf(entry, roleOf(entry)), 300);
  }
}
