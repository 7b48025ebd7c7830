import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionOutcome } from '../../../host/ide/index.ts';
import {
  editLine,
  runSummaryLine,
  toolCallLine,
  trajectoryLine,
} from '../../../host/read/analysis/ide-bench-lines.ts';
import { ideBenchLines, type IdeBenchLines } from '../../../host/read/index.ts';
import { openRecord, readRecord } from '../../../host/run/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import {
  grade,
  meta,
  observationOf,
  plainPng,
  resetInfo,
  stepOf,
  typed,
} from '../../support/record-fixture.ts';

type ToolOutcome = Omit<ActionOutcome, 'action'>;
const confirmed: ToolOutcome = { effect: 'confirmed', evidence: 'the tool answered', output: 'done' };
const refused: ToolOutcome = { effect: 'refused', evidence: 'there is no file a.py', output: undefined };

function tool(
  name: string,
  given: Record<string, unknown>,
  outcome: ToolOutcome = confirmed,
  set?: string,
): ActionOutcome {
  return { action: { kind: 'tool', name, arguments: given, ...(set !== undefined && { set }) }, ...outcome };
}

describe("IDE-Bench's files of a record", () => {
  let folder: TemporaryFolder;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder[Symbol.asyncDispose]());

  /** Lines of an episode with these outcomes, one list for each step. */
  async function linesOf(...steps: readonly (readonly ActionOutcome[])[]): Promise<IdeBenchLines> {
    const path = join(folder.path, String((count += 1)));
    const agent = { ...meta.agent, name: 'assisted', model: 'anthropic:claude-sonnet-5' };
    const record = await openRecord(path, { ...meta, agent });
    const png = await plainPng('red');
    await record.reset(observationOf(1, png), resetInfo);
    for (const [i, outcomes] of steps.entries()) {
      const turn = {
        message: `turn ${i + 1}`,
        promptTokens: 100,
        completionTokens: 10,
        costUsd: 0.5,
        modelMs: 2000,
      };
      await record.step(observationOf(i + 2, png), stepOf(i + 1, outcomes), turn);
    }
    await record.lastTurn({ message: 'It is done.', promptTokens: 5, completionTokens: 1, costUsd: 0 });
    await record.grade(grade);
    await record.end('finished');
    return ideBenchLines(await readRecord(path), {
      ...{ study: 'first', agent: 'assisted, no marks', attempt: 2, counts: true },
    });
  }

  it('have the fields that they declare', async () => {
    const lines = await linesOf(
      [tool('read_file', { path: 'a.py' })],
      [tool('write_file', { path: 'a.py', content: 'x\n' }), typed('xdotool key F1', 'confirmed', 'seen')],
    );
    for (const [kind, schema] of [
      ['run_summary', runSummaryLine],
      ['tool_calls', toolCallLine],
      ['trajectory', trajectoryLine],
      ['edits', editLine],
    ] as const)
      for (const line of lines[kind]) assert.deepEqual(schema.strict().parse(line), line, kind);
    const counts = [lines.run_summary, lines.tool_calls, lines.trajectory, lines.edits].map(
      (all) => all.length,
    );
    assert.deepEqual(counts, [1, 3, 3, 1]);
  });

  it('sum up a run', async () => {
    const { run_summary: summaries } = await linesOf(
      [tool('read_file', { path: 'a.py' })],
      [tool('search_replace', { path: 'a.py', old_string: 'x', new_string: 'y' }, refused)],
      [tool('search_replace', { path: 'a.py', old_string: 'a', new_string: 'b' })],
    );
    const [summary] = summaries;
    assert.ok(summary);
    assert.deepEqual(
      [summary.study, summary.agent, summary.model, summary.attempt],
      ['first', 'assisted, no marks', 'anthropic:claude-sonnet-5', 2],
    );
    assert.deepEqual([summary.success, summary.reward, summary.test_pass_rate], [true, 1, 1]);
    assert.deepEqual([summary.tests_passed, summary.tests_total], [3, 3]);
    assert.deepEqual([summary.ended, summary.error_category], ['finished', null]);
    const kinds = [summary.iterations, summary.exploration, summary.non_productive, summary.productive];
    assert.deepEqual(kinds, [3, 1, 1, 1]);
    assert.deepEqual([summary.first_edit_iteration, summary.edits, summary.successful_edits], [3, 2, 1]);
    assert.deepEqual([summary.tool_calls, summary.failed_tool_calls], [3, 1]);
    assert.deepEqual([summary.prompt_tokens, summary.completion_tokens], [305, 31]);
    assert.deepEqual([summary.cost_usd, summary.model_seconds], [1.5, 6]);
  });

  it('count a call that was not tried as skipped, and not as an edit', async () => {
    const write = tool('write_file', { path: 'a.py', content: 'x' });
    const {
      run_summary: summaries,
      edits,
      tool_calls: calls,
      trajectory,
    } = await linesOf([
      tool('read_file', { path: 'a.py' }, refused),
      { ...write, effect: 'refused', untried: true },
    ]);
    assert.deepEqual(edits, []);
    assert.deepEqual(
      calls.map(({ type, tried, success }) => [type, tried, success]),
      [
        ['read', true, false],
        ['edit', false, false],
      ],
    );
    const [summary] = summaries;
    assert.deepEqual(
      [summary?.tool_calls, summary?.failed_tool_calls, summary?.skipped_tool_calls, summary?.edits],
      [1, 1, 1, 0],
    );
    assert.equal(trajectory[0]?.kind, 'exploration');
  });

  it('end with the final message, which is not an iteration', async () => {
    const lines = await linesOf([tool('read_file', { path: 'a.py' })]);
    assert.equal(lines.run_summary[0]?.iterations, 1);
    assert.deepEqual(
      lines.trajectory.map(({ iteration, kind, message }) => [iteration, kind, message]),
      [
        [1, 'exploration', 'turn 1'],
        [2, null, 'It is done.'],
      ],
    );
  });

  it('say what kind of call each one was', async () => {
    const { tool_calls: calls } = await linesOf([
      tool('read_file', { path: 'a.py' }),
      tool('grep_search', { query: 'x', include_pattern: '' }, confirmed, 'ide-bench'),
      tool('write_file', { path: 'a.py', content: 'x' }),
      tool('shell', { command: 'ls' }),
      typed('xdotool key F1', 'confirmed', 'seen'),
    ]);
    assert.deepEqual(
      calls.map(({ type }) => type),
      ['read', 'read', 'edit', 'other', 'other'],
    );
  });

  it('have the result of an edit as its tool reports it, which the arguments do not show', async () => {
    const seen = written({ lines_added: 7, lines_removed: 3, errors: 2 });
    const path = '/workspace/a.py';
    const { edits } = await linesOf([
      tool('write_file', { path, content: 'x' }, { ...confirmed, result: seen }),
      tool('write_file', { path, content: 'x' }, { ...confirmed, result: { ...seen, created: true } }),
      tool('rename_symbol', { path }, { ...confirmed, result: renamed('a.py') }),
      tool('rename_symbol', { path }, { ...confirmed, result: renamed('a.py', 'b.py') }),
    ]);
    assert.deepEqual(
      edits.map((one) => [one.file, one.lines_added, one.lines_removed, one.new_errors]),
      [
        ['a.py', 7, 3, 2],
        ['a.py', 7, 3, 2],
        ['a.py', null, null, null],
        [path, null, null, null],
      ],
    );
  });

  it('have null, not zero, for tokens that are partly unknown', async () => {
    const { run_summary: summaries, trajectory } = await linesOf([tool('shell', { command: 'ls' })]);
    assert.equal(trajectory[0]?.cached_tokens, null);
    assert.equal(summaries[0]?.cached_tokens, null);
  });

  it("recognize calls under another harness's names", async () => {
    const edit = {
      ...{ target_file: 'a.py', instructions: 'change', edit_type: 'line_edits' },
      line_edits: [
        { type: 'insert', line_number: 1, content: 'a\nb' },
        { type: 'delete', line_number: 4 },
      ],
    };
    const { tool_calls: calls, edits } = await linesOf([tool('edit_file', edit, confirmed, 'ide-bench')]);
    assert.deepEqual(
      [calls[0]?.tool, calls[0]?.registry_tool, calls[0]?.file],
      ['edit_file', 'edit_file', 'a.py'],
    );
    assert.deepEqual([edits[0]?.file, edits[0]?.lines_added, edits[0]?.lines_removed], ['a.py', 2, 1]);
    const paper = { command: 'create', path: 'b.py', file_text: 'one\ntwo\n' };
    const [made] = (await linesOf([tool('file_edit', paper, confirmed, 'pwp')])).edits;
    assert.deepEqual([made?.tool, made?.file, made?.lines_added], ['file_edit', 'b.py', 2]);
  });

  it('keep a call that no tool accepted', async () => {
    const nonsense = tool('edit_file', { nothing: 1 }, refused, 'ide-bench');
    const { tool_calls: calls, edits } = await linesOf([nonsense]);
    assert.deepEqual(
      [calls[0]?.registry_tool, calls[0]?.success, calls[0]?.error],
      [null, false, refused.evidence],
    );
    assert.deepEqual(edits, []);
  });

  const editing: readonly (readonly [
    string,
    ActionOutcome,
    readonly [boolean, number | null, number | null] | null,
  ])[] = [
    ['a file that is read', tool('read_file', { path: 'a' }), null],
    ['a shell command', tool('shell', { command: 'rm a' }), null],
    ['a new folder', tool('create_directory', { path: 'a' }), null],
    ['a preview of a refactoring', tool('rename_symbol', { path: 'a', preview: true }), null],
    ['a refactoring', tool('rename_symbol', { path: 'a' }), [true, null, null]],
    ['a new file', tool('create_file', { path: 'a', content: 'x\ny' }), [true, 2, 0]],
    ['a deleted file', tool('delete_file', { path: 'a' }), [true, null, null]],
    [
      'replaced lines',
      tool('edit_file', { path: 'a', edits: [{ type: 'replace', line: 2, end_line: 4, content: 'x' }] }),
      [true, 1, 3],
    ],
    [
      'a changed line among others',
      tool('search_replace', { path: 'a', old_string: 'a\nb\nc', new_string: 'a\nB\nc' }),
      [true, 1, 1],
    ],
    [
      'every occurrence',
      tool('search_replace', { path: 'a', old_string: 'a', new_string: 'b', replace_all: true }),
      [true, null, null],
    ],
    [
      'an edit without a change',
      tool('write_file', { path: 'a', content: 'x' }, { ...confirmed, effect: 'no-effect' }),
      [false, 1, null],
    ],
    ['a refused edit', tool('write_file', { path: 'a', content: 'x' }, refused), [false, 1, null]],
    ['text typed into an editor', typedInto('editor'), [true, null, null]],
    ['text typed into a terminal', typedInto('terminal'), null],
    ['a key', typed('xdotool key F1', 'confirmed', 'seen'), null],
  ];
  for (const [what, outcome, expected] of editing)
    it(`say of ${what} whether it is an edit, and of how many lines`, async () => {
      const [edit] = (await linesOf([outcome])).edits;
      const found = edit ? [edit.success, edit.lines_added, edit.lines_removed] : null;
      assert.deepEqual(found, expected);
    });

  it('say why there is no score', async () => {
    const path = join(folder.path, 'failed');
    const record = await openRecord(path, meta);
    await record.reset(observationOf(1, await plainPng('red')), resetInfo);
    await record.end('infrastructure-error', 'the machine had no memory left');
    const [summary] = ideBenchLines(await readRecord(path), null).run_summary;
    assert.deepEqual([summary?.success, summary?.tests_total, summary?.test_pass_rate], [null, null, null]);
    assert.deepEqual(
      [summary?.error_category, summary?.attempt, summary?.counts],
      ['infrastructure', null, true],
    );
    assert.match(await readFile(join(path, 'result.json'), 'utf8'), /infrastructure-error/);
  });
});

function typedInto(where: 'editor' | 'terminal'): ActionOutcome {
  const landed = { where, name: 'file:///workspace/a.py', line: 1, column: 1, replaced: '', differences: [] };
  return { ...typed('xdotool type x', 'confirmed', 'typed'), typed: landed };
}

/** The answer of a tool that writes a file, which VS Code had checked before and after. */
function written({ lines_added: added, lines_removed: removed, errors }: Record<string, number>) {
  const place = { path: 'a.py', line: 1, column: 1, end_line: 1, end_column: 2 };
  const problem = (severity: string) => ({ ...place, severity, message: 'no such name' });
  return {
    ...{ path: 'a.py', created: false, changed: true, through: 'buffer', saved: true, adjusted: false },
    ...{ version: '0123456789abcdef', previous_version: '0123456789abcdee' },
    ...{ lines_added: added, lines_removed: removed },
    problems: {
      ...{ state: 'fresh', why: 'it was reported', document_version: 2, compared: true },
      appeared: [problem('warning'), ...Array.from({ length: errors ?? 0 }, () => problem('error'))],
      ...{ gone: [], remaining: 0, omitted: 0 },
    },
  };
}

function renamed(...paths: readonly string[]) {
  const file = { kind: 'changed', new_path: null, changes: [], omitted: 0, saved: true, version: null };
  return {
    ...{
      title: 'rename',
      applied: true,
      total_changes: 2,
      truncated: false,
      incomplete: null,
      warning: null,
    },
    files: paths.map((path) => ({ path, ...file, problems: null })),
  };
}
