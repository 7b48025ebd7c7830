import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { pwpHome } from '../../host/lib/index.ts';
import { buildSandboxPaths } from '../../host/node/container/sandbox-record.ts';
import type { Sandbox } from '../../host/node/index.ts';
import { CountedClient } from './counted-client.ts';

/** The peer, as published. */
export const playwrightMcp = '@playwright/mcp@0.0.83';

/**
 * The folder that the peer is installed in, once. It is not a dependency of this package: only this bench uses it.
 */
export async function installPlaywrightMcp(signal: AbortSignal): Promise<string> {
  const folder = join(pwpHome(), 'bench', playwrightMcp.replaceAll(/[^\w.-]/g, '-'));
  const program = join(folder, 'node_modules/@playwright/mcp/cli.js');
  try {
    await access(program);
  } catch {
    await mkdir(folder, { recursive: true });
    const words = [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      playwrightMcp,
    ];
    await execa('npm', words, { cancelSignal: signal, cwd: folder });
  }
  return program;
}

/**
 * The peer on the VS Code of a sandbox, in a window and a browser of its own: Debian's Chromium in the sandbox's network,
 * of the same size as ours. It answers with the time from its start until the workbench is there.
 */
export async function openPlaywright(
  program: string,
  sandbox: Sandbox,
): Promise<{ client: CountedClient; startMs: number }> {
  const { netns } = buildSandboxPaths(sandbox.id, pwpHome());
  const { width, height } = sandbox.display;
  const browser = ['--headless', '--isolated', '--no-sandbox', '--executable-path', '/usr/bin/chromium'];
  const size = ['--viewport-size', `${width}x${height}`];
  const begin = performance.now();
  const server = [`--net=${netns}`, '--', process.execPath, program, ...browser, ...size];
  const client = await CountedClient.start('nsenter', server, join(program, '../../../..'));
  await using owned = new AsyncDisposableStack();
  owned.use(client);
  await client.call('browser_navigate', { url: 'http://127.0.0.1:8080/?folder=/workspace' });
  await client.call('browser_wait_for', { text: 'notes.md' });
  const startMs = performance.now() - begin;
  // Its window accepts no keys yet, and the peer can't know that: it does not count against it.
  await client.call('browser_wait_for', { time: 5 });
  owned.move();
  return { client, startMs };
}
