import type { NetworkPolicy } from '../spec.ts';
import { Gallery, galleryPort, readPackages } from './gallery/index.ts';
import { listenForEgress, openNetwork, type EgressFor, type SandboxNetwork } from '../network/index.ts';

/**
 * Opens everything that a sandbox may reach on this side of the wall: its network and the extension gallery, each where
 * the policy has it. Undefined if it has neither. Errors: `bad-host`, `network-failed`.
 */
export async function openEgress(
  policy: NetworkPolicy | undefined,
  netns: string,
  egressFor: EgressFor,
  signal: AbortSignal,
): Promise<SandboxNetwork | undefined> {
  const network = await openNetwork(policy, netns, egressFor, signal);
  if (!policy?.gallery) return network;
  try {
    const gallery = await listenForEgress(netns, galleryPort, new Gallery(readPackages), signal);
    return network ? both(network, gallery) : gallery;
  } catch (error) {
    await network?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** The gallery is asked by the IDE alone, and refuses nothing. */
function both(network: SandboxNetwork, gallery: SandboxNetwork): SandboxNetwork {
  return {
    onRefusal: (listener) => network.onRefusal(listener),
    hangUp: () => {
      network.hangUp();
      gallery.hangUp();
    },
    reopen: async (signal) => {
      await Promise.all([network.reopen(signal), gallery.reopen(signal)]);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([network[Symbol.asyncDispose](), gallery[Symbol.asyncDispose]()]);
    },
  };
}
