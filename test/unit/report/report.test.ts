import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatDuration } from '../../../bridge/text/index.ts';
import { renderReport } from '../../../host/doors/report/write-report.ts';
import { computeMedian, formatScore, html, renderToText } from '../../../host/doors/web/parts/index.ts';
import { loadReport } from '../../../host/read/index.ts';
import { openRecord } from '../../../host/run/index.ts';
import {
  meta,
  observationOf,
  plainPng,
  resetInfo,
  stepOf,
  typed,
  usageOf,
} from '../../support/record-fixture.ts';

describe('a report', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-report-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('escapes everything from a sandbox', async () => {
    const evil = `</pre></script><img src=x onerror="alert('1')">&`;
    const service = { name: 'chromium', state: 'failed', restarts: 1, detail: evil } as const;
    const [one] = observationOf(1, new Uint8Array()).marks;
    assert.ok(one);
    const seen = { title: evil, marks: [{ ...one, name: evil, role: evil.slice(0, 60) }] };
    const record = await openRecord(folder, { ...meta, task: evil, versions: { [evil]: evil } });
    await record.reset(observationOf(1, await plainPng('red'), seen), { ...resetInfo, instruction: evil });
    const outcome = typed(evil, 'refused', evil, evil);
    const info = stepOf(1, [outcome], {
      services: [service],
      settled: { ms: 1, reason: 'cap', busy: [evil] },
    });
    await record.step(observationOf(2, await plainPng('red'), seen), info, { message: evil });
    await record.error(new Error(evil));
    await record.changes({
      text: `+${evil}\n`,
      added: 1,
      removed: 0,
      files: [{ path: evil, change: 'added' }],
      leadOut: [],
      omitted: [],
    });
    await record.grade({ reward: 0, checks: [{ name: evil, passed: false, why: evil }], log: evil, ms: 1 });
    await record.end('finished', evil);
    const text = await renderReport(await loadReport(folder));
    assert.equal(text.includes('<img src=x'), false);
    assert.equal(text.match(/<\/script>/g)?.length, 1);
    assert.ok(text.includes('&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;'));
  });

  it("shows the agent's changes, and distinguishes headers from lines that look like them", async () => {
    const record = await openRecord(folder, meta);
    const text = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n same\n--- sql\n+++ c\n';
    const files = [{ path: 'a', change: 'changed' as const }];
    await record.changes({ text, added: 1, removed: 1, files, leadOut: [], omitted: [] });
    await record.end('finished');
    const page = await renderReport(await loadReport(folder));
    assert.match(page, /What the agent changed in its workspace: 1 file, \+1 −1/);
    const lines = [...page.matchAll(/<span class="(place|same|added|removed)">(.*)\n/g)];
    assert.deepEqual(
      lines.map(([, kind, line]) => `${kind} ${line}`),
      [
        ...['place diff --git a/a b/a', 'place --- a/a', 'place +++ b/a', 'place @@ -1,2 +1,2 @@'],
        ...['same  same', 'removed --- sql', 'added +++ c'],
      ],
    );
  });

  it('says that a check could not be measured, beside one that passed', async () => {
    const record = await openRecord(folder, meta);
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    const checks = [
      { name: 'text', passed: true, why: '1.0000 of 1' },
      { name: 'clip', passed: null, why: 'there are no weights' },
    ];
    await record.grade({ reward: 1, checks, log: '', ms: 1 });
    await record.end('finished');
    const text = await renderReport(await loadReport(folder));
    assert.match(text, /aria-label="passed".*\n.*<b>text<\/b>/);
    assert.match(text, /aria-label="not measured".*\n.*<b>clip<\/b>.*not measured.*there are no weights/);
    assert.doesNotMatch(text, /aria-label="failed"/);
  });

  it('says that a pass can be forged, if it can', async () => {
    const trust = 'tests of res-q run code beside them, which can forge a pass';
    for (const note of [{ trust }, {}]) {
      const own = join(folder, 'trust' in note ? 'forgeable' : 'plain');
      const record = await openRecord(own, meta);
      await record.reset(observationOf(1, await plainPng('red')), resetInfo);
      await record.grade({ reward: 1, checks: [], log: '', ms: 1, ...note });
      await record.end('finished');
      const text = await renderReport(await loadReport(own));
      assert.equal(text.includes(`Trust: ${trust}.`), 'trust' in note);
    }
  });

  it("shows people's acts between the steps, and what the agent learned of them", async () => {
    const record = await openRecord(folder, meta);
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    await record.step(observationOf(2, png), stepOf(1, [typed('a', 'confirmed', 'landed')]));
    const reported = 'Ada had control.\n notes.md | 2 <b>+-</b>';
    const acts = [{ action: 'xdotool key ctrl+s', evidence: 'by Ada, in <i>notes.md</i>' }];
    await record.people(observationOf(3, png, { personChanges: reported }), acts);
    await record.end('finished');
    const text = await renderReport(await loadReport(folder));
    assert.match(text, /<h3 id="heading-people-1">People<\/h3>/);
    assert.match(text, /xdotool key ctrl\+s/);
    assert.match(text, /by Ada, in &lt;i&gt;notes\.md&lt;\/i&gt;/);
    assert.match(text, /Ada had control\.\n notes\.md \| 2 &lt;b&gt;\+-&lt;\/b&gt;/);
  });

  it("has a model's messages, tokens and cost, per step and in total", async () => {
    const agent = { ...meta.agent, name: 'cua', model: 'anthropic:claude-sonnet-5' };
    const record = await openRecord(folder, { ...meta, agent });
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    const said = { message: 'I open the palette.', reasoning: 'It is the way.', llmCalls: 1, tries: 2 };
    const asked = {
      promptTokens: 12_345,
      cachedTokens: 12_000,
      completionTokens: 80,
      costUsd: 0.0123,
      modelMs: 2300,
    };
    const outcome = { ...typed('xdotool key F1', 'no-effect', 'nothing changed'), suppressed: true } as const;
    await record.step(observationOf(2, png), stepOf(1, [outcome]), { ...said, ...asked });
    await record.lastTurn({ message: 'Done.', llmCalls: 1, promptTokens: 100, completionTokens: 5 });
    await record.grade({ reward: 1, checks: [], log: '', ms: 1 });
    await record.end('finished');
    const text = (await renderReport(await loadReport(folder))).replaceAll(/\s+/g, ' ');
    for (const words of [
      '<blockquote>I open the palette.</blockquote>',
      '<pre tabindex="0">It is the way.</pre>',
      'tokens: 12,345 in (12,000 cached), 80 out · $0.0123 · 2.3 s for the answer · 2 requests',
      '<blockquote>Done.</blockquote>',
      'tokens: 100 in, 5 out · cost unknown',
      '<dt>Tokens</dt> <dd>12,445 in, 85 out</dd>',
      '<dt>Cost</dt> <dd>unknown</dd>',
      'Skipped on purpose, hidden from the agent.',
      'an action of step 1, on purpose; no step followed',
    ])
      assert.ok(text.includes(words), words);
  });

  it('does not mention tokens if no model was asked', async () => {
    const record = await openRecord(folder, meta);
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    await record.step(observationOf(2, png), stepOf(1, []), { message: 'As written.' });
    await record.end('finished');
    assert.doesNotMatch(await renderReport(await loadReport(folder)), /[Tt]okens/);
  });

  it('reports a run that was killed before its first screen', async () => {
    const record = await openRecord(folder, meta);
    await record[Symbol.asyncDispose]();
    const text = await renderReport(await loadReport(folder));
    assert.match(text, /No score/);
    assert.match(text, /The run was cut off after 0 steps/);
  });

  it('reports each limit that was hit, with its effect', async () => {
    const record = await openRecord(folder, meta);
    await record.usage(usageOf({ memory: 2 }));
    await record.usage(usageOf({ memory: 2, pids: 7, disk: 1, cpu: 5 }));
    await record.end('finished');
    const text = await renderReport(await loadReport(folder));
    assert.match(text, /The sandbox hit the limit of memory: 2 processes were killed so far</);
    assert.match(text, /hit the limit of processes: 7 were refused so far; the limit of disk: it was full</);
    assert.doesNotMatch(text, /limit of cores/);
  });

  it('renders the same page for the same record', async () => {
    const record = await openRecord(folder, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    await record.end('cancelled');
    assert.equal(await renderReport(await loadReport(folder)), await renderReport(await loadReport(folder)));
  });
});

describe('a template as text', () => {
  const squeezed = (value: unknown) => renderToText(value).replaceAll(/\s+/g, ' ');

  it('joins lists, leaves out absent values and keeps its own markup', () => {
    const items = ['a', '<b>'].map((name) => html`<li>${name}</li>`);
    const list = html`<ul>
      ${items}${null}${false}${undefined}${0}
    </ul>`;
    assert.equal(squeezed(list), '<ul> <li>a</li><li>&lt;b&gt;</li>0 </ul>');
  });

  it('shows control characters, and those that reverse text, as a visible sign', () => {
    assert.equal(renderToText(html`${'a\u0000\u001b[31m\n'}`), 'a\u{FFFD}\u{FFFD}[31m\n');
    assert.equal(renderToText(html`${'a\u202egpj.py 10\r\n20\r'}`), 'a\u{FFFD}gpj.py 10\n20\n');
  });

  it('escapes attributes, and leaves out absent ones, listeners and properties', () => {
    const made = (title: string | null, off: boolean) =>
      squeezed(
        html`<p class="a ${'"b"'} c" title="${title}" ?hidden="${off}" @click="${() => 0}" .id="${'x'}"></p>`,
      );
    assert.equal(made('<i>', true), '<p class="a &quot;b&quot; c" title="&lt;i&gt;" hidden></p>');
    assert.equal(made(null, false), '<p class="a &quot;b&quot; c"></p>');
  });
});

describe('format', () => {
  it('writes durations, scores and medians for people', () => {
    assert.deepEqual([0, 999, 1000, 59_949, 59_950, 125_400].map(formatDuration), [
      '0 ms',
      '999 ms',
      '1.0 s',
      '59.9 s',
      '1 min 00 s',
      '2 min 05 s',
    ]);
    assert.deepEqual([1, 0, 1 / 3, 0.75].map(formatScore), ['1', '0', '0.333', '0.75']);
    assert.deepEqual([computeMedian([]), computeMedian([3, 1, 2]), computeMedian([4, 1])], [null, 2, 2.5]);
  });
});
