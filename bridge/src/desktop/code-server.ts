import { poll } from '../../lib/index.ts';
import { codeServerPort, places, type Config } from '../config.ts';
import { START_MS, type Part } from './part.ts';
import { describeExit, startProgram, whileAlive } from './program.ts';

/** An extension host ends this many seconds after its window died; VS Code's own default is three hours. */
const GRACE_SECONDS = 30;

/** VS Code's server. */
export function codeServer({ env }: Config): Part {
  return {
    name: 'code-server',
    needs: [],
    startMs: START_MS,
    mayWork: true,
    async start(signal) {
      const child = await startProgram('code-server', argv(), {
        cwd: places.workspace,
        env: {
          ...env,
          PWP_SOCKET_DIR: places.extensionSockets,
          // Both are about memory, as are the arguments below: fewer arenas, smaller young generations (measured:
          // 110 MB less).
          MALLOC_ARENA_MAX: '1',
          NODE_OPTIONS: '--max-semi-space-size=1',
        },
      });
      try {
        const answering = poll('code-server', () => probe(signal), { intervalMs: 25, signal });
        await whileAlive('code-server', child, answering);
      } catch (error) {
        await child.stop();
        throw error;
      }
      return {
        ended: child.stopped.then((exit) => describeExit('code-server', exit)),
        [Symbol.asyncDispose]: async () => void (await child.stop()),
      };
    },
  };
}

async function probe(signal: AbortSignal) {
  const { status } = await fetch(`http://127.0.0.1:${codeServerPort}/healthz`, { signal });
  return status === 200
    ? ({ done: true, value: true } as const)
    : ({ done: false, saw: `status ${status}` } as const);
}

function argv(): [string, ...string[]] {
  return [
    places.node,
    // Passed down to the extension host. The old generation grows less between two collections (100 MB less).
    '--optimize-for-size',
    '--disable-sigusr1',
    places.codeServer,
    '--auth=none',
    `--bind-addr=127.0.0.1:${codeServerPort}`,
    `--user-data-dir=${places.ideData}`,
    `--extensions-dir=${places.ideExtensions}`,
    `--reconnection-grace-time=${GRACE_SECONDS}`,
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-workspace-trust',
    '--disable-getting-started-override',
    places.workspace,
  ];
}
