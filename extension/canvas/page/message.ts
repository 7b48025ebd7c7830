/** To the page: the file's text, at first and whenever it changes other than by the page. */
export interface ShowText {
  readonly kind: 'show';
  readonly text: string;
}

/** What the IDE does with the document; sent by the page, so that it comes after the edits that it is about. */
export type DocumentCommand = 'undo' | 'redo' | 'save';

/** From the page. */
export type FromPage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'command'; readonly command: DocumentCommand };
