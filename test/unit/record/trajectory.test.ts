import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openRecord,
  readTrajectory,
  type RecordedTurn,
  type RecordMeta,
  type Trajectory,
} from '../../../host/run/index.ts';
import { type AtifToolDefinition, trajectorySchema } from '../../../host/run/record/trajectory-format.ts';
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
    const file = join(folder, 'trajectory.json');
    const written: unknown = JSON.parse(await readFile(file, 'utf8'));
    const read = await readTrajectory(file);
    assert.deepEqual(read, written);
    return read;
  }

  function definitionsOf({ agent }: Trajectory): AtifToolDefinition[] {
    const definitions: unknown = agent.tool_definitions ?? [];
    return definitions as AtifToolDefinition[];
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
    assert.equal(written.final_metrics?.total_prompt_tokens, undefined);
    assert.equal(written.trajectory_id, meta.session);
  });

  it('has totals of its steps and of requests without an answer, and says so', async () => {
    const agent = { name: 'computer-use', version: '1', model: 'some-model' };
    const record = await openRecord(folder, { ...meta, agent });
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    const info = stepOf(1, [typed('xdotool key a', 'confirmed', 'typed', 'done')]);
    const turn = { llmCalls: 1, promptTokens: 100, completionTokens: 10, costUsd: 0.5 };
    await record.step(observationOf(2, await plainPng('blue')), info, turn);
    await record.unanswered({ promptTokens: 30, costUsd: 0.25 });
    await record.end('model-failed');
    const { final_metrics: totals, notes } = await readTrajectory(join(folder, 'trajectory.json'));
    assert.deepEqual(
      [totals?.total_prompt_tokens, totals?.total_completion_tokens, totals?.total_cost_usd],
      [130, 10, 0.75],
    );
    assert.match(notes ?? '', /include 1 request to a model without an answer/);
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
    const [shell] = definitionsOf(written);
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
    const definitions = definitionsOf(written);
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
    const names = definitionsOf(await recorded({ ...meta, agent })).map((one) => one.function.name);
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

  describe('of another program', () => {
    const agent = { name: 'other', version: '2' };
    const call = { tool_call_id: 'c1', function_name: 'delegate', arguments: { depth: null } };
    const step = { step_id: 1, source: 'agent', message: 'Hello.' };

    async function read(document: unknown): Promise<Trajectory> {
      const file = join(folder, 'other.json');
      await writeFile(file, JSON.stringify(document));
      return await readTrajectory(file);
    }

    it('is read in every version', async () => {
      for (const minor of [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
        const schema_version = `ATIF-v1.${minor}`;
        const document = { schema_version, session_id: 's', agent, steps: [step] };
        assert.deepEqual(await read(document), document);
      }
      await assert.rejects(read({ schema_version: 'ATIF-v1.9', agent, steps: [step] }), /schema_version/);
    });

    it('is read with sound, agents of an agent, copied steps and tokens', async () => {
      const child = { schema_version: 'ATIF-v1.7', trajectory_id: 't1', agent, steps: [step] };
      const sound = { media_type: 'audio/mp3', path: 'https://example.org/a.mp3', duration_sec: 1.5 };
      const document = {
        schema_version: 'ATIF-v1.8',
        agent,
        steps: [
          {
            ...step,
            timestamp: '2026-05-01T10:00:00.5+02:00',
            reasoning_effort: 0.5,
            is_copied_context: true,
            message: [{ type: 'audio', source: sound }],
            tool_calls: [call],
            metrics: { prompt_token_ids: [1], completion_token_ids: [2], logprobs: [-0.5] },
            observation: {
              results: [
                { source_call_id: 'c1', subagent_trajectory_ref: [{ trajectory_id: 't1', session_id: 's' }] },
              ],
            },
          },
        ],
        continued_trajectory_ref: 'more.json',
        subagent_trajectories: [child],
      };
      const found = await read(document);
      assert.deepEqual(found.subagent_trajectories, [child]);
      assert.deepEqual(found.steps[0]?.message, [
        { type: 'audio', source: { ...sound, media_type: 'audio/mpeg' } },
      ]);
      assert.deepEqual(found.steps[0]?.tool_calls, [call]);
    });

    it('is read with null for what is absent', async () => {
      const document = {
        session_id: null,
        agent: { ...agent, extra: { a: null } },
        steps: [step],
        notes: null,
      };
      assert.deepEqual(await read(document), {
        schema_version: 'ATIF-v1.8',
        agent: { ...agent, extra: { a: null } },
        steps: [step],
      });
    });

    it('is refused with the field where it breaks a rule', async () => {
      const broken: readonly (readonly [more: object, problem: RegExp])[] = [
        [{ steps: [{ ...step, surprise: 1 }] }, /surprise/],
        [{ steps: [{ ...step, source: 'user', reasoning_effort: 'high' }] }, /only an agent's step/],
        [{ steps: [{ ...step, timestamp: 'yesterday' }] }, /expected a time in ISO 8601/],
        [
          {
            steps: [
              { ...step, message: [{ type: 'audio', source: { media_type: 'image/png', path: 'a' } }] },
            ],
          },
          /message/,
        ],
        [{ subagent_trajectories: [{ agent, steps: [step] }] }, /trajectory_id of its own/],
        [
          {
            steps: [
              { ...step, observation: { results: [{ subagent_trajectory_ref: [{ session_id: 's' }] }] } },
            ],
          },
          /trajectory_id or trajectory_path/,
        ],
      ];
      for (const [more, problem] of broken)
        await assert.rejects(read({ agent, steps: [step], ...more }), {
          code: 'bad-record',
          message: problem,
        });
      await assert.rejects(readTrajectory(join(folder, 'none.json')), { code: 'bad-record' });
    });
  });
});
