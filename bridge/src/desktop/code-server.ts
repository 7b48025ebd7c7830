import { poll } from '../../lib/index.ts';
import { desktop, type Service } from '../../protocol/index.ts';
import type { AgentSideConnection } from '../agent-connection.ts';
import { agentPaths, type BridgeConfig, codeServerPort } from '../config.ts';
import { describeExit, type DesktopPart, PART_START_MS, startDesktopProgram, whileAlive } from './part.ts';

/** An extension host ends this many seconds after its window died; VS Code's own default is three hours. */
const GRACE_SECONDS = 30;

/** VS Code's server. */
export function codeServerPart({ env, workspace }: Pick<BridgeConfig, 'env' | 'workspace'>): DesktopPart {
  return {
    name: 'code-server',
    needs: [],
    startMs: PART_START_MS,
    mayWork: true,
    async start(signal) {
      const child = await startDesktopProgram('code-server', listCodeServerArguments(workspace), {
        cwd: workspace,
        env: {
          ...env,
          PWP_SOCKET_DIR: agentPaths.extensionSockets,
          // Both are about memory, as are the arguments below: fewer arenas, smaller young generations (measured:
          // 110 MB less).
          MALLOC_ARENA_MAX: '1',
          NODE_OPTIONS: '--max-semi-space-size=1',
        },
      });
      try {
        const answering = poll('code-server', () => probeCodeServer(signal), { intervalMs: 25, signal });
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

async function probeCodeServer(signal: AbortSignal) {
  const { status } = await fetch(`http://127.0.0.1:${codeServerPort}/healthz`, { signal });
  return status === 200
    ? ({ done: true, value: true } as const)
    : ({ done: false, saw: `status ${status}` } as const);
}

function listCodeServerArguments(workspace: string): [string, ...string[]] {
  return [
    agentPaths.node,
    // Passed down to the extension host. The old generation grows less between two collections (100 MB less).
    '--optimize-for-size',
    '--disable-sigusr1',
    agentPaths.codeServer,
    '--auth=none',
    // It writes one by itself, else into the home, which may not be writable.
    `--config=${agentPaths.ideConfig}`,
    `--bind-addr=127.0.0.1:${codeServerPort}`,
    `--user-data-dir=${agentPaths.ideData}`,
    `--extensions-dir=${agentPaths.ideExtensions}`,
    `--reconnection-grace-time=${GRACE_SECONDS}`,
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-workspace-trust',
    '--disable-getting-started-override',
    workspace,
  ];
}

/** VS Code's server, as the agent's side of the bridge reports it. */
export function agentSidePart(link: AgentSideConnection): DesktopPart {
  return {
    name: 'code-server',
    needs: [],
    startMs: PART_START_MS,
    async start(signal) {
      const connect = async () => ({ done: true, value: await link.peer(signal) }) as const;
      const peer = await poll("the agent's side of the bridge", connect, { intervalMs: 25, signal });
      let last: Service | undefined;
      let onLost: (why: string) => void = () => undefined;
      const listening = peer.on(desktop.changed, (service) => {
        last = service;
        if (service.state !== 'ready') onLost(describeService(service));
      });
      try {
        await peer.request(desktop.wait, { timeoutMs: PART_START_MS }, signal);
      } catch (error) {
        listening[Symbol.dispose]();
        throw error;
      }
      const lost = new Promise<string>((resolve) => {
        onLost = resolve;
        if (last && last.state !== 'ready') resolve(describeService(last));
      });
      return {
        ended: Promise.race([lost, peer.closed.then(() => "the agent's side of the bridge ended")]),
        [Symbol.asyncDispose]: () => Promise.resolve(listening[Symbol.dispose]()),
      };
    },
  };
}

function describeService({ state, detail }: Service): string {
  return detail ?? `code-server is ${state}`;
}
