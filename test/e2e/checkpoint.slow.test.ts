import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { Cli } from '../support/cli.ts';
import { onEachNode } from '../support/each-node.ts';
import { bareSpec } from '../support/node-sandbox.ts';

const info = z.object({
  id: z.string(),
  name: z.string().nullable(),
  parent: z.string().nullable(),
  kind: z.string(),
});
const list = z.array(info);
const state = z.object({ editor: z.object({ text: z.string().optional(), uri: z.string() }).nullable() });
const forked = z.object({ sandboxes: z.array(z.object({ id: z.string() })) });

onEachNode('pwp checkpoint, restore, fork, checkpoints', (open, kind) => {
  const cli = new Cli(kind);
  let folder = '';
  let sandbox = '';
  const taken: string[] = [];
  const forks: string[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-e2e-'));
    await writeFile(join(folder, 'note.txt'), 'first\n');
    sandbox = z.object({ id: z.string() }).parse(await cli.json('up', folder)).id;
  });
  after(async () => {
    await cli.pwp('down', ...[sandbox, ...forks].filter((id) => id !== ''));
    if (taken.length > 0) await cli.pwp('checkpoints', 'delete', ...taken.toReversed());
    await rm(folder, { recursive: true });
  });

  async function take(...options: string[]): Promise<z.output<typeof info>> {
    const answer = info.parse(await cli.json('checkpoint', sandbox, ...options));
    taken.push(answer.id);
    return answer;
  }

  async function shown(id: string): Promise<string> {
    return state.parse(await cli.json('inspect', id)).editor?.uri ?? '';
  }

  it('takes checkpoints and restores the sandbox', async () => {
    const first = await take('--name', 'before all');
    assert.equal(first.name, 'before all');
    // A step each: the list of files has to be there before Return.
    for (const action of ['key ctrl+p', "type 'note.txt'", 'key Return']) {
      await cli.json('step', sandbox, `xdotool ${action}`);
    }
    assert.match(await shown(sandbox), /note\.txt/);
    const second = await take();
    assert.equal(second.parent, first.id);
    const { code, stdout, stderr } = await cli.pwp('restore', sandbox, first.id);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`returned to ${first.id}`));
    assert.doesNotMatch(await shown(sandbox), /note\.txt/);
    await cli.json('restore', sandbox, second.id);
    assert.match(await shown(sandbox), /note\.txt/);
  });

  it('lists them as a tree', async () => {
    const { stdout } = await cli.pwp('checkpoints');
    assert.match(stdout, new RegExp(`${taken[0]} +before all`));
    assert.match(stdout, new RegExp(`└─ ${taken[1]}`));
    const all = list.parse(await cli.json('checkpoints', 'list'));
    assert.ok(taken.every((id) => all.some((one) => one.id === id)));
  });

  it('forks sandboxes that stay', async () => {
    const { sandboxes } = forked.parse(await cli.json('fork', taken[1] ?? '', '-n', '1'));
    forks.push(...sandboxes.map((each) => each.id));
    assert.match(await shown(forks[0] ?? ''), /note\.txt/);
  });

  it('exports, deletes, refuses a deleted one, and imports again', async () => {
    const file = join(folder, 'checkpoint.pwp');
    const [, second = ''] = taken;
    assert.equal((await cli.pwp('checkpoints', 'export', second, file)).code, 0);
    assert.ok((await stat(file)).size > 0);
    await cli.pwp('down', ...forks.splice(0));
    assert.equal((await cli.pwp('checkpoints', 'delete', second)).code, 0);
    for (const line of [
      ['restore', sandbox, second],
      ['fork', second],
      ['checkpoints', 'delete', second],
    ]) {
      const { code, stderr } = await cli.pwp(...line);
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(second));
      assert.match(stderr, /pwp checkpoints/, stderr);
    }
    // The sandboxes of another process end with it, and on Docker the checkpoints beside them too.
    await using other = await open();
    await using beside = await other.node.start(bareSpec());
    void beside;
    taken[1] = info.parse(await cli.json('checkpoints', 'import', file)).id;
    await cli.json('restore', sandbox, taken[1]);
    assert.match(await shown(sandbox), /note\.txt/);
  });

  it('refuses to restore a checkpoint of another origin, unless --yes is given', async () => {
    const other = z.object({ id: z.string() }).parse(await cli.json('up', folder)).id;
    forks.push(other);
    const { id } = info.parse(await cli.json('checkpoint', other));
    const { code, stderr, stdout } = await cli.pwp('restore', sandbox, id, '--json');
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`began as ${other}`));
    assert.match(stdout, /"checkpoint-other-origin"/);
    await cli.json('restore', other, id);
    const forced = await cli.pwp('restore', sandbox, id, '--yes');
    // On Docker each command that starts a sandbox has a container of its own.
    if (kind === 'local') assert.equal(forced.code, 0, forced.stderr);
    else
      assert.match(
        forced.stderr,
        new RegExp(`${id} is in another container than ${sandbox}\\n +Start a new`),
      );
  });

  it('counts the steps of all commands, and compares a fork with the files it began with', async () => {
    const step = z.object({ info: z.object({ step: z.number() }) });
    const first = step.parse(await cli.json('step', sandbox, 'xdotool key Escape')).info.step;
    const second = step.parse(await cli.json('step', sandbox, 'xdotool key Escape')).info.step;
    assert.equal(second, first + 1);
    const [fork = ''] = forked.parse(await cli.json('fork', taken[0] ?? '')).sandboxes.map(({ id }) => id);
    forks.push(fork);
    const command = 'echo forked > /workspace/forked.txt';
    await cli.pwp('tool', fork, 'shell', JSON.stringify({ command }));
    assert.match((await cli.pwp('diff', fork)).stdout, /^\+forked$/m);
  });

  it('reports in pwp doctor what this machine can do', async () => {
    const found = z.array(z.object({ what: z.string(), state: z.string(), detail: z.string() }));
    const lines = found.parse(await cli.json('doctor'));
    for (const what of ['Docker', 'node', 'CRIU', 'checkpoints']) {
      assert.ok(
        lines.some((line) => line.what === what),
        what,
      );
    }
  });
});
