import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import * as z from 'zod';
import { noteAttack } from '../support/attacks.ts';
import { Cli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { JsonDocuments } from '../support/json-documents.ts';

const printed = z.object({ url: z.url() });

describe('a signal from another process of the same user', () => {
  it('opens no debugger in a command that runs', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('study/attempts'), { recursive: true });
    const child = new Cli(undefined).start('view', folder.file('study'), '--json');
    const exit = once(child, 'exit');
    let said = '';
    child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
    const { url } = printed.parse(await new JsonDocuments(child).next());
    for (const pid of [child.pid ?? 0, ...childrenOf(child.pid ?? 0)]) process.kill(pid, 'SIGUSR1');
    // It still answers, so it has had the signal by now.
    const { status } = await fetch(url);
    child.kill('SIGINT');
    await exit;
    const held = !said.includes('Debugger listening') && status < 500;
    noteAttack({ on: 'the host', what: 'sends a command SIGUSR1', node: null, held });
    assert.doesNotMatch(said, /Debugger listening/);
    assert.ok(status < 500);
  });
});

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}
