import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutUnsafe } from '../../../bridge/text/index.ts';
import { packageFolder } from '../../lib/index.ts';

interface HtmlPage {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  readonly body: Html;
}

/** Style sheets of reports, beside this file. `tokens` and `elements` are on every page. */
export type ReportStyle = 'tokens' | 'elements' | 'summary' | 'timeline' | 'stage' | 'index-table' | 'study';

export function readReportStyles(...names: readonly ReportStyle[]): string {
  return readStyles(...names.map((name) => `host/read/report/styles/${name}.css`));
}

/** Style sheets as one text. Their paths are relative to the package's folder. */
export function readStyles(...paths: readonly string[]): string {
  return paths.map((path) => readFileSync(join(packageFolder(import.meta.url), path), 'utf8')).join('');
}

/**
 * A whole document. Its policy allows only its own style and script, by their hashes, and pictures inside the file: even
 * text that got past the escaping could neither run nor reach the network.
 */
export function renderPage({ title, style, script, body }: HtmlPage): string {
  const scripts = script === undefined ? "'none'" : hashForPolicy(script);
  const policy = `default-src 'none'; img-src data:; style-src ${hashForPolicy(style)}; script-src ${scripts}; base-uri 'none'; form-action 'none'`;
  const document = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${trustMarkup(`<style>${style}</style>`)}
      </head>
      <body>
        ${body}${script !== undefined && trustMarkup(`<script>${script}</script>`)}
      </body>
    </html>`;
  return `${document.text}\n`;
}

function hashForPolicy(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Markup that is safe to put on a page. Made by {@link markup}, which escapes all its values. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Values of a template: strings are escaped, lists joined, absent values left out. */
type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** A template whose values are escaped, for element content and double-quoted attributes alike. */
export function markup(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, index) => part + renderValue(values[index])).join(''));
}

/** Marks this project's own text as markup. Never use it for text from a sandbox. */
function trustMarkup(text: string): Html {
  return new Html(text);
}

function renderValue(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(renderValue).join('');
  return escapeHtml(String(value));
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  // HTML forbids control characters, and characters that change the text's direction mislead: a visible sign replaces both.
  return withoutUnsafe(text.replaceAll(/\r\n?/g, '\n')).replace(
    /[&<>"']/g,
    (sign) => htmlEntities[sign] ?? sign,
  );
}
