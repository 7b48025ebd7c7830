import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../lib/index.ts';
import { sendPage } from '../page.ts';
import { screenRoutes, type ScreenSource } from '../screen.ts';
import type { Routes } from '../server.ts';
import type { SocketHandler } from '../sockets.ts';
import { Channel } from './channel.ts';
import { html } from './html.ts';
import { serveIde, serveScreen, type IdeSource } from './viewer.ts';

/** A page (`/`) that shows a screen live, and the screen for programs. */
export function watchRoutes(source: ScreenSource): Routes {
  return pageRoutes(source, (socket, visitor, signal) =>
    serveScreen(source, new Channel(socket), visitor, signal),
  );
}

/** The same with an IDE's marks, state and steps. */
export function inspectRoutes(source: Omit<IdeSource, 'person'>): Routes {
  const named = { ...source, person: '' };
  return pageRoutes(source, (socket, visitor, signal) =>
    serveIde('inspect', named, new Channel(socket), visitor, signal),
  );
}

/** The same, with which a person can also take control, give it back, and answer agents. */
export function pairRoutes(source: IdeSource): Routes {
  return pageRoutes(source, (socket, visitor, signal) =>
    serveIde('pair', source, new Channel(socket), visitor, signal),
  );
}

function pageRoutes(source: ScreenSource, socket: SocketHandler): Routes {
  return {
    ...screenRoutes(source),
    '/': {
      shared: true,
      GET: async (request, response) => {
        const script = await readFile(join(packageFolder(), 'dist/page.js'), 'utf8');
        sendPage(request, response, source.title, (options) => html(options, script));
      },
    },
    '/live': { shared: true, socket },
  };
}
