import { deadline } from '../../../bridge/lib/index.ts';
import { createNetworkNamespace, unmountBelow } from '../container/index.ts';
import { createProxyEgress, openSandboxNetwork, proxyEnvironment } from '../network/index.ts';

/**
 * What a build reaches: its commands, what `ADD` fetches, and registries. `public`: what a proxy of ours lets through, with
 * nothing of this machine and its network. `host`: all that this machine reaches.
 */
export type BuildNetwork = 'public' | 'host';

/** The network of one build. Disposing it closes it. */
interface OpenedBuildNetwork extends AsyncDisposable {
  /** For buildah. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Begins the command line of buildah, which fetches for `ADD` and `FROM` itself. */
  readonly within: readonly string[];
  /** Hosts that were refused, with the reason; each once. */
  readonly refusals: () => readonly string[];
}

const unmountMs = 10_000;

/**
 * Opens the network of a build.
 * @param path where a network namespace can be mounted
 * @param names IP addresses of names that the proxy does not look up; these may be private
 * Errors: `network-failed`.
 */
export async function openBuildNetwork(
  network: BuildNetwork,
  path: string,
  names: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<OpenedBuildNetwork> {
  const refused = new Set<string>();
  const refusals = () => [...refused];
  if (network === 'host') {
    const none = { env: {}, within: [], [Symbol.asyncDispose]: () => Promise.resolve() };
    return { flags: ['--network', 'host'], refusals, ...none };
  }
  await using stack = new AsyncDisposableStack();
  await createNetworkNamespace(path, signal);
  stack.defer(async () => {
    using limit = deadline(`unmounting ${path}`, unmountMs);
    await unmountBelow(path, limit.signal);
  });
  const policy = { mode: network } as const;
  const opened = stack.use(
    await openSandboxNetwork(policy, path, (one) => createProxyEgress(one, names), signal),
  );
  opened?.onRefusal(({ host, port, why }) => refused.add(`${host}:${port} (${why})`));
  const open = stack.move();
  const env = proxyEnvironment(policy);
  return {
    flags: ['--network', `ns:${path}`, ...proxyArguments(env)],
    env,
    within: ['nsenter', `--net=${path}`, '--'],
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
