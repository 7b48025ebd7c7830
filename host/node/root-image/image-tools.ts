import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { pause, PwpError } from '../../../bridge/lib/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { readFreeBytes } from '../../lib/index.ts';
import type { RootStore } from './root-store.ts';

/** Debian's packages of these names. */
export type ImageTool = 'skopeo' | 'buildah';

interface ToolRun {
  readonly store: RootStore;
  readonly signal: AbortSignal;
  /** Called with each line that is printed. */
  readonly onLine?: (line: string) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** Commands that begin its command line, and start it where it is to run. */
  readonly within?: readonly string[];
}

/** How a tool ended. */
interface ToolEnd {
  readonly failed: boolean;
  readonly stdout: string;
  /** What it said at last. */
  readonly said: string;
}

/** Nothing of a tool outlives it or this process: neither its mounts nor the processes of a build. */
const isolationWords = [
  ...['setpriv', '--pdeathsig', 'KILL', '--'],
  ...['unshare', '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child=KILL'],
  ...['--mount-proc', '--'],
];
/** Those that say how to reach registries, and as whom. */
const passedVariables = [
  ...['HOME', 'XDG_RUNTIME_DIR', 'REGISTRY_AUTH_FILE', 'DOCKER_CONFIG', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
];
const keptBytes = 20_000;

/** Room on the disk of the store below which a tool is ended: a small layer may unpack to any size. */
const leastFreeBytes = 512 * 1024 * 1024;

/** Runs one of the tools on a store, to its end. Errors: `disk-full`, the signal's reason. */
export async function runTool(tool: ImageTool, args: readonly string[], run: ToolRun): Promise<ToolEnd> {
  const [ended, full] = [new AbortController(), new AbortController()];
  const watching = watchDisk(run.store, ended.signal, full);
  try {
    return await runToEnd(tool, args, { ...run, signal: AbortSignal.any([run.signal, full.signal]) });
  } finally {
    ended.abort();
    await watching;
  }
}

async function watchDisk({ folder }: RootStore, ended: AbortSignal, full: AbortController): Promise<void> {
  while (!ended.aborted && !full.signal.aborted) {
    const free = await readFreeBytes(folder);
    if (free < leastFreeBytes)
      full.abort(
        new PwpError('disk-full', `less than 512 MiB are free on the disk of ${folder}`, {
          help: 'Make room: pwp images prune --all removes images that nothing uses.',
        }),
      );
    else await pause(1000, ended).catch(() => undefined);
  }
}

async function runToEnd(tool: ImageTool, args: readonly string[], run: ToolRun): Promise<ToolEnd> {
  const { store, signal, within = [] } = run;
  const [file = '', ...words] = [...within, ...isolationWords, tool, ...args];
  const child = execa(file, words, {
    stdin: 'ignore',
    extendEnv: false,
    env: {
      ...Object.fromEntries(passedVariables.map((name) => [name, process.env[name]])),
      PATH: toolPath(),
      LC_ALL: 'C',
      CONTAINERS_STORAGE_CONF: store.settings,
      TMPDIR: store.temporary,
      ...run.env,
    },
    all: true,
    reject: false,
    // Ctrl-C is for us: we end the tool.
    detached: true,
    cancelSignal: signal,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for await (const line of child.iterable({ from: 'all' })) {
    said = clipEnd(`${said}${line}\n`, keptBytes);
    run.onLine?.(line);
  }
  const { failed, stdout, shortMessage = '' } = await child;
  signal.throwIfAborted();
  return { failed, stdout, said: said.trim() || shortMessage };
}

/** The reason that a tool gives, without the form of its log. */
export function readToolError(said: string): string {
  const fatal = [...said.matchAll(/level=(?:fatal|error) msg=("(?:[^"\\]|\\.)*")/g)].at(-1)?.[1];
  if (fatal !== undefined) return unquote(fatal).replace(/^Error parsing image name "[^"]*": /, '');
  const errors = [...said.matchAll(/^[Ee]rror: (.+)$/gm)].at(-1)?.[1];
  return errors ?? said.trim().split('\n').at(-1) ?? '';
}

function unquote(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}

/**
 * Makes sure that tools are installed.
 * @param install installs Debian packages; without it, missing ones are an error
 * Errors: `packages-missing`, `needs-linux`, `needs-root`.
 */
export async function requireTools(
  tools: readonly ImageTool[],
  install?: (packages: readonly string[]) => Promise<void>,
): Promise<void> {
  if (process.platform !== 'linux')
    throw new PwpError('needs-linux', 'images for the root of an agent can be fetched on Linux only');
  if (process.getuid?.() !== 0)
    throw new PwpError('needs-root', 'layers keep their owners, so fetching an image needs root', {
      help: 'Run it as root or with sudo.',
    });
  const missing = await findMissing(tools);
  if (missing.length === 0) return;
  await install?.(missing);
  const still = await findMissing(tools);
  if (still.length === 0) return;
  throw new PwpError('packages-missing', `missing Debian packages: ${still.join(' ')}`, {
    help: `Run: apt-get install -y --no-install-recommends ${still.join(' ')}`,
  });
}

async function findMissing(tools: readonly ImageTool[]): Promise<ImageTool[]> {
  const folders = toolPath().split(delimiter);
  const found = await Promise.all(
    tools.map(async (tool) => {
      const tries = folders.map((folder) => access(join(folder, tool), constants.X_OK));
      return Promise.any(tries).then(
        () => true,
        () => false,
      );
    }),
  );
  return tools.filter((_, i) => !found[i]);
}

function toolPath(): string {
  return `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
}
