import assert from 'node:assert/strict';
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { Cli, projectFolder } from '../support/cli.ts';
import { openRedis } from '../../bench/lib/queue-server.ts';

/** A program of a user's, which plays an episode, and has another one when its worker ends. */
const python = `
import json, sys, pwp_env
client = pwp_env.Client()
with client.open(picture="none") as episode:
    said = episode.step({"tool": "shell", "arguments": {"command": "pwd"}}).outcomes[0].output.strip()
    reward = episode.grade().reward
lost = client.open(picture="none")
print(json.dumps({"worker": lost.id.split("_")[0], "said": said, "reward": reward}), flush=True)
sys.stdin.read()
try:
    lost.observe()
except pwp_env.PwpError as error:
    print(error.code)
`;

describe('pwp serve --worker and --queue', () => {
  it('play episodes at one address, which says when the worker has ended', async () => {
    await using server = await openRedis();
    await using owned = new AsyncDisposableStack();
    const cli = new Cli(undefined, { PWP_QUEUE: server.url });
    const start = async (...args: string[]) => {
      const child = cli.start('serve', '--task', 'tasks/vscode/swap-text-test', '--json', ...args);
      const exited = once(child, 'exit');
      owned.defer(async () => {
        child.kill('SIGTERM');
        await exited;
      });
      return { child, exited, said: await readJson(child) };
    };
    const worker = await start('--worker', '--max-episodes', '2', '--label', 'test');
    const front = await start('--front');
    assert.partialDeepStrictEqual(worker.said, { capacity: 2 });
    const { url: PWP_SERVER = '', token: PWP_TOKEN = '' } = front.said as Record<string, string>;
    const env = { PYTHONPATH: `${projectFolder}/python`, PWP_SERVER, PWP_TOKEN };
    const playing = execa('python3', ['-c', python], { env, stdin: 'pipe' });
    const [line] = (await once(createInterface(playing.stdout), 'line')) as [string];
    assert.deepEqual(JSON.parse(line), {
      worker: (worker.said as { worker: string }).worker,
      said: 'exit code 0\n/workspace',
      reward: 0,
    });
    const began = performance.now();
    worker.child.kill('SIGTERM');
    await worker.exited;
    assert.ok(performance.now() - began < 30_000);
    playing.stdin.end();
    assert.match((await playing).stdout, /\nno-such-episode$/);
  });
});

/** The first value that a command prints. */
async function readJson({ stdout, stderr }: ChildProcess): Promise<unknown> {
  assert.ok(stdout && stderr);
  stderr.pipe(process.stderr);
  let text = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.trimEnd().endsWith('}')) return JSON.parse(text) as unknown;
  }
  throw new Error(`it ended before it listened: ${text}`);
}
