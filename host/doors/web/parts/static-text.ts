import { nothing } from 'lit-html';
import type { Html } from './html.ts';

/** The HTML of a template as text, as lit draws it in a browser; without what needs a script: listeners, properties. */
export function renderToText(value: unknown): string {
  if (value === nothing || value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(renderToText).join('');
  if (typeof value === 'string') return escapeHtml(value);
  if (!isTemplate(value)) return JSON.stringify(value);
  const { texts, places } = readTemplate(value.strings);
  return places.reduce(
    (text, place, i) => text + renderPlace(place, value.values) + (texts[i + 1] ?? ''),
    texts[0] ?? '',
  );
}

function isTemplate(value: unknown): value is Html {
  return typeof value === 'object' && value !== null && '_$litType$' in value;
}

/** The place of a value in a template: among the children of an element, or in an attribute, with the text around it. */
interface TemplatePlace {
  /** Null for children. With lit's prefix: `?` is a boolean attribute, `@` a listener, `.` a property. */
  readonly attribute: string | null;
  readonly around: readonly string[];
  /** Index of the first of its values. */
  readonly first: number;
}

interface ReadTemplate {
  readonly texts: readonly string[];
  readonly places: readonly TemplatePlace[];
}

/** Each template is read once: its strings are the same array every time. */
const readTemplates = new WeakMap<TemplateStringsArray, ReadTemplate>();

function readTemplate(strings: TemplateStringsArray): ReadTemplate {
  const known = readTemplates.get(strings);
  if (known) return known;
  const [texts, places]: [string[], TemplatePlace[]] = [[], []];
  let text = strings[0] ?? '';
  let isInTag = false;
  for (let i = 0; i < strings.length - 1; i += 1) {
    const next = strings[i + 1] ?? '';
    isInTag = endsInTag(text, isInTag);
    const [whole = '', attribute, quote, before = ''] =
      (isInTag && /\s([?@.]?[\w-]+)=("?)([^"<>]*)$/.exec(text)) || [];
    if (isInTag && attribute === undefined)
      throw new Error(`a value in a tag is not in an attribute: ${text}`);
    texts.push(text.slice(0, text.length - whole.length));
    const around = [before];
    const first = i;
    text = next;
    if (quote === '"') {
      while (!text.includes('"') && i < strings.length - 2) {
        around.push(text);
        text = strings[(i += 1) + 1] ?? '';
      }
      const end = text.indexOf('"');
      around.push(text.slice(0, end));
      text = text.slice(end + 1);
    } else around.push('');
    places.push({ attribute: attribute ?? null, around, first });
  }
  const read = { texts: [...texts, text], places };
  readTemplates.set(strings, read);
  return read;
}

/** Whether a text ends within a tag. @param isInTag whether it begins in one */
function endsInTag(text: string, isInTag: boolean): boolean {
  const [open, close] = [text.lastIndexOf('<'), text.lastIndexOf('>')];
  return open === -1 && close === -1 ? isInTag : open > close;
}

function renderPlace({ attribute, around, first }: TemplatePlace, values: readonly unknown[]): string {
  if (attribute === null) return renderToText(values[first]);
  const given = values.slice(first, first + around.length - 1);
  if (/^[@.]/.test(attribute) || given.includes(nothing)) return '';
  if (attribute.startsWith('?')) return given[0] ? ` ${attribute.slice(1)}` : '';
  const text = around.reduce((all, part, i) => all + renderToText(given[i - 1]) + part);
  return ` ${attribute}="${text}"`;
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => htmlEntities[sign] ?? sign);
}
