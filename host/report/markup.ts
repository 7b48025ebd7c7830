import { withoutUnsafe } from '../../bridge/lib/index.ts';

/** Markup that is safe to put on a page. Made by {@link markup}, which escapes all its values. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Values of a template: strings are escaped, lists joined, absent values left out. */
export type Fragment = Html | string | number | false | null | undefined | readonly Fragment[];

/** A template whose values are escaped, for element content and double-quoted attributes alike. */
export function markup(parts: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''));
}

/** Marks this project's own text as markup. Never use it for text from a sandbox. */
export function trusted(text: string): Html {
  return new Html(text);
}

function render(value: Fragment): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(render).join('');
  return escapeText(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  // HTML forbids control characters, and characters that change the text's direction mislead: a visible sign replaces both.
  return withoutUnsafe(text.replaceAll(/\r\n?/g, '\n')).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
