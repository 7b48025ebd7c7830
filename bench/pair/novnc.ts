import { once } from 'node:events';
import { access, mkdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { type WebSocket, WebSocketServer } from 'ws';
import { deadline, poll, startChild } from '../../bridge/lib/index.ts';
import { pwpHome } from '../../host/lib/index.ts';

/** The peer's page, as published. Its server is Debian's x11vnc. */
const library = '@novnc/novnc@1.7.0';
const folder = join(pwpHome(), 'bench', library.replaceAll(/[^\w.-]/g, '-'));

/** Installs the peer, once. It is not a dependency of this package: only this bench uses it. */
export async function installNoVnc(signal: AbortSignal): Promise<void> {
  const has = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  if (!(await has(join(folder, 'node_modules/@novnc/novnc/core/rfb.js')))) {
    await mkdir(folder, { recursive: true });
    const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', library];
    await execa('npm', words, { cancelSignal: signal, cwd: folder });
  }
  if (await has('/usr/bin/x11vnc')) return;
  const words = ['install', '--yes', '--no-install-recommends', 'x11vnc'];
  await execa('apt-get', words, { cancelSignal: signal, env: { DEBIAN_FRONTEND: 'noninteractive' } });
}

/** A page on which noVNC shows a display, with keyboard and mouse. */
export interface NoVnc extends AsyncDisposable {
  readonly url: string;
}

/**
 * Serves noVNC for a sandbox's display. x11vnc polls more often than by default, and the proxy between it and the page
 * only passes bytes on: the peer is shown at its best.
 * @param display e.g. `:31234`
 * @param pid a process of the sandbox: shared memory of the X server is that of its namespace
 */
export async function serveNoVnc(display: string, pid: number, signal: AbortSignal): Promise<NoVnc> {
  await using owned = new AsyncDisposableStack();
  const rfbPort = await freePort();
  const look = ['-wait', '10', '-defer', '5', '-nowait_bog'];
  const words = ['-display', display, '-rfbport', `${rfbPort}`, '-localhost', '-forever', '-shared', '-nopw'];
  const x11vnc = ['x11vnc', ...words, ...look, '-noipv6', '-norc', '-quiet'];
  // Memory is only shared with an X server of the same user and namespace; its socket is in a folder of root.
  const { uid, gid } = await stat(`/proc/${pid}`);
  const caps = '+dac_override,+dac_read_search';
  const user = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups'];
  const as = ['setpriv', ...user, '--inh-caps', caps, '--ambient-caps', caps];
  owned.use(
    await startChild('nsenter', ['-t', `${pid}`, '--ipc', '--', ...as, ...x11vnc], { env: process.env }),
  );
  await listens(rfbPort, signal);
  const script = await pageScript();
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : html);
  });
  owned.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  owned.defer(() => sockets.clients.forEach((client) => client.terminate()));
  sockets.on('connection', (socket) => passOn(socket, rfbPort));
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const all = owned.move();
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const html = `<!doctype html><meta charset="utf-8"><style>html,body,#screen{margin:0;height:100%}</style>
<div id="screen"></div><script type="module" src="/page.js"></script>`;

/** The library's own class, with its defaults but for the fit to the window, which our page has as well. */
async function pageScript(): Promise<string> {
  const contents = `import RFB from '@novnc/novnc';
    const rfb = new RFB(document.getElementById('screen'), location.href.replace('http', 'ws'));
    rfb.scaleViewport = true;
    rfb.addEventListener('connect', () => (document.body.dataset.state = 'live'));`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

/** Passes bytes on, both ways, until one end closes. */
function passOn(socket: WebSocket, port: number): void {
  const vnc = createConnection({ host: '127.0.0.1', port, noDelay: true });
  vnc.on('data', (bytes) => socket.send(bytes));
  vnc.on('close', () => socket.close());
  vnc.on('error', () => socket.terminate());
  socket.on('message', (bytes: Buffer) => vnc.write(bytes));
  socket.on('close', () => vnc.destroy());
  socket.on('error', () => vnc.destroy());
}

async function freePort(): Promise<number> {
  const server = createServer().listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listens(port: number, signal: AbortSignal): Promise<void> {
  using limit = deadline('x11vnc', 20_000, signal);
  const probe = async () => {
    const socket = createConnection({ host: '127.0.0.1', port });
    try {
      await once(socket, 'connect', { signal: limit.signal });
      return { done: true, value: undefined } as const;
    } catch {
      return { done: false, saw: 'a closed port' } as const;
    } finally {
      socket.destroy();
    }
  };
  await poll('x11vnc to listen', probe, { intervalMs: 50, signal: limit.signal });
}
