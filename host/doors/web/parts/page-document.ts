import { html, type Html } from './html.ts';
import { renderToText } from './static-text.ts';

export interface PageDocument {
  readonly title: string;
  readonly style: string;
  /** A text without an end tag. */
  readonly script?: string | undefined;
  /** Content security policy, for a page that is a file: a server sends it as a header. */
  readonly policy?: string;
  /** The nonce of the script. */
  readonly nonce?: string;
  /** Default: the script draws it. */
  readonly body?: Html;
}

/** A whole page as text. */
export function renderDocument({ title, style, script, policy, nonce, body }: PageDocument): string {
  const head = html`<meta charset="utf-8" />
    ${policy !== undefined && html`<meta http-equiv="Content-Security-Policy" content="${policy}" />`}
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${nonce !== undefined && html`<link rel="icon" href="data:," />`}
    <title>${title}</title>`;
  const start = nonce === undefined ? '<script>' : `<script nonce="${nonce}">`;
  return `<!doctype html>
<html lang="en">
<head>
${renderToText(head)}
<style>${style}</style>
</head>
<body>
${renderToText(body ?? html`<noscript>This page needs JavaScript.</noscript>`)}
${script === undefined ? '' : `${start}${script}</script>`}
</body>
</html>
`;
}
