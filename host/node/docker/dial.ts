import { lookup } from 'node:dns/promises';
import { Agent } from 'node:https';
import { networkInterfaces } from 'node:os';
import type Docker from 'dockerode';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Endpoint, EngineTls } from './endpoint.ts';

const ports = { plain: '2375', tls: '2376' };

/** Dockerode's options, with one that its types leave out. */
type DialOptions = Docker.DockerOptions & { readonly agent?: Agent };

/** The engine's address for dockerode. Errors: `docker-remote`, `docker-context`. */
export async function dialOptions({ host, tls }: Endpoint): Promise<DialOptions> {
  if (host === null) return {};
  const path = /^(?:unix|npipe):\/\/(.+)$/.exec(host)?.[1];
  if (path !== undefined) return { socketPath: path };
  const url = URL.parse(host);
  if (url?.protocol === 'ssh:') throw remote(host, url.hostname);
  if (url?.protocol !== 'tcp:' || url.hostname === '')
    throw new PwpError('docker-context', `${JSON.stringify(host)} is not the address of an engine`, {
      help: 'Write unix:///path/to/docker.sock or tcp://127.0.0.1:port.',
    });
  const name = url.hostname.replace(/^\[|\]$/g, '');
  if (!(await isThisMachine(name))) throw remote(host, name);
  if (!tls) return { protocol: 'http', host: name, port: url.port || ports.plain };
  return { protocol: 'https', host: name, port: url.port || ports.tls, agent: agentOf(tls) };
}

function agentOf({ ca, cert, key, verify }: EngineTls): Agent {
  return new Agent({
    rejectUnauthorized: verify,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  });
}

/** An engine publishes a node's port on its own machine's loopback: elsewhere that can't be reached. */
function remote(endpoint: string, name: string): PwpError {
  const forwards = `-L /tmp/docker.sock:/var/run/docker.sock -L 4300:127.0.0.1:4300`;
  return new PwpError('docker-remote', `Docker's engine at ${endpoint} is on another machine`, {
    help:
      `Bring its socket and a port here: ssh -nNT ${forwards} ${name}, ` +
      'then set DOCKER_HOST=unix:///tmp/docker.sock and PWP_NODE_PORT=4300.',
  });
}

async function isThisMachine(name: string): Promise<boolean> {
  if (name === 'localhost') return true;
  const addresses = await lookup(name, { all: true }).catch(() => []);
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.some(
    ({ address }) => own.some((each) => each.address === address) || /^127\./.test(address),
  );
}
