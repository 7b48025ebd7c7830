import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { raceSignal } from '../../../bridge/lib/index.ts';
import type { Sandbox } from '../../node/index.ts';
import { openServer, pairRoutes, type Link, type Rights, type Server } from '../../serve/index.ts';
import { port } from '../options.ts';
import { print } from '../output.ts';
import { printable } from '../printable.ts';
import { pairOptions } from '../serving.ts';
import { withSharedIde, type SharedIdeOptions } from '../shared-ide.ts';

interface Options extends Omit<SharedIdeOptions, 'sandbox'> {
  readonly port: number;
  readonly share?: Rights;
  /** Milliseconds. */
  readonly ttl: number;
  readonly json?: true;
}

export function addPair(program: Command): void {
  const command = program
    .command('pair')
    .description('work in an IDE together with agents: watch, take control, give it back, answer questions')
    .argument(
      '<folder|sandbox>',
      'folder to copy into the workspace of a new IDE, or id of a running sandbox',
    )
    .option('--port <n>', 'port on 127.0.0.1; 0 for a free one', port, 0)
    .addOption(
      new Option(
        '--share <rights>',
        'also print a link for somebody else, to watch or to take control',
      ).choices(['view', 'control']),
    )
    .option('--ttl <time>', 'how long that link is good, e.g. 90s, 30m or 8h', duration, 30 * 60_000)
    .option('--json', 'print addresses and sandbox as JSON, once the IDE is ready');
  pairOptions(command).action(pair);
}

async function pair(what: string, options: Options): Promise<void> {
  const isFolder = await isDirectory(what);
  const { folder, shared } = isFolder
    ? { folder: what, shared: options }
    : { folder: undefined, shared: { ...options, sandbox: what } };
  await withSharedIde(folder, shared, async (ide, signal, hasEnded) => {
    const routes = pairRoutes({
      title: isFolder ? basename(resolve(what)) : what,
      person: nameOf(),
      open: (within) => ide.sandbox(within),
      hasEnded,
    });
    await using server = await openServer(routes, options.port);
    const link = options.share && server.share({ rights: options.share, ttlMs: options.ttl });
    if (!options.json) process.stdout.write(`${addresses(server, link)}\n`);
    const sandbox = await ide.sandbox(signal);
    print({ id: sandbox.id, url: server.url, share: link ?? null }, options.json ?? false, () =>
      hint(sandbox),
    );
    await raceSignal(new Promise<never>(() => undefined), signal).catch(() => undefined);
  });
}

function addresses({ url }: Server, link: Link | undefined): string {
  if (!link) return url;
  const minutes = Math.round(link.ttlMs / 60_000);
  const rights = link.rights === 'view' ? 'to watch' : 'to watch and take control';
  return `${url}\n${link.url}  (${rights}, for ${minutes} min, on this machine)`;
}

function hint({ id }: Sandbox): string {
  return [
    'Open the address in a browser. Ctrl-C ends this. Agents join in the same sandbox:',
    `  pwp mcp --sandbox ${id}`,
    `  pwp step ${id} 'xdotool key F1'`,
    `  pwp diff ${id}`,
  ].join('\n');
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** As others in the page and in records see this person. */
function nameOf(): string {
  try {
    return printable(userInfo().username).slice(0, 100) || 'Person';
  } catch {
    return 'Person';
  }
}

/** As in `30m`, in milliseconds. */
function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})(s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(count) * ({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 0);
  if (!(ms > 0 && ms <= 20 * 86_400_000)) throw new InvalidArgumentError('expected e.g. 90s, 30m or 8h');
  return ms;
}
