import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import * as z from 'zod';
import { readRecord } from '../../host/run/index.ts';
import { trajectorySchema } from '../../host/run/record/trajectory-format.ts';
import { Cli } from '../support/cli.ts';
import { onOneNode } from '../support/each-node.ts';
import { JsonDocuments } from '../support/json-documents.ts';

/** The longest wait, in milliseconds, for something to appear on a busy machine. */
const waitMs = 60_000;
const printed = z.object({ id: z.string(), url: z.url(), record: z.string() });

const say = (words: string) => ({ blocks: [{ kind: 'text', text: words }] });
const write = (path: string, content: string, ms = 0) => ({
  ms,
  blocks: [{ kind: 'call', name: 'write_file', arguments: { file_path: path, content } }],
});
/** The model's replies, turn after turn, regardless of its prompt. */
const script = [
  write('first.txt', 'one\n'),
  say('I have written first.txt.'),
  // Takes longer than any test, so only a person can end it.
  write('never.txt', 'no\n', 600_000),
];

onOneNode('pwp pair with an agent', (_, kind) => {
  const cli = new Cli(kind);
  const owned = new AsyncDisposableStack();
  let folder = '';
  let page: Page;
  let record = '';
  let exit: Promise<unknown>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-pair-agent-'));
    owned.defer(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'hello.txt'), 'hello\n');
    const lines = join(folder, 'turns.jsonl');
    await writeFile(lines, script.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
    const model = ['-a', 'ide', '-m', `scripted:${lines}`, '--out', join(folder, 'runs')];
    const child = cli.start('pair', folder, ...model, '--json');
    exit = once(child, 'exit');
    owned.defer(async () => {
      child.kill('SIGINT');
      await exit;
    });
    const said = printed.parse(await new JsonDocuments(child).next());
    record = said.record;
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    owned.defer(() => browser.close());
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(waitMs);
    await page.goto(said.url, { waitUntil: 'commit' });
  });
  after(() => owned.disposeAsync());

  const mode = (name: string) => page.waitForSelector(`body[data-mode=${name}]`);
  const line = (words: string) => page.locator('#chat-list .line', { hasText: words }).waitFor();
  const tell = async (words: string) => {
    await page.fill('#say-text', words);
    await page.press('#say-text', 'Enter');
  };

  it('does what a person says in the page, and waits for more', async () => {
    await mode('waiting');
    await tell('Write a first file.');
    await line('I have written first.txt.');
    await mode('waiting');
  });

  it('stops when a person says so, and then hears what they say', async () => {
    await tell('Write another one.');
    await mode('agent');
    await page.click('#stop');
    // A message sent before the stop might arrive before it, and the agent would wait for more.
    await page.waitForSelector('body:not([data-mode=agent])');
    await tell('No, leave that.');
    await line('No, leave that.');
    await mode('agent');
  });

  it('records all that was said and done', async () => {
    await page.click('#end');
    await exit;
    const { course, result, steps } = await readRecord(record);
    assert.equal(result.ended?.how, 'finished');
    assert.equal(result.reward, null);
    assert.deepEqual(
      course.flatMap((event) => (event.event === 'message' ? [event.text] : [])),
      ['Write a first file.', 'Write another one.', 'No, leave that.'],
    );
    const tools = steps.flatMap(({ outcomes }) => outcomes.map(({ effect }) => effect));
    assert.deepEqual(tools, ['confirmed']);
    const written: unknown = JSON.parse(await readFile(join(record, 'trajectory.json'), 'utf8'));
    const sources = trajectorySchema.parse(written).steps.map(({ source }) => source);
    assert.equal(sources.filter((source) => source === 'user').length, 4);
  });
});
