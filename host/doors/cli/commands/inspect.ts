import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { deadline, PwpError } from '../../../../bridge/lib/index.ts';
import { dom } from '../../../../bridge/protocol/index.ts';
import { connectSocket, handshake, Peer } from '../../../../bridge/rpc/index.ts';
import { omitUndefined } from '../../../../bridge/text/index.ts';
import { annotate, marksText, pageText, pointerText, readIdeState, Session } from '../../../ide/index.ts';
import type { Node, Sandbox } from '../../../node/index.ts';
import { inspectRoutes, openServer, watchRoutes } from '../../serve/index.ts';
import { untilInterrupted, withNodeHolding } from '../context.ts';
import { allowHostOption, type AllowHostOption, parseCount, parsePort } from '../options.ts';
import { print, printJson } from '../output.ts';
import { hasSandboxEnded } from '../served-ide.ts';
import { observationJson } from './step.ts';

interface InspectOptions extends AllowHostOption {
  readonly socket?: string;
  readonly within?: string;
  readonly role?: string;
  readonly text?: string;
  readonly limit?: number;
  readonly element?: number;
  readonly from?: number;
  readonly depth?: number;
  readonly maxBytes?: number;
  readonly out?: string;
  readonly web?: true;
  readonly port: number;
  readonly json?: true;
}

export function addInspectCommand(program: Command): void {
  program
    .command('inspect')
    .description('print the state, marks, readable text, DOM or screenshot of a running IDE')
    .argument('[sandbox]', 'id of a running sandbox; or use --socket')
    .argument('[part]', 'state, marks, text, pointer, dom or screenshot', 'state')
    .option('--socket <path>', 'socket of an extension in any VS Code; state only')
    .option('--within <selector>', 'marks, text: only inside matches of this CSS selector; dom: the root')
    .option('--role <role>', 'marks: only with this role')
    .option('--text <text>', 'marks: only with this text in their name or value')
    .option('--limit <count>', 'marks, text: maximum number', parseCount)
    .option('--element <number>', 'dom: the root, by its number in an earlier output', parseCount)
    .option('--from <number>', 'dom: continue where an earlier output was cut', parseCount)
    .option('--depth <levels>', 'dom: maximum number of levels', parseCount)
    .option('--max-bytes <bytes>', 'dom, text: maximum size of the text', parseCount)
    .option('--out <file>', 'screenshot: the PNG to write; marks: the picture with marks drawn in')
    .option('--web', 'show everything live in a browser on this machine, until Ctrl-C')
    .option('--port <n>', 'with --web: port on 127.0.0.1; 0 for a free one', parsePort, 0)
    .addOption(allowHostOption())
    .option('--json', 'print as JSON')
    .action(inspectSandbox);
}

async function inspectSandbox(id: string | undefined, part: string, options: InspectOptions): Promise<void> {
  if (options.socket !== undefined) return inspectSocket(options.socket, id === undefined ? [] : [id, part]);
  if (id === undefined)
    throw new PwpError('usage', 'inspect: expected the id of a sandbox, or --socket <path>');
  await withNodeHolding(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    if (options.web) await inspectOnPage({ node, sandbox }, options, signal);
    else if (part === 'state')
      printJson(await readIdeState((method, params) => sandbox.call(method, params, { signal })));
    else if (part === 'dom') await inspectDom(sandbox, options, signal);
    else if (part === 'text' || part === 'pointer') await inspectText(sandbox, part, options, signal);
    else if (part === 'marks' || part === 'screenshot') await inspectScreen(sandbox, part, options, signal);
    else
      throw new PwpError(
        'usage',
        `inspect: unknown part ${part}; expected state, marks, text, pointer, dom or screenshot`,
      );
  });
}

/** @param asked the arguments: only a part, since there is no sandbox to name */
async function inspectSocket(path: string, asked: readonly string[]): Promise<void> {
  if (asked.some((one) => one !== 'state'))
    throw new PwpError('usage', `inspect: --socket shows the state, not ${asked[0]}`, {
      help: 'Only sandboxes have marks, text, DOM and screenshots: pwp inspect <sandbox> marks',
    });
  using limit = deadline(`inspection of ${path}`, 15_000);
  await using peer = new Peer(await connectSocket(path, limit.signal));
  await handshake(peer, 'pwp inspect', limit.signal);
  printJson(await readIdeState((method, params) => peer.request(method, params, limit.signal)));
}

async function inspectOnPage(
  { node, sandbox }: { readonly node: Node; readonly sandbox: Sandbox },
  options: InspectOptions,
  signal: AbortSignal,
): Promise<void> {
  const open = () => Promise.resolve(sandbox);
  const routes = inspectRoutes({
    title: sandbox.id,
    open,
    hasEnded: () => hasSandboxEnded(node, sandbox.id),
  });
  await using server = await openServer(routes, options.port, { allowHosts: options.allowHost });
  print({ id: sandbox.id, url: server.url }, options.json ?? false, () => server.url);
  await untilInterrupted(signal);
}

async function inspectDom(sandbox: Sandbox, options: InspectOptions, signal: AbortSignal): Promise<void> {
  const { within, element: node, from, depth, maxBytes } = options;
  const asked = omitUndefined({ within, node, from, depth, maxBytes });
  const tree = await sandbox.call(dom.tree, asked, { signal });
  const more = tree.next === null ? '' : `\n… cut here; continue with --from ${tree.next}`;
  print(tree, options.json ?? false, () => tree.text + more);
}

async function inspectText(
  sandbox: Sandbox,
  part: 'text' | 'pointer',
  options: InspectOptions,
  signal: AbortSignal,
): Promise<void> {
  using session = new Session(sandbox);
  const json = options.json ?? false;
  if (part === 'pointer') {
    const pointer = await session.pointer({ signal });
    print({ id: sandbox.id, ...pointer }, json, () => pointerText(pointer));
    return;
  }
  const { within, limit, maxBytes } = options;
  const text = await session.text({ ...omitUndefined({ within, limit, maxBytes }), signal });
  print({ id: sandbox.id, ...text }, json, () => pageText(text));
}

async function inspectScreen(
  sandbox: Sandbox,
  part: 'marks' | 'screenshot',
  options: InspectOptions,
  signal: AbortSignal,
): Promise<void> {
  using session = new Session(sandbox);
  const { within, role, text, limit } = options;
  const observation = await session.observe({ marks: omitUndefined({ within, role, text, limit }), signal });
  const { screen, marks } = observation;
  const file = options.out ?? `${part}.png`;
  if (part === 'screenshot' || options.out !== undefined) {
    await writeFile(file, (part === 'marks' ? await annotate(screen, marks) : screen).bytes);
  }
  print(observationJson(observation), options.json ?? false, () =>
    part === 'marks' ? marksText(observation) : `${file}: ${screen.width}x${screen.height}`,
  );
}

interface WatchOptions extends AllowHostOption {
  readonly port: number;
  readonly json?: true;
}

export function addWatchCommand(program: Command): void {
  program
    .command('watch')
    .description('show the screen of a running sandbox live in a browser on this machine')
    .argument('<sandbox>', 'id of a running sandbox')
    .option('--port <n>', 'port on 127.0.0.1; 0 for a free one', parsePort, 0)
    .addOption(allowHostOption())
    .option('--json', 'print the address as JSON')
    .action(watchSandbox);
}

async function watchSandbox(id: string, options: WatchOptions): Promise<void> {
  await withNodeHolding(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    const open = () => Promise.resolve(sandbox);
    const routes = watchRoutes({ title: id, open, hasEnded: () => hasSandboxEnded(node, id) });
    await using server = await openServer(routes, options.port, { allowHosts: options.allowHost });
    print({ id, url: server.url }, options.json ?? false, () => server.url);
    await untilInterrupted(signal);
  });
}
