import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressOf } from '../../bridge/lib/index.ts';

export interface PageOptions {
  /** As text of HTML. */
  readonly name: string;
  readonly token: string;
  /** Nonce of the one script that may run. */
  readonly nonce: string;
}

/** Sends a page that may load what this server has, and run one script. */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  title: string,
  render: (options: PageOptions) => string,
): void {
  const token = addressOf(request)?.searchParams.get('token') ?? '';
  const nonce = randomBytes(16).toString('base64');
  const name = title.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; img-src 'self' data:; media-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
  });
  response.end(render({ name, token, nonce }));
}
