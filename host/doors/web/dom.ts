/** The element with this id, which the page always has. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** The dialog that shows a screen in full resolution. */
export class FullSize {
  readonly #dialog: HTMLDialogElement;

  constructor(dialog: HTMLDialogElement) {
    this.#dialog = dialog;
    dialog.querySelector('.close')?.addEventListener('click', () => this.close());
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) this.close();
    });
  }

  get isOpen(): boolean {
    return this.#dialog.open;
  }

  /** Shows a copy of a picture. */
  show(picture: Element | null): void {
    if (!picture) return;
    this.#dialog.querySelector('.scroller')?.replaceChildren(picture.cloneNode(true));
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  close(): void {
    this.#dialog.close();
  }
}
