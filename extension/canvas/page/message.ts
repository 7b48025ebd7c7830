/** To the page: the file's text, at first and after each change that the page did not make. */
export interface ShowText {
  readonly kind: 'show';
  readonly text: string;
}

/** Commands of the IDE for the document, sent by the page so that they come after its edits. */
export type DocumentCommand = 'undo' | 'redo' | 'save';

/** From the page. */
export type FromPage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'edit'; readonly text: string }
  | { readonly kind: 'command'; readonly command: DocumentCommand };
