import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import {
  assertPriced,
  type AttemptResult,
  crossAgents,
  makeStudyTable,
  openAgents,
  parseBudget,
  planAttempts,
  readStudyFile,
} from '../../../host/run/index.ts';
import type { AttemptTry } from '../../../host/run/study/attempt-result.ts';
import { measureUnionMs, StudyBudget } from '../../../host/run/study/study-budget.ts';
import { findTasks } from '../../../host/tasks/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the budget of a study', () => {
  it('is given in dollars, tokens and time', () => {
    assert.deepEqual(parseBudget(['25usd', '2_000_000tokens', '8h']), {
      usd: 25,
      tokens: 2_000_000,
      ms: 28_800_000,
    });
    assert.deepEqual(parseBudget(['$2.50', '90 min']), { usd: 2.5, ms: 5_400_000 });
  });

  for (const text of ['', '25', 'usd', '0usd', '-3usd', '3eur', '$3usd', '1e9tokens', '25 usd 3'])
    it(`can't be ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseBudget([text]), { code: 'usage' });
    });

  it('counts the time in which attempts ran, including earlier runs, and each moment once', () => {
    assert.equal(measureUnionMs([]), 0);
    assert.equal(
      measureUnionMs([
        [5000, 6000],
        [0, 1000],
        [500, 2000],
        [600, 700],
      ]),
      3000,
    );
    const made = (startedAt: string | null, totalMs: number): AttemptTry => ({
      ...{
        folder: 'try-1',
        end: 'scored',
        limit: null,
        reward: 1,
        rewardTrustworthy: true,
        trust: null,
        why: null,
      },
      ...{ costUsd: 0, promptTokens: 0, completionTokens: 0, startedAt, totalMs },
    });
    const budget = new StudyBudget({ ms: 2 * 3_600_000 });
    budget.addEarlier(made('2026-01-01T00:00:00.000Z', 3_600_000));
    budget.addEarlier(made('2026-01-01T00:30:00.000Z', 1_800_000));
    budget.addEarlier(made(null, 0));
    assert.equal(budget.reached, undefined);
    budget.addEarlier(made('2026-01-02T00:00:00.000Z', 3_600_000));
    assert.equal(budget.reached, 'the budget of 120 min is used');
  });

  it("can't be in dollars if the price of a model is unknown", async () => {
    const settings = { agent: 'bash', model: 'scripted:no-such-file' };
    await assert.rejects(openAgents([settings]), { code: 'no-such-model' });
    const model = { vendor: 'chat', name: 'mine' } as never;
    assert.throws(() => assertPriced(1, [{ name: 'a', agent: 'bash', model }]), /mine/);
    assertPriced(undefined, [{ name: 'a', agent: 'bash', model }]);
  });
});

describe('the agents of a study', () => {
  it('are those that use a model with each model, and the others once', () => {
    assert.deepEqual(crossAgents(['oracle', 'cua', 'bash'], ['one', 'two']), [
      { agent: 'oracle' },
      { agent: 'cua', model: 'one' },
      { agent: 'cua', model: 'two' },
      { agent: 'bash', model: 'one' },
      { agent: 'bash', model: 'two' },
    ]);
  });

  it('each have a name', async () => {
    await assert.rejects(openAgents([{ agent: 'oracle' }, { agent: 'oracle' }]), {
      code: 'usage',
      message: /"oracle"/,
    });
  });
});

describe('the plan of a study', () => {
  it('gives each attempt its own folder, for any names', async () => {
    const tasks = await findTasks(['tasks/vscode/autosave-500']);
    const names = ['bash chat:qwen/qwen3', 'bash chat qwen qwen3', 'BASH chat:qwen:qwen3', '../..', '日本'];
    const agents = names.map((name) => ({ name, agent: 'null' }));
    assert.deepEqual(
      planAttempts(tasks, agents, 1).map(({ folder }) => folder.split('/').slice(2).join('/')),
      [
        'bash-chat-qwen-qwen3/1',
        'bash-chat-qwen-qwen3~2/1',
        'BASH-chat-qwen-qwen3~3/1',
        'agent~1/1',
        'agent~2/1',
      ],
    );
  });
});

describe('the file of a study', () => {
  it('has paths relative to it, and defaults', async () => {
    await using folder = await temporaryFolder();
    const text = [
      'tasks = ["tasks/mine"]',
      'out = "first"',
      '[[agents]]',
      'agent = "assisted"',
      'model = "scripted:turns.jsonl"',
      'tools = "./mine.json"',
      'temperature = 0.3',
    ].join('\n');
    await writeFile(folder.file('study.toml'), text);
    const { tasks, out, agents, attempts, maxSteps, retry } = await readStudyFile(folder.file('study.toml'));
    assert.deepEqual([tasks, out], [[folder.file('tasks/mine')], folder.file('first')]);
    assert.deepEqual(agents, [
      {
        agent: 'assisted',
        model: `scripted:${folder.file('turns.jsonl')}`,
        tools: folder.file('mine.json'),
        temperature: 0.3,
      },
    ]);
    assert.deepEqual([attempts, maxSteps, retry], [1, 20, ['infrastructure', 'suspect']]);
  });

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['tasks = []\nagents = []', /tasks: expected at least 1.*agents: expected at least 1/],
    ['tasks = ["a"]\nagents = [{ agent = "cua", modle = "x" }]', /agents\[0\]\.modle: unknown field/],
    ['tasks = ["a"]\nagents = [{ agent = "cua" }]\nattempts = "5"', /attempts: expected number, found "5"/],
    ['tasks = ["a"', /is not TOML/],
    ['tasks = ["a"]\nagents = [{ agent = "cua" }]\nmax_steps = 0', /max_steps: expected at least 1, found 0/],
    ['tasks = ["a"]\nagents = [{ agent = "cua" }]\nmaxSteps = 5', /maxSteps: unknown field/],
    [
      'tasks = ["a"]\nagents = [{ agent = "cua", max_output = "x" }]',
      /agents\[0\]\.max_output: expected number/,
    ],
  ];
  for (const [text, message] of wrong)
    it(`is refused with each wrong field: ${JSON.stringify(text)}`, async () => {
      await using folder = await temporaryFolder();
      await writeFile(folder.file('study.toml'), text);
      await assert.rejects(readStudyFile(folder.file('study.toml')), { code: 'bad-study', message });
    });
});

describe('the table of a study', () => {
  const attempt = (task: string, number: number, reward: number | null, more: Partial<AttemptResult> = {}) =>
    ({
      ...{ task, agent: 'a', model: null, number, end: 'scored', limit: null, reward },
      ...{
        rewardTrustworthy: reward === null ? null : true,
        trust: null,
        why: null,
        steps: 4,
        suppressed: null,
      },
      ...{ promptTokens: 100, completionTokens: 20, cachedTokens: 0, costUsd: 0.5 },
      ...{
        times: { totalMs: 1, startMs: 1, modelMs: 0, stepsMs: 0, gradeMs: 0 },
        record: 'try-1',
        tries: [],
      },
      ...more,
    }) satisfies AttemptResult;

  it('weights tasks equally and families equally, and skips attempts without a score', () => {
    const results = [
      // x: tasks 1 and 0.5 → 75 %
      ...[attempt('x/one', 1, 1), attempt('x/one', 2, 1), attempt('x/two', 1, 1), attempt('x/two', 2, 0)],
      // y: 0 of 1; the other has no score
      ...[attempt('y/three', 1, 0), attempt('y/three', 2, null, { end: 'provider', costUsd: null })],
      attempt('y/three', 3, 1, { rewardTrustworthy: false }),
    ];
    const { families, rows } = makeStudyTable(results);
    const [row] = rows;
    assert.deepEqual(families, ['x', 'y']);
    assert.deepEqual(
      row?.families.map(({ mean }) => mean),
      [75, 50],
    );
    assert.equal(row?.overall.mean, 62.5);
    // By number: (100 + 0) / 2, 50 (x alone), 100 (y alone): their deviation is 28.87.
    assert.equal(row.overall.deviation?.toFixed(2), '28.87');
    assert.deepEqual([row.attempts, row.passed, row.suspect, row.unscored], [7, 3, 1, 1]);
    assert.deepEqual([row.meanSteps, row.meanTokens, row.costUsd], [4, 120, null]);
  });

  it('leaves attempts that never began out of mean steps and tokens, and has the cost of all tries', () => {
    const never = { end: 'infrastructure', steps: 0, promptTokens: 0, completionTokens: 0 } as const;
    const tried = (...costs: (number | null)[]) => ({
      tries: costs.map((costUsd) => ({ costUsd })) as AttemptResult['tries'],
    });
    const results = [
      attempt('x/one', 1, 1, tried(0.2, 0.5)),
      attempt('x/one', 2, null, { ...never, costUsd: 0, ...tried(0) }),
      // It failed halfway: it began.
      attempt('x/one', 3, null, { end: 'provider', steps: 2, ...tried(0.5) }),
      // It has a score: it began, even though it did nothing.
      attempt('x/one', 4, 0, { steps: 0, ...tried(0.5) }),
    ];
    const [row] = makeStudyTable(results).rows;
    assert.deepEqual([row?.attempts, row?.unscored, row?.notBegun], [4, 2, 1]);
    assert.deepEqual([row?.meanSteps, row?.meanTokens], [2, 120]);
    assert.deepEqual([row?.costUsd, row?.allTriesUsd?.toFixed(6)], [1.5, '1.700000']);
    const [unknown] = makeStudyTable([attempt('x/one', 1, 1, tried(null, 0.5))]).rows;
    assert.deepEqual([unknown?.costUsd, unknown?.allTriesUsd], [0.5, null]);
  });

  it('counts what followed a suppressed action', () => {
    const results = (['repeated', 'other', 'repeated', 'nothing', null] as const).map((suppressed, i) =>
      attempt('x/one', i + 1, 1, { suppressed }),
    );
    assert.deepEqual(makeStudyTable(results).rows[0]?.suppressed, { repeated: 2, other: 1, nothing: 1 });
  });

  it('has no figures if no attempt has a score', () => {
    const [row] = makeStudyTable([attempt('x/one', 1, null, { end: 'infrastructure' })]).rows;
    assert.deepEqual([row?.overall, row?.families[0]?.mean], [{ mean: null, deviation: null }, null]);
  });
});
