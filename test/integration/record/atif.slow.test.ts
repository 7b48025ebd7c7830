import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { describeError } from '../../../bridge/lib/index.ts';
import { finishRecord, openRecord, readTrajectory, recordFiles } from '../../../host/run/index.ts';
import { writeEpisode } from '../../support/episode-fixture.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { attemptFolder, writeMadeUpStudy } from '../../support/made-up-study.ts';
import { meta, observationOf, plainPng, resetInfo, stepOf, typed } from '../../support/record-fixture.ts';

/**
 * Validates each file with the format owner's models, which refuse fields that the format does not have, and checks what the
 * fields mean by their descriptions there. Writes what it read beside the file.
 */
const validate = `
import os, sys
from harbor.models.trajectories import Trajectory
for path in sys.argv[1:]:
    read = Trajectory.model_validate_json(open(path, encoding='utf-8').read())
    for one in read.agent.tool_definitions or []:
        assert one['type'] == 'function' and one['function']['name'] and one['function']['parameters'], one
    defined = {one['function']['name'] for one in read.agent.tool_definitions or []}
    calls = [call for step in read.steps for call in step.tool_calls or []]
    called = {call.function_name for call in calls}
    assert called <= defined, (path, called - defined)
    assert len({call.tool_call_id for call in calls}) == len(calls), path
    times = [step.timestamp for step in read.steps]
    assert times == sorted(times), (path, times)
    totals = read.final_metrics
    assert totals.total_steps == len(read.steps), path
    for name in ('prompt_tokens', 'completion_tokens', 'cached_tokens', 'cost_usd'):
        known = [getattr(step.metrics, name) for step in read.steps if step.metrics]
        known = [one for one in known if one is not None]
        total = getattr(totals, 'total_' + name)
        if read.notes is None:
            assert total is None if not known else abs(total - sum(known)) < 1e-9, (path, name, total, known)
    for step in read.steps:
        if step.metrics and step.metrics.cached_tokens is not None:
            assert step.metrics.cached_tokens <= step.metrics.prompt_tokens, path
        parts = [step.message] + [one.content for one in step.observation.results] if step.observation else [step.message]
        for part in (one for some in parts if isinstance(some, list) for one in some):
            picture = os.path.join(os.path.dirname(path), part.source.path) if part.source else ''
            # A made-up study has no frames.
            if part.source and ('/study/' not in path or os.path.exists(picture)):
                head = open(picture, 'rb').read(4)
                assert (part.source.media_type == 'image/png') == (head == b'\\x89PNG'), (path, part)
    open(path + '.again', 'w', encoding='utf-8').write(read.model_dump_json(exclude_none=True))
    print(read.schema_version, len(read.steps), read.has_multimodal_content())
`;

/** Documents with every field of the owner's models, of each version, with and without nulls. */
const write = `
import sys
from harbor.models.trajectories import *
part = ContentPart(type='audio', source=AudioSource(media_type='audio/x-wav', path='a.wav', duration_sec=1))
image = ContentPart(type='image', source=ImageSource(media_type='image/webp', path='https://example.org/a.webp'))
def make(version, child=None):
    result = ObservationResult(source_call_id='c1', content=[image, part], extra={'a': None})
    if child:
        result.subagent_trajectory_ref = [SubagentTrajectoryRef(trajectory_id='t1', session_id='s', trajectory_path='b.json', extra={})]
    metrics = Metrics(prompt_tokens=3, completion_tokens=2, cached_tokens=1, cost_usd=.5, prompt_token_ids=[1, 2, 3], completion_token_ids=[4, 5], logprobs=[-.5, -.25], extra={'b': 1})
    call = ToolCall(tool_call_id='c1', function_name='f', arguments={'x': None}, extra={})
    steps = [
        Step(step_id=1, source='system', message='Be brief.', observation=Observation(results=[ObservationResult(content='reset')])),
        Step(step_id=2, source='user', message=[ContentPart(type='text', text='Go.'), image], timestamp='2026-01-02T03:04:05+00:00'),
        Step(step_id=3, source='agent', message='', model_name='m', reasoning_effort='high', reasoning_content='so', tool_calls=[call], observation=Observation(results=[result]), metrics=metrics, is_copied_context=True, llm_call_count=2, extra={'c': []}, timestamp='2026-01-02T03:04:06.123456Z'),
        Step(step_id=4, source='agent', message='done', llm_call_count=0),
    ]
    agent = Agent(name='a', version='1', model_name='m', tool_definitions=[{'name': 'f', 'strict': None}], extra={'d': 1})
    total = FinalMetrics(total_prompt_tokens=3, total_completion_tokens=2, total_cached_tokens=1, total_cost_usd=.5, total_steps=4, extra={'e': 1})
    return Trajectory(schema_version=version, session_id='s', trajectory_id='t1' if not child else None, agent=agent, steps=steps, notes='n', final_metrics=total, continued_trajectory_ref='c.json', extra={'f': None}, subagent_trajectories=[child] if child else None)
for minor in range(9):
    whole = make(f'ATIF-v1.{minor}', make(f'ATIF-v1.{minor}'))
    for nulls in (False, True):
        name = f'{sys.argv[1]}/theirs-{minor}-{nulls}.json'
        open(name, 'w', encoding='utf-8').write(whole.model_dump_json(exclude_none=not nulls))
        print(name)
`;

const compare = `
import sys
from harbor.models.trajectories import Trajectory
one, other = (Trajectory.model_validate_json(open(path, encoding='utf-8').read()) for path in sys.argv[1:])
print(one == other)
`;

describe('trajectories, validated by the owner of their format', function () {
  this.timeout(600_000);
  let folder: TemporaryFolder;
  let python: string;
  before(async function () {
    folder = await temporaryFolder();
    python = folder.file('venv/bin/python');
    try {
      await execa('python3', ['-m', 'venv', folder.file('venv')]);
      // Its models need only pydantic; the rest of the package needs a newer Python than machines may have.
      const quiet = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
      await execa(python, [...quiet, '--no-deps', '--ignore-requires-python', 'harbor']);
      await execa(python, [...quiet, 'pydantic>=2.11']);
    } catch (error) {
      console.log(`      needs python3 with venv, and PyPI: ${describeError(error).slice(0, 200)}`);
      this.skip();
    }
  });
  after(() => folder[Symbol.asyncDispose]());

  it('are valid, mean what their fields are for, and are the same after its models read them', async () => {
    await writeEpisode(folder.file('gui'));
    await writeAsked(folder.file('asked'));
    const attempts = (['ace', 'mid', 'dud'] as const).map(
      (agent) => ({ agent, family: 'alpha', task: 8, number: 1 }) as const,
    );
    await writeMadeUpStudy(folder.file('study'), {
      isOver: (one) => attempts.some((other) => attemptFolder(other) === attemptFolder(one)),
    });
    const tries = attempts.map((one) => folder.file(`study/${attemptFolder(one)}/try-1`));
    for (const record of tries) await finishRecord(record);
    const files = [folder.file('gui'), folder.file('asked'), ...tries].map(
      (record) => `${record}/${recordFiles.trajectory}`,
    );
    const { stdout } = await execa(python, ['-c', validate, ...files]);
    const lines = stdout.split('\n');
    assert.equal(lines.length, files.length);
    for (const line of lines) assert.match(line, /^ATIF-v1\.8 \d+ True$/);
    for (const file of files)
      assert.deepEqual(await readTrajectory(`${file}.again`), await readTrajectory(file));
  });

  it('of every version, with every field, are read', async () => {
    const { stdout } = await execa(python, ['-c', write, folder.path]);
    const files = stdout.split('\n');
    assert.equal(files.length, 18);
    for (const file of files) {
      const { schema_version: version, steps, subagent_trajectories: below } = await readTrajectory(file);
      assert.match(file, new RegExp(`theirs-${version.slice('ATIF-v1.'.length)}-`));
      assert.deepEqual([steps.length, below?.[0]?.steps.length], [4, 4]);
      const again = `${file}.again.json`;
      await writeFile(again, JSON.stringify(await readTrajectory(file)));
      const { stdout: same } = await execa(python, ['-c', compare, file, again]);
      assert.equal(same, 'True', file);
    }
  });

  /** An episode of a model, with a request that had no answer, a restore and a person. */
  async function writeAsked(path: string): Promise<void> {
    const agent = { name: 'computer-use', version: '1', model: 'some-model', system: 'Be brief.' };
    const record = await openRecord(path, { ...meta, agent });
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    const turn = {
      llmCalls: 1,
      promptTokens: 100,
      cachedTokens: 60,
      completionTokens: 9,
      costUsd: 0.1,
      modelMs: 5,
    };
    const act = (step: number) => stepOf(step, [typed('xdotool key a', 'confirmed', 'typed', 'done')]);
    await record.step(observationOf(2, await plainPng('blue')), act(1), { ...turn, reasoning: 'Because.' });
    const back = { checkpoint: 'ck-00000001', step: 0, branch: 1, restoreMs: 12 };
    await record.restore(observationOf(3, await plainPng('red')), back);
    await record.step(observationOf(4, await plainPng('green')), act(2), turn);
    await record.unanswered({ promptTokens: 100, completionTokens: 0 });
    await record.end('model-failed');
  }
});
