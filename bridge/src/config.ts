import { imageMountPoint, imagePrograms } from '../lib/index.ts';
import * as z from 'zod';
import { defaultWorkspace, workspaceFolder } from '../protocol/index.ts';

const screenPixels = z.coerce.number().int().min(200).max(8192);
const environment = z.object({
  PWP_WIDTH: screenPixels.default(1920).describe('width of the screen in pixels'),
  PWP_HEIGHT: screenPixels.default(1080).describe('height of the screen in pixels'),
  PWP_AUDIO: z.stringbool().default(false).describe('whether there is a sound server'),
  PWP_WORKSPACE: workspaceFolder.default(defaultWorkspace).describe('the folder that is open in the window'),
});

/** The agent's paths inside a sandbox. Fixed: the image, the node and the bridge agree on them. */
export const agentPaths = {
  socket: '/run/pwp/bridge.sock',
  logs: '/run/pwp/log',
  extensionSockets: '/run/pwp/extension',
  ideData: '/ide/data',
  ideExtensions: '/ide/extensions',
  ideConfig: '/ide/code-server.yaml',
  start: '/ide/start.json',
  node: imagePrograms.node,
  codeServer: `${imageMountPoint}/opt/code-server/node_modules/code-server`,
} as const;

/**
 * The desktop's paths. Only its own user has access, and each path is the same in its root and in the agent's: a restored
 * socket is bound again by its path in the latter.
 */
export const desktopPaths = {
  socket: '/desk/bridge.sock',
  logs: '/desk/log',
  display: '/desk/X1',
  sound: '/desk/sound',
  browserProfile: '/desk/profile/chromium',
} as const;

/** On the sandbox's own loopback interface. History folders are hashed from it: it never changes. */
export const codeServerPort = 8080;

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

export interface BridgeConfig {
  readonly screen: ScreenSize;
  /** The sound of VS Code is captured. */
  readonly audio: boolean;
  /** The folder that the window has open: an absolute path. */
  readonly workspace: string;
  /** The environment that programs inherit: without the bridge's own variables. */
  readonly env: NodeJS.ProcessEnv;
}

/** Where commands and tools run, and the environment that they inherit. */
export interface ProgramSurroundings extends Pick<BridgeConfig, 'workspace'> {
  /** Found out at the first command, where it is an image's own. */
  readonly env: () => Promise<NodeJS.ProcessEnv>;
}

/** Reads the environment. Throws a `ZodError` that names the variable. */
export function readBridgeConfig(env: NodeJS.ProcessEnv): BridgeConfig {
  const {
    PWP_WIDTH: width,
    PWP_HEIGHT: height,
    PWP_AUDIO: audio,
    PWP_WORKSPACE: workspace,
  } = environment.parse(env);
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('PWP_'));
  return { screen: { width, height }, audio, workspace, env: Object.fromEntries(inherited) };
}
