import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecord, type RecordedTurn, type RecordMeta } from '../../../host/run/index.ts';
import { type Trajectory, trajectorySchema } from '../../../host/run/record/trajectory-format.ts';
import { meta, observationOf, plainPng, resetInfo, stepOf, typed } from '../../support/record-fixture.ts';

describe('trajectory', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pwp-trajectory-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function recorded(of: RecordMeta, turn: RecordedTurn = {}): Promise<Trajectory> {
    const record = await openRecord(folder, of);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    const refused = typed('xdotool click 12', 'refused', 'no such button: 12');
    const info = stepOf(1, [typed('xdotool key a', 'confirmed', 'typed', 'done'), refused], {
      skipped: [{ kind: 'mark', verb: 'click', mark: 12 }],
    });
    await record.step(observationOf(2, await plainPng('blue')), info, turn);
    await record.end('finished');
    return trajectorySchema.parse(JSON.parse(await readFile(join(folder, 'trajectory.json'), 'utf8')));
  }

  it('has the instruction, the calls and their results', async () => {
    const written = await recorded(meta);
    assert.equal(written.schema_version, 'ATIF-v1.8');
    assert.equal(written.session_id, meta.session);
    const [opening, step] = written.steps;
    assert.equal(opening?.source, 'user');
    assert.deepEqual(opening?.message, [
      { type: 'text', text: resetInfo.instruction },
      { type: 'image', source: { media_type: 'image/png', path: 'frames/0000.png' } },
    ]);
    assert.deepEqual(
      step?.tool_calls?.map((call) => call.function_name),
      ['xdotool', 'xdotool', 'click'],
    );
    const [first, second, third, screen] = step?.observation?.results ?? [];
    assert.equal(first?.content, 'confirmed: typed\ndone');
    assert.equal(second?.source_call_id, 'step-1-2');
    assert.equal(third?.content, 'not tried, an earlier action failed: click [12]');
    assert.deepEqual(screen?.content, [
      { type: 'image', source: { media_type: 'image/png', path: 'frames/0001.png' } },
    ]);
  });

  it('says that no model was asked, and has no metrics then', async () => {
    const written = await recorded(meta, { promptTokens: 5, reasoning: 'none' });
    assert.equal(written.steps[1]?.llm_call_count, 0);
    assert.equal(written.steps[1]?.metrics, undefined);
  });

  it('carries tokens, cost and reasoning of a model', async () => {
    const of = {
      ...meta,
      agent: { name: 'computer-use', version: '1', model: 'some-model', tools: [{ name: 'shell' }] },
    };
    const turn = {
      reasoning: 'Because.',
      llmCalls: 1,
      promptTokens: 900,
      cachedTokens: 800,
      completionTokens: 40,
      costUsd: 0.002,
    };
    const written = await recorded(of, turn);
    assert.deepEqual(written.steps[1]?.metrics, {
      prompt_tokens: 900,
      completion_tokens: 40,
      cached_tokens: 800,
      cost_usd: 0.002,
    });
    assert.equal(written.steps[1]?.reasoning_content, 'Because.');
    assert.equal(written.final_metrics?.total_prompt_tokens, 900);
    const [shell] = written.agent.tool_definitions ?? [];
    assert.deepEqual(shell, {
      type: 'function',
      function: { name: 'shell', parameters: { type: 'object' } },
    });
  });

  it('defines each tool once, in OpenAI’s form, and every call', async () => {
    const schema = { type: 'object', properties: { path: { type: 'string' } } };
    const tools = [
      { name: 'read_file', description: 'reads a file', schema },
      { name: 'act', description: 'mouse and keyboard', schema },
      { type: 'function', function: { name: 'already', parameters: schema } },
    ];
    const written = await recorded({ ...meta, agent: { ...meta.agent, tools } });
    const definitions = written.agent.tool_definitions ?? [];
    assert.deepEqual(definitions[0], {
      type: 'function',
      function: { name: 'read_file', description: 'reads a file', parameters: schema },
    });
    assert.deepEqual(
      definitions.map((one) => one.function.name),
      ['read_file', 'act', 'already', 'xdotool', 'click'],
    );
    const click = definitions.at(-1)?.function.parameters;
    assert.deepEqual([click?.['required'], Object.keys(click?.['properties'] ?? {})], [['mark'], ['mark']]);
  });

  it("has a vendor's computer tool if the agent sees the screen and has no other input", async () => {
    const agent = { ...meta.agent, parts: ['picture'], tools: [{ name: 'finish' }] };
    const names = (await recorded({ ...meta, agent })).agent.tool_definitions?.map(
      (one) => one.function.name,
    );
    assert.deepEqual(names, ['finish', 'xdotool', 'click', 'computer']);
  });

  it('is refused by its schema when it breaks a rule of the format', async () => {
    const written = await recorded(meta);
    const [opening, step] = written.steps;
    const broken: unknown[] = [
      { ...written, surprise: 1 },
      { ...written, steps: [] },
      { ...written, steps: [opening, { ...step, step_id: 7 }] },
      { ...written, steps: [{ ...opening, tool_calls: [] }, step] },
      { ...written, steps: [opening, { ...step, metrics: { prompt_tokens: 1 } }] },
      {
        ...written,
        steps: [opening, { ...step, observation: { results: [{ source_call_id: 'missing' }] } }],
      },
    ];
    for (const one of broken)
      assert.equal(trajectorySchema.safeParse(one).success, false, JSON.stringify(one));
  });
});
