import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, poll, startChild } from '../../../bridge/lib/index.ts';
import type { LaunchArguments } from './launchArguments.ts';

/** A port that is free in the run's network namespace. */
const address = '127.0.0.1:8080';
const program = '/opt/code-server/node_modules/code-server';

/** Folders for its data. Both are absolute paths. */
export type Folders = Pick<LaunchArguments, 'userDataDir' | 'extensionsDir'>;

/** Options for a run of tests in its extension host. */
export const forTests = [
  '--disable-workspace-trust',
  // Without it the page ignores the payload and the run never reports.
  ...['--vscode-option', 'enable-smoke-test-driver'],
];

/** Starts code-server and waits until it answers. */
export async function startCodeServer(
  launch: Folders,
  extra: readonly string[],
  signal: AbortSignal,
): Promise<Child> {
  const child = await startChild(process.execPath, [program, ...options(launch), ...extra], {
    env: process.env,
    log: join(launch.userDataDir, 'code-server.log'),
  });
  await poll('code-server', async () => answer(await fetch(`http://${address}/healthz`)), {
    intervalMs: 50,
    signal,
  });
  return child;
}

/** Installs an extension where {@link startCodeServer} finds it. @param vsix absolute path */
export async function installExtension(launch: Folders, vsix: string, signal: AbortSignal): Promise<void> {
  const args = [program, ...folderOptions(launch), '--install-extension', vsix];
  await promisify(execFile)(process.execPath, args, { signal });
}

/** The page that opens a folder, as a user opens it. @param folder absolute path */
export function folderUrl(folder: string): string {
  return `http://${address}/?${new URLSearchParams({ folder }).toString()}`;
}

/**
 * The page that opens `target` and runs the tests in its extension host. Extension and tests are given as the browser
 * loads them: through the server, whose authority is host and port.
 */
export function pageUrl(launch: LaunchArguments): string {
  const remote = (path: string) => `vscode-remote://${address}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(launch.extensionDevelopmentPath)],
    ['extensionTestsPath', remote(launch.extensionTestsPath)],
    ['logLevel', 'off'],
    ['skipWelcome', 'true'],
  ];
  const kind = launch.target.endsWith('.code-workspace') ? 'workspace' : 'folder';
  const query = new URLSearchParams({ [kind]: launch.target, payload: JSON.stringify(payload) });
  return `http://${address}/?${query.toString()}`;
}

function options(launch: Folders): string[] {
  return [
    ...['--auth', 'none', '--bind-addr', address],
    ...folderOptions(launch),
    ...['--disable-telemetry', '--disable-update-check'],
  ];
}

function folderOptions({ userDataDir, extensionsDir }: Folders): string[] {
  return ['--user-data-dir', userDataDir, '--extensions-dir', extensionsDir];
}

function answer(response: Response) {
  return response.ok
    ? { done: true as const, value: undefined }
    : { done: false as const, saw: `status ${response.status}` };
}
