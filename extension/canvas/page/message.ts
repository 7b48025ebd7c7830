/** To the page: the file's text, at first and whenever it changes other than by the page. */
export interface ShowText {
  readonly kind: 'show';
  readonly text: string;
}

/** From the page. */
export type FromPage = { readonly kind: 'ready' } | { readonly kind: 'edit'; readonly text: string };
