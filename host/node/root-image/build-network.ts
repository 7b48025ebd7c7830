import { deadline } from '../../../bridge/lib/index.ts';
import { createNetworkNamespace, unmountBelow } from '../container/index.ts';
import { createProxyEgress, openSandboxNetwork, proxyEnvironment } from '../network/index.ts';

/**
 * What the commands of a Dockerfile reach: `public`, what a proxy of ours lets through, with nothing of this machine and
 * its network; `host`, all that this machine reaches.
 */
export type BuildNetwork = 'public' | 'none' | 'host';

/** The network of one build. Disposing it closes it. */
interface OpenedBuildNetwork extends AsyncDisposable {
  /** For buildah. */
  readonly flags: readonly string[];
  /** Hosts that were refused, with the reason; each once. */
  readonly refusals: () => readonly string[];
}

const unmountMs = 10_000;

/**
 * Opens the network of a build.
 * @param path where a network namespace can be mounted
 * Errors: `network-failed`.
 */
export async function openBuildNetwork(
  network: BuildNetwork,
  path: string,
  signal: AbortSignal,
): Promise<OpenedBuildNetwork> {
  const refused = new Set<string>();
  const refusals = () => [...refused];
  if (network === 'host')
    return { flags: ['--network', 'host'], refusals, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using stack = new AsyncDisposableStack();
  await createNetworkNamespace(path, signal);
  stack.defer(async () => {
    using limit = deadline(`unmounting ${path}`, unmountMs);
    await unmountBelow(path, limit.signal);
  });
  const policy = { mode: network === 'public' ? 'public' : 'no-network' } as const;
  const opened = stack.use(
    await openSandboxNetwork(policy, path, (one) => createProxyEgress(one, {}), signal),
  );
  opened?.onRefusal(({ host, port, why }) => refused.add(`${host}:${port} (${why})`));
  const open = stack.move();
  return {
    flags: ['--network', `ns:${path}`, ...proxyArguments(proxyEnvironment(policy))],
    refusals,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Arguments that every Dockerfile has, and that are not written to the image. */
function proxyArguments(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables)
    .filter(([name]) => /^(?:https?|no)_proxy$/i.test(name))
    .flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
}
