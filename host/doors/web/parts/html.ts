import { html as litHtml, nothing, svg as litSvg, type TemplateResult } from 'lit-html';
import type { DirectiveResult } from 'lit-html/directive.js';
import { withoutUnsafe } from '../../../../bridge/text/index.ts';

/** A part of a page. It is data: lit draws it in a browser, and `renderToText` writes it into a file. */
export type Html = TemplateResult;

/** Values of a template: lists are joined, and absent values are left out, with their attribute if they are one. */
export type HtmlValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Html
  | DirectiveResult
  | ((event: never) => unknown)
  | readonly HtmlValue[];

/** A template of HTML. Values are never read as HTML, and control characters in them are shown as a visible sign. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return litHtml(strings, ...values.map(toShown));
}

/** The same for what is inside of an `<svg>`. */
export function svg(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return litSvg(strings, ...values.map(toShown));
}

function toShown(value: HtmlValue): unknown {
  // HTML has no control characters, and those that change the direction of text mislead.
  if (typeof value === 'string') return withoutUnsafe(value.replaceAll(/\r\n?/g, '\n'));
  if (value === false || value === null || value === undefined) return nothing;
  return Array.isArray(value) ? value.map(toShown) : value;
}
