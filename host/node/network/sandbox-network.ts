import { PwpError } from '../../../bridge/lib/index.ts';
import type { Refusal } from '../../../bridge/protocol/index.ts';
import type { NetworkPolicy, SandboxSpec } from '../sandbox-spec.ts';
import { EgressPolicy } from './egress-policy.ts';
import { EgressProxy } from './egress-proxy.ts';
import { type Egress, EgressListener, listenInNamespace } from './egress.ts';

/** Where the proxy answers inside a sandbox. */
const proxyPort = 3128;

/** A sandbox's one way out. Disposing it closes it. */
export interface SandboxNetwork extends AsyncDisposable {
  /** Reports the refusals so far at once, then each as it happens. */
  onRefusal(listener: (refusal: Refusal) => void): Disposable;
  /** Breaks all connections off: a checkpoint of the sandbox can't hold their other halves. */
  hangUp(): void;
  /** Opens it again where the namespace behind the same file is a new one. */
  reopen(signal: AbortSignal): Promise<void>;
}

/** Variables that tell programs inside where the proxy is; empty without one. */
export function proxyEnvironment(policy: NetworkPolicy | undefined): Readonly<Record<string, string>> {
  if (!hasNetwork(policy)) return {};
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const own = '127.0.0.1,localhost,::1';
  return {
    ...{ http_proxy: proxy, https_proxy: proxy, HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
    ...{ no_proxy: own, NO_PROXY: own },
    // Node's own fetch and http ask only then.
    NODE_USE_ENV_PROXY: '1',
  };
}

/** The network and gallery that a policy lets a sandbox reach, and how. */
export type EgressFactory = (policy: NetworkPolicy) => Egress;

/** Whether a sandbox has any way out. */
export function hasNetwork(policy: NetworkPolicy | undefined): policy is NetworkPolicy {
  return policy !== undefined && policy.mode !== 'no-network';
}

/**
 * A proxy in this process. Errors: `bad-host`.
 * @param names addresses of names that are not looked up; these may be private
 */
export function createProxyEgress(policy: NetworkPolicy, names: Readonly<Record<string, string>>): Egress {
  return new EgressProxy(new EgressPolicy(policy, names));
}

/**
 * Opens what the policy allows, in a network namespace that has nothing but its loopback.
 * Errors: `bad-host`, `network-failed`.
 */
export async function openSandboxNetwork(
  policy: NetworkPolicy | undefined,
  netns: string,
  egressFor: EgressFactory,
  signal: AbortSignal,
): Promise<SandboxNetwork | undefined> {
  if (!hasNetwork(policy)) return undefined;
  return listenForEgress(netns, proxyPort, egressFor(policy), signal);
}

/**
 * Listens on the loopback of a sandbox's network namespace; clients there are connected to `exit`. Errors:
 * `network-failed`.
 */
export async function listenForEgress(
  netns: string,
  port: number,
  exit: Egress,
  signal: AbortSignal,
): Promise<SandboxNetwork> {
  const listener = new EgressListener(await listenInNamespace(netns, port, signal), exit);
  return {
    onRefusal: (listener) => exit.refusals.on(listener),
    hangUp: () => listener.hangUp(),
    reopen: async (within) => listener.reopen(() => listenInNamespace(netns, port, within)),
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** A proxy lives in the process that started the sandbox: one that is kept would be cut off. Errors: `unsupported`. */
export function refuseKeptNetwork({ keep, network }: Pick<SandboxSpec, 'keep' | 'network'>): void {
  const gallery = network?.gallery === true;
  if (!keep || !(gallery || hasNetwork(network))) return;
  const what = gallery ? 'the gallery' : `network mode "${network?.mode}"`;
  throw new PwpError('unsupported', `a sandbox that is kept can't have ${what}`, {
    help: 'Start it without keep, or with no-network and no gallery: both end with the process that started it.',
  });
}
