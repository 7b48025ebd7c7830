import { createHash } from 'node:crypto';
import { markup, trusted, type Html } from './markup.ts';

export interface Page {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  readonly body: Html;
}

/**
 * A whole document. Its policy allows only its own style and script, by their hashes, and pictures inside the file: even
 * text that got past the escaping could neither run nor reach the network.
 */
export function page({ title, style, script, body }: Page): string {
  const scripts = script === undefined ? "'none'" : hash(script);
  const policy = `default-src 'none'; img-src data:; style-src ${hash(style)}; script-src ${scripts}; base-uri 'none'; form-action 'none'`;
  const document = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${trusted(`<style>${style}</style>`)}
      </head>
      <body>
        ${body}${script !== undefined && trusted(`<script>${script}</script>`)}
      </body>
    </html>`;
  return `${document.text}\n`;
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
