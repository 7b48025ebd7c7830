import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordOf, writeLargeStudy } from '../../../bench/lib/large-study.ts';
import { openServer, type Server } from '../../../host/doors/serve/server.ts';
import { viewRoutes } from '../../../host/doors/view/view-routes.ts';
import type {
  AttemptData,
  AttemptFacts,
  FoundSteps,
  IndexData,
  MomentData,
  MomentLine,
} from '../../../host/doors/web/studies/study-data.ts';
import type { RecordEvent } from '../../../host/run/index.ts';
import { formatEvent } from '../../../host/run/record/record-lines.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { attemptFolder, writeMadeUpStudy } from '../../support/made-up-study.ts';
import { slowIt } from '../../support/slow.ts';

const first = attemptFolder({ family: 'alpha', task: 8, agent: 'ace', number: 2 });
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const early = { at: '2026-01-01T00:00:00.000Z', ms: 1 };

describe('the server of the page of studies', () => {
  let folder: TemporaryFolder;
  let whole: string;
  let copies = 0;

  before(async () => {
    folder = await temporaryFolder();
    whole = folder.file('whole');
    await writeMadeUpStudy(whole, { isOver: ({ family, task }) => family === 'alpha' && task === 8 });
  });
  after(() => folder[Symbol.asyncDispose]());

  /** Asks a server of a changed copy. */
  async function changed(
    change: (study: string) => Promise<unknown>,
    test: (asked: Asked) => Promise<void>,
  ): Promise<void> {
    const study = folder.file(`copy-${(copies += 1)}`);
    await cp(whole, study, { recursive: true });
    await change(study);
    await using server = await openServer(await viewRoutes(study), 0);
    await test(new Asked(server, study));
  }

  async function attemptOf(study: string): Promise<AttemptData> {
    await using server = await openServer(await viewRoutes(study), 0);
    return await new Asked(server, study).json<AttemptData>('attempt', { id: first });
  }

  it('lists attempts of a complete study, with the content of their records', () =>
    changed(
      () => Promise.resolve(),
      async (asked) => {
        const index = await asked.json<IndexData>('index');
        assert.deepEqual([index.attempts.length, index.problems, index.studies[0]?.planned], [15, [], 600]);
        const facts = await asked.lines<AttemptFacts>('facts');
        assert.deepEqual(facts.find(({ id }) => id === first)?.modes, ['syntax-error-loop']);
        const found = await asked.lines<FoundSteps>('find', { text: 'SYNTAXERROR', effect: 'refused' });
        assert.deepEqual(
          found.filter(({ times }) => times > 0).map(({ id, times }) => [id, times]),
          [[first, 3]],
        );
      },
    ));

  it('shows an unfinished attempt by its names in the plan, and follows what is written', () =>
    changed(
      (study) => rm(join(study, first, 'attempt.json')),
      async (asked) => {
        const line = (await asked.json<IndexData>('index')).attempts.find(({ id }) => id === first);
        assert.deepEqual(
          [line?.state, line?.task, line?.agent, line?.why],
          ['open', 'alpha/t8', 'ace', 'it is not over'],
        );
        const before = await asked.json<AttemptData>('attempt', { id: first });
        const events = join(asked.root, first, 'try-1', 'events.jsonl');
        const lines = (await readFile(events, 'utf8')).split('\n');
        await appendFile(events, `${lines[3]}\n${lines[3]?.slice(0, 50)}`);
        const after = await asked.json<AttemptData>('attempt', { id: first });
        assert.equal(after.moments, before.moments + 1);
      },
    ));

  it("has no stop for events outside a record's course", () =>
    changed(
      async (study) => {
        const events = join(study, first, 'try-1', 'events.jsonl');
        const state = { event: 'state', step: 1, screen: null, files: null, editor: null } as const;
        const [start, ...rest] = (await readFile(events, 'utf8')).split('\n');
        await writeFile(events, [start, formatEvent({ ...early, ...state }), ...rest].join('\n'));
      },
      async (asked) => {
        const attempt = await asked.json<AttemptData>('attempt', { id: first });
        const without = await attemptOf(whole);
        assert.deepEqual([attempt.moments, attempt.problems], [without.moments, []]);
      },
    ));

  it('shows a truncated record, and damaged lines as such', () =>
    changed(
      async (study) => {
        const events = join(study, first, 'try-1', 'events.jsonl');
        await truncate(events, (await readFile(events)).length - 400);
        const damaged = formatEvent({ ...early, event: 'step', step: 99 } as RecordEvent);
        await appendFile(events, `\nnot JSON\n${damaged}\n`);
      },
      async (asked) => {
        const attempt = await asked.json<AttemptData>('attempt', { id: first });
        assert.match(attempt.problems.join(), /not events of this version/);
        const lines = await asked.json<MomentLine[]>('moments', { id: first, from: '0', to: '99' });
        assert.deepEqual(lines.flatMap(({ problem }) => (problem === null ? [] : 1)).length >= 2, true);
        const bad = await asked.json<MomentData>('moment', { id: first, at: 'step-99' });
        assert.match(bad.line.problem ?? '', /^line \d+/);
        assert.ok(bad.moment === null && bad.text.includes('"step":99'));
      },
    ));

  it('shows messages after a step with it, and finds them there', () =>
    changed(
      async (study) => {
        const events = join(study, first, 'try-1', 'events.jsonl');
        const lines = (await readFile(events, 'utf8')).split('\n');
        const text = 'Try the <b>other</b> file.';
        const said = formatEvent({ ...early, event: 'message', from: 'Ada', text });
        const bad = formatEvent({ ...early, event: 'reply' } as RecordEvent);
        // The start, the reset, and three steps.
        await writeFile(events, [...lines.slice(0, 5), said, bad, ...lines.slice(5)].join('\n'));
      },
      async (asked) => {
        const { moments } = await asked.json<AttemptData>('attempt', { id: first });
        assert.equal(moments, 12);
        const heard = await asked.json<MomentData>('moment', { id: first, at: 'step-3' });
        assert.ok(heard.moment);
        assert.deepEqual(
          heard.moment.said.map((one) => one.event === 'message' && [one.from, one.text]),
          [['Ada', 'Try the <b>other</b> file.']],
        );
        assert.match(heard.problems.at(-1) ?? '', /^line 7/);
        assert.deepEqual(await asked.json<number[]>('find-in', { id: first, text: 'other</b>' }), [3]);
        const next = await asked.json<MomentData>('moment', { id: first, at: 'step-4' });
        assert.equal(next.moment?.step?.calls[0]?.outcome?.effect, 'refused');
      },
    ));

  it('shows a record of another version as far as it can be read', () =>
    changed(
      async (study) => {
        const events = join(study, first, 'try-1', 'events.jsonl');
        await writeFile(events, (await readFile(events, 'utf8')).replace('"record":1', '"record":0'));
      },
      async (asked) => {
        const { problems, moments } = await asked.json<AttemptData>('attempt', { id: first });
        assert.match(problems.join(), /no start of version 1/);
        assert.equal(moments, 12);
        const facts = await asked.lines<AttemptFacts>('facts');
        assert.ok(facts.find(({ id }) => id === first)?.modes.includes('unreadable-record'));
      },
    ));

  it('lists attempts with a damaged study.json or attempt.json, or without a record', () =>
    changed(
      async (study) => {
        await writeFile(join(study, 'study.json'), '{');
        await writeFile(join(study, first, 'attempt.json'), '{"task": "al');
        await rm(join(study, attemptFolder({ family: 'alpha', task: 8, agent: 'mid', number: 1 }), 'try-1'), {
          recursive: true,
        });
      },
      async (asked) => {
        const { attempts, problems } = await asked.json<IndexData>('index');
        assert.equal(attempts.length, 15);
        assert.match(problems.map(({ what }) => what).join(), /study\.json is damaged/);
        assert.match(attempts.find(({ id }) => id === first)?.why ?? '', /can't be read/);
        const gone = attempts.find(({ agent, number }) => agent === 'mid' && number === 1)?.id ?? '';
        assert.match(await asked.refused('attempt', { id: gone }, 404), /no record/);
      },
    ));

  it('serves pictures of a record and nothing else', () =>
    changed(
      (study) => picture(study, 'frames/0001.png'),
      async (asked) => {
        const { status, headers } = await asked.get('file', { id: first, name: 'frames/0001.png' });
        assert.deepEqual([status, headers.get('content-type')], [200, 'image/png']);
        assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
        const part = await asked.get('file', { id: first, name: 'frames/0001.png' }, { range: 'bytes=2-4' });
        assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, png.subarray(2, 5)]);
        for (const name of [
          'events.jsonl',
          'frames/../events.jsonl',
          '/etc/passwd',
          'frames/0001-marks.json',
        ])
          await asked.refused('file', { id: first, name }, 400);
        for (const id of ['..', '../whole', `${first}/../../..`, '/etc', 'a\0b', `./${first}`])
          assert.ok([400, 404].includes((await asked.get('attempt', { id })).status), id);
      },
    ));

  it('follows no link out of the folder', () =>
    changed(
      async (study) => {
        const outside = folder.file('outside');
        await mkdir(join(outside, 'frames'), { recursive: true });
        await writeFile(join(outside, 'secret.png'), png);
        const record = join(study, first, 'try-1');
        await rename(join(record, 'events.jsonl'), join(outside, 'events.jsonl'));
        await symlink(join(outside, 'events.jsonl'), join(record, 'events.jsonl'));
        const other = join(
          study,
          attemptFolder({ family: 'alpha', task: 8, agent: 'ace', number: 3 }),
          'try-1',
        );
        await mkdir(join(other, 'frames'));
        await symlink(join(outside, 'secret.png'), join(other, 'frames', '0001.png'));
        await symlink(outside, join(study, 'linked'));
      },
      async (asked) => {
        assert.match(await asked.refused('attempt', { id: first }, 404), /no record/);
        const id = attemptFolder({ family: 'alpha', task: 8, agent: 'ace', number: 3 });
        assert.match(await asked.refused('file', { id, name: 'frames/0001.png' }, 404), /not followed/);
        await asked.refused('attempt', { id: 'linked' }, 404);
        assert.equal(
          (await asked.json<IndexData>('index')).attempts.some((line) => line.id.startsWith('linked')),
          false,
        );
      },
    ));

  slowIt('opens a record of 50,000 steps, and lists 10,000 attempts', async function () {
    this.timeout(120_000);
    const study = folder.file('large');
    await writeLargeStudy(study, { attempts: 10_000, steps: 1 });
    await writeFile(join(study, 'attempts/made-t1/one/1/try-1/events.jsonl'), recordOf(50_000));
    await using server = await openServer(await viewRoutes(study), 0);
    const asked = new Asked(server, study);
    assert.equal((await asked.json<IndexData>('index')).attempts.length, 10_000);
    const id = 'attempts/made-t1/one/1';
    assert.equal((await asked.json<AttemptData>('attempt', { id })).moments, 50_001);
    const last = await asked.json<MomentLine[]>('moments', { id, from: '49990', to: '60000' });
    assert.deepEqual(last.map(({ id: name }) => name).slice(-2), ['step-49999', 'step-50000']);
    const found = await asked.json<number[]>('find-in', { id, text: 'step 49999' });
    assert.deepEqual(found, [49_999]);
  });

  it('refuses requests without the token', () =>
    changed(
      () => Promise.resolve(),
      async ({ server }) => {
        for (const path of ['/', '/data/index', `/data/file?id=${first}&name=frames/0001.png`])
          assert.equal((await fetch(`${server.origin}${path}`)).status, 401, path);
      },
    ));

  async function picture(study: string, name: string): Promise<void> {
    await mkdir(join(study, first, 'try-1', 'frames'));
    await writeFile(join(study, first, 'try-1', name), png);
  }
});

/** A server of one folder, for tests. */
class Asked {
  readonly server: Server;
  /** The folder that it serves. */
  readonly root: string;

  constructor(server: Server, root: string) {
    [this.server, this.root] = [server, root];
  }

  get(
    path: string,
    params: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const all = new URLSearchParams({ ...params, token: this.server.token });
    return fetch(`${this.server.origin}/data/${path}?${all.toString()}`, { headers });
  }

  async json<T>(path: string, params: Readonly<Record<string, string>> = {}): Promise<T> {
    const response = await this.get(path, params);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text) as T;
  }

  /** Requests the page's index, so that the server has loaded its content. */
  async lines<T>(path: string, params: Readonly<Record<string, string>> = {}): Promise<T[]> {
    await this.json('index');
    const text = await (await this.get(path, params)).text();
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as T);
  }

  /** The message of its error response. */
  async refused(path: string, params: Readonly<Record<string, string>>, status: number): Promise<string> {
    const response = await this.get(path, params);
    assert.equal(response.status, status, JSON.stringify(params));
    return response.text();
  }
}
