import { randomBytes } from 'node:crypto';
import type { PictureOptions, Sandbox } from '../../node/index.ts';
import { screenRoutes } from '../screen.ts';
import type { Routes } from '../server.ts';
import { sendLooks } from './events.ts';
import { page } from './page.ts';

/**
 * A page (`/`) with the live screen of an IDE, its marks drawn over it, and its state as a tree, both searchable; and the
 * page's sources: `/look` as events, `/screen.mjpeg`, `/screen.png`.
 * @param open returns the sandbox as soon as it is ready
 */
export function inspectRoutes(title: string, open: (signal: AbortSignal) => Promise<Sandbox>): Routes {
  const take = async (wanted: PictureOptions, signal: AbortSignal) =>
    (await open(signal)).picture({ ...wanted, signal });
  return {
    ...screenRoutes({ title, take }),
    '/': (request, response) => {
      const token = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('token') ?? '';
      const nonce = randomBytes(16).toString('base64');
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `default-src 'none'; img-src 'self' data:; connect-src 'self'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
      });
      response.end(page({ title, token, nonce }));
      return Promise.resolve();
    },
    '/look': (_, response, signal) => sendLooks(response, open, signal),
  };
}
