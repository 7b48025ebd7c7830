import type { PictureOptions, Sandbox } from '../../node/index.ts';
import { sendPage } from '../page.ts';
import { screenRoutes, type HasEnded } from '../screen.ts';
import type { Routes } from '../server.ts';
import { sendLooks } from './events.ts';
import { page } from './page.ts';

/**
 * A page (`/`) with the live screen of an IDE, its marks drawn over it, and its state as a tree, both searchable; and the
 * page's sources: `/look` as events, `/screen.mjpeg`, `/screen.png`.
 * @param open returns the sandbox as soon as it is ready
 * @param hasEnded asked when it can't be read; default: it never ends
 */
export function inspectRoutes(
  title: string,
  open: (signal: AbortSignal) => Promise<Sandbox>,
  hasEnded?: HasEnded,
): Routes {
  const take = async (wanted: PictureOptions, signal: AbortSignal) =>
    (await open(signal)).picture({ ...wanted, signal });
  return {
    ...screenRoutes({ title, take, hasEnded }),
    '/': (request, response) => {
      sendPage(request, response, title, page);
      return Promise.resolve();
    },
    '/look': (_, response, signal) => sendLooks(response, { open, hasEnded }, signal),
  };
}
