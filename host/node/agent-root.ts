import * as z from 'zod';
import { defaultWorkspace, workspaceFolder } from '../../bridge/protocol/index.ts';

/** A folder of a layer, or a variable's value: longer ones fit neither mount options nor a process. */
const mostCharacters = 4096;
/** The kernel starts no program with a longer variable, its name included. */
export const mostVariableBytes = 128 * 1024 - 1;
/** The kernel stacks no more. */
const mostLayers = 500;

/** As container engines bound it. */
const userNumber = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);

const agentUserSchema = z.object({
  uid: userNumber,
  gid: userNumber,
  groups: z.array(userNumber).max(1000).readonly().describe('further ones that it is in'),
  home: workspaceFolder.describe('its home'),
});

/** The user that the programs of an agent's side run as. It has no capability. */
export type AgentUser = z.output<typeof agentUserSchema>;

/** The user in our own image. */
export const rootUser: AgentUser = { uid: 0, gid: 0, groups: [], home: '/root' };

export const agentRootSchema = z.object({
  image: z.string().max(mostCharacters).describe('the image, as it was asked for'),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .describe('of its configuration: another one for other layers, variables, user or working folder'),
  layers: z
    .array(z.string().startsWith('/').max(mostCharacters))
    .min(1)
    .max(mostLayers)
    .readonly()
    .describe('folders, the uppermost first; never to be written to'),
  env: z
    .record(z.string().regex(/^[^=\0]+$/), z.string().max(mostVariableBytes))
    .readonly()
    .describe("the image's variables, without HOME"),
  entrypoint: z
    .array(z.string().max(mostCharacters))
    .max(100)
    .readonly()
    .optional()
    .describe('what the image runs its programs by'),
  workdir: z.string().startsWith('/').max(mostCharacters).describe('its working folder'),
  user: agentUserSchema.default(rootUser).describe('absent in records of an earlier version'),
});

/**
 * The root of a sandbox on the agent's side, where it is not our own image's. Our programs run there from `/.pwp`, where
 * our image is mounted, and load nothing of this root.
 */
export type AgentRoot = z.output<typeof agentRootSchema>;

/** Finds or fetches an image as the root of an agent. */
export type FetchAgentRoot = (image: string, options: { readonly signal: AbortSignal }) => Promise<AgentRoot>;

/** Facts about an image as the root of a sandbox's agent. */
export interface AgentRootInfo extends Pick<AgentRoot, 'image' | 'digest'> {
  /** The folder that its sandboxes have open: its working folder, or `/workspace` if that is no folder to work in. */
  readonly workspace: string;
  /** The home of the user that its programs run as. */
  readonly home: string;
}

/** An image without a working folder has `/`, where no one works. */
export function summarizeAgentRoot({ image, digest, workdir, user }: AgentRoot): AgentRootInfo {
  return { image, digest, workspace: workdir === '/' ? defaultWorkspace : workdir, home: user.home };
}

/** Digits of a root's digest in the key of a sandbox's image. */
const keyDigits = 16;

/** The key of what a sandbox is made from: our image, and its agent's root where that is another one. */
export function addRootToKey(imageKey: string, root: Pick<AgentRoot, 'digest'> | null): string {
  return root ? `${imageKey}+${root.digest.slice('sha256:'.length).slice(0, keyDigits)}` : imageKey;
}

/** The key of our own image, of a key with or without a root. */
export function dropRootFromKey(key: string): string {
  return key.split('+', 1)[0] ?? key;
}
