import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { poll } from '../../bridge/lib/index.ts';
import { type AttemptResult, recordedResult } from '../../host/run/index.ts';
import { attemptResult } from '../../host/run/study/attempt-result.ts';
import { Cli } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { slowIt } from '../support/slow.ts';
import { MiB, smallDisk } from '../support/small-disk.ts';
import { anthropic } from '../support/vendors/anthropic.ts';
import { VendorServer } from '../support/vendors/server.ts';

const summary = z.object({
  planned: z.number(),
  done: z.number(),
  stopped: z.string().nullable(),
  ends: z.record(z.string(), z.number()),
});

describe('pwp eval', () => {
  const cli = new Cli(undefined);
  const four = ['-t', 'tasks/vscode/swap-text-test', '-a', 'oracle', 'null', '-k', '2'];

  async function attemptsIn(study: string): Promise<AttemptResult[]> {
    const text = await readFile(join(study, 'attempts.jsonl'), 'utf8');
    const lines = text.trimEnd().split('\n');
    return lines.map((line) => attemptResult.parse(JSON.parse(line)));
  }

  const waitFor = (path: string) =>
    poll(
      path,
      async () =>
        access(path).then(
          () => ({ done: true, value: undefined }) as const,
          () => ({ done: false, saw: 'nothing' }) as const,
        ),
      { intervalMs: 100, signal: AbortSignal.timeout(120_000) },
    );

  slowIt('resumes after kill -9, and counts each attempt once', async () => {
    await using folder = await temporaryFolder();
    const study = folder.file('study');
    const args = ['eval', ...four, '-n', '2', '--out', study];
    const first = join(study, 'attempts/vscode-swap-text-test');
    const killed = cli.start(...args);
    const closed = once(killed, 'close');
    await waitFor(join(first, 'oracle/1/attempt.json'));
    killed.kill('SIGKILL');
    await closed;
    const before = await readFile(join(first, 'oracle/1/attempt.json'), 'utf8');

    assert.deepEqual(summary.parse(await cli.json(...args)), {
      ...{ planned: 4, done: 4, stopped: null },
      ends: { scored: 4 },
    });
    assert.equal(await readFile(join(first, 'oracle/1/attempt.json'), 'utf8'), before);
    const attempts = await attemptsIn(study);
    assert.deepEqual(
      attempts.map(({ task, agent, reward }) => `${task} ${agent} ${reward}`),
      [
        'vscode/swap-text-test oracle 1',
        'vscode/swap-text-test null 0',
        'vscode/swap-text-test oracle 1',
        'vscode/swap-text-test null 0',
      ],
    );
    const records = attempts.flatMap(({ task, agent, number, tries }) =>
      tries.map((one) => join(study, 'attempts', task.replace('/', '-'), agent, String(number), one.folder)),
    );
    const results = await Promise.all(
      records.map((path) => readFile(join(path, 'result.json'), 'utf8').catch(() => null)),
    );
    const own = results.flatMap((text) =>
      text === null ? [] : (recordedResult.parse(JSON.parse(text)).sandbox ?? []),
    );
    const running = z.array(z.object({ id: z.string() })).parse(await cli.json('sandboxes', 'list'));
    assert.deepEqual(
      running.filter(({ id }) => own.includes(id)),
      [],
    );

    const again = await cli.pwp(...args);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /^AGENT +VSCODE +OVERALL +PASSED/);
    assert.match(again.stdout, /^oracle +100\.0 ± 0\.0 +100\.0 ± 0\.0 +2\/2/m);
    assert.match(again.stdout, /^null +0\.0 ± 0\.0 +0\.0 ± 0\.0 +0\/2/m);
    const other = await cli.pwp(...args, '--max-steps', '50');
    assert.equal(other.code, 1);
    assert.match(other.stderr, /contains another study: max_steps is 50, was 20/);
  });

  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /a study needs tasks and agents/],
    [['-t', 'tasks/vscode', '-a', 'oracel'], /there is no agent "oracel"/],
    [['-t', 'tasks/vscode', '-a', 'cua'], /the agent cua needs a model/],
    [['-t', 'tasks/vscode', '-a', 'oracle', '-m', 'gpt-5.4'], /no agent of the study asks a model/],
    [['-t', 'tasks/vscode', '-a', 'oracle', '--budget', 'lots'], /"lots" is not a budget/],
    [['-t', 'tasks/vscode', '-a', 'cua', '-m', 'mystery'], /unknown model provider for "mystery"/],
  ];
  for (const [options, message] of wrong)
    it(`ends with 2 before any sandbox starts: ${options.join(' ')}`, async () => {
      await using folder = await temporaryFolder();
      const { code, stderr } = await cli.pwp('eval', ...options, '--out', folder.file('study'));
      assert.deepEqual([code, message.test(stderr)], [2, true], stderr);
      await assert.rejects(access(folder.file('study')));
    });

  it('estimates what a study would take, and does nothing', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('turns.jsonl'), '{"blocks": [{"kind": "text", "text": "Done."}]}\n');
    const lines = [
      'tasks = ["tasks"]',
      'attempts = 3',
      '[[agents]]\nagent = "oracle"',
      '[[agents]]\nname = "script"\nagent = "bash"\nmodel = "scripted:turns.jsonl"',
    ];
    await writeFile(folder.file('study.toml'), lines.join('\n'));
    const options = [folder.file('study.toml'), '-t', 'tasks', '--out', folder.file('study'), '--dry-run'];
    const { code, stdout, stderr } = await cli.pwp('eval', ...options);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^oracle +120 +none +none +asks no model$/m);
    assert.match(stdout, /^script +120 +none +none +asks no model$/m);
    assert.match(stdout, /^240 attempts, 0 of them over/m);
    await assert.rejects(access(folder.file('study')));
  });

  it('estimates a study without a key too, and says that no model was asked', async () => {
    await using folder = await temporaryFolder();
    const keyless = new Cli(undefined, { ANTHROPIC_API_KEY: '' });
    const asking = ['-t', 'tasks/vscode', '-a', 'cua', '-m', 'claude-opus-5', '--out', folder.file('study')];
    const { code, stdout, stderr } = await keyless.pwp('eval', ...asking, '--dry-run');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^cua claude-opus-5 +20 +[\d,]+k +\$\d/m);
    assert.match(stdout, /^claude-opus-5: there is no key, so it was not checked whether the model exists/m);
    const started = await keyless.pwp('eval', ...asking);
    assert.equal(started.code, 1, started.stdout);
    assert.match(started.stderr, /there is no key for anthropic/);
    await assert.rejects(access(folder.file('study')));
  });

  const refused = [
    ['claude-of-nowhere', 'right-key', /claude-of-nowhere: status 404/],
    ['claude-opus-5', 'wrong-key', /claude-opus-5: status 401/],
  ] as const;
  for (const [model, key, message] of refused)
    it(`ends before any sandbox starts with the model ${model} and the ${key}`, async () => {
      await using folder = await temporaryFolder();
      await using server = await VendorServer.start(anthropic, []);
      const keyed = new Cli(undefined, { ANTHROPIC_API_KEY: key });
      const options = ['-t', 'tasks/vscode', '-a', 'cua', '-m', model, '--base-url', server.url];
      for (const more of [[], ['--dry-run']]) {
        const ended = await keyed.pwp('eval', ...options, '--out', folder.file('study'), ...more);
        assert.deepEqual([ended.code, message.test(ended.stderr)], [1, true], ended.stderr);
        assert.ok(!ended.stderr.includes('wrong-key'), ended.stderr);
      }
      await assert.rejects(access(folder.file('study')));
      assert.deepEqual(server.turns, []);
    });

  slowIt('stops at a full disk, and resumes when there is room', async () => {
    await using disk = await smallDisk(300 * MiB);
    const study = join(disk.path, 'study');
    const args = ['eval', ...four, '-n', '1', '--out', study];
    const filler = join(disk.path, 'filler');
    const running = cli.start(...args);
    const said: string[] = [];
    running.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const closed = once(running, 'close') as Promise<[number | null]>;
    await waitFor(join(study, 'attempts/vscode-swap-text-test/oracle/1/attempt.json'));
    // Takes all the space that is left at once.
    await writeFile(filler, Buffer.alloc(400 * MiB)).catch(() => undefined);
    const [code] = await closed;
    assert.equal(code, 1, said.join(''));
    assert.match(said.join(''), /the disk of .* is full/);
    await truncate(filler, 0);
    await rm(filler);
    assert.partialDeepStrictEqual(summary.parse(await cli.json(...args)), { done: 4, ends: { scored: 4 } });
  });
});
