import { poll } from '../../lib/index.ts';
import { desktop, type Service } from '../../protocol/index.ts';
import type { AgentLink } from '../agent-link.ts';
import { START_MS, type Part } from './part.ts';

/** VS Code's server, as the agent's side of the bridge reports it. */
export function agentPart(link: AgentLink): Part {
  return {
    name: 'code-server',
    needs: [],
    startMs: START_MS,
    async start(signal) {
      const connect = async () => ({ done: true, value: await link.peer(signal) }) as const;
      const peer = await poll("the agent's side of the bridge", connect, { intervalMs: 25, signal });
      let last: Service | undefined;
      let onLost: (why: string) => void = () => undefined;
      const listening = peer.on(desktop.changed, (service) => {
        last = service;
        if (service.state !== 'ready') onLost(reason(service));
      });
      try {
        await peer.request(desktop.wait, { timeoutMs: START_MS }, signal);
      } catch (error) {
        listening[Symbol.dispose]();
        throw error;
      }
      const lost = new Promise<string>((resolve) => {
        onLost = resolve;
        if (last && last.state !== 'ready') resolve(reason(last));
      });
      return {
        ended: Promise.race([lost, peer.closed.then(() => "the agent's side of the bridge ended")]),
        [Symbol.asyncDispose]: () => Promise.resolve(listening[Symbol.dispose]()),
      };
    },
  };
}

function reason({ state, detail }: Service): string {
  return detail ?? `code-server is ${state}`;
}
