import assert from 'node:assert/strict';
import { NamePool, RecordTally } from '../../../host/read/analysis/attempt-rows.ts';
import type { RecordFigures } from '../../../host/read/index.ts';
import type { EventOf, RecordedAction, RecordedOutcome } from '../../../host/run/index.ts';

type Timing = EventOf<'step'>['timing'];

/** Figures of steps with these outcomes, each on a different screen. */
function figuresOf(...steps: readonly (readonly RecordedOutcome[])[]): RecordFigures {
  const tally = new RecordTally(new NamePool());
  for (const [i, outcomes] of steps.entries()) tally.add(stepOf(i + 1, outcomes));
  return tally.figures;
}

function stepOf(
  step: number,
  outcomes: readonly RecordedOutcome[],
  over: Partial<Timing> = {},
): EventOf<'step'> {
  const timing = { actMs: 100, settleMs: 150, screenshotMs: 30, marksMs: 20, totalMs: 300, ...over };
  const at = { at: '2026-01-01T00:00:00.000Z', ms: step * 1000 };
  const settled = { ms: 150, reason: 'quiet' as const, busy: [] };
  return {
    ...{
      ...at,
      event: 'step',
      step,
      turn: {},
      outcomes: [...outcomes],
      skipped: [],
      settled,
      timing,
      services: [],
    },
    observation: {
      ...{ number: step, screen: `frames/${step}.png`, marks: `frames/${step}.json`, annotated: null },
      ...{ width: 8, height: 6, pointer: { x: 0, y: 0 }, changed: null, markCount: 0, omittedMarks: 0 },
      ...{ focus: null, caret: null, workbench: true, title: '' },
    },
  };
}

function outcome(action: RecordedAction, effect: RecordedOutcome['effect'], evidence = ''): RecordedOutcome {
  return { action, effect, evidence };
}

const click: RecordedAction = { kind: 'mark', verb: 'click', mark: 3 };

function call(name: string, given: Record<string, unknown> = {}, set?: string): RecordedAction {
  return { kind: 'tool', name, arguments: given, ...(set !== undefined && { set }) };
}

describe('the figures of a record', () => {
  it("distinguish a stale mark from other refusals, by the bridge's wording", () => {
    const stale = [
      'mark 3, button "Run", is of an older observation; the newest is 7; in its place is [9] button "Stop"',
      'mark 3: its page is gone',
      'mark 3: a dialog is in front: Leave?',
    ];
    const others = ['there is no mark 3; observe first', 'mark 3 was clicked, but is no text field'];
    const staleAmong = (words: readonly string[]) =>
      figuresOf(...words.map((evidence) => [outcome(click, 'refused', evidence)])).staleMarks;
    assert.deepEqual([staleAmong(stale), staleAmong(others)], [3, 0]);
  });

  it("count clicks that missed, by the evidence's wording", () => {
    const missed = [
      'focus is not in textbox "a.py"; focus moved to button "Run"',
      'checkbox "Word wrap" is still not checked',
      'it hit nothing that has a role; the screen changed',
    ];
    for (const evidence of missed)
      assert.equal(figuresOf([outcome(click, 'unverifiable', evidence)]).missedClicks, 1, evidence);
    const tool = call('read_file', { path: 'a' });
    assert.equal(figuresOf([outcome(tool, 'confirmed', 'focus is not in textbox "a"')]).missedClicks, 0);
    assert.equal(figuresOf([outcome(click, 'confirmed', 'focus is in textbox "a.py"')]).missedClicks, 0);
  });

  it("classify actions by means, also under other harnesses' names", () => {
    const { byKind } = figuresOf([
      outcome(click, 'confirmed'),
      outcome({ kind: 'unreadable', line: 'x', why: 'y' }, 'refused'),
      outcome(call('read_file', { path: 'a' }), 'confirmed'),
      outcome(call('bash', { command: 'ls' }, 'pwp'), 'confirmed'),
      outcome(call('grep_search', { query: 'x' }), 'confirmed'),
      outcome(call('of_nobody'), 'refused'),
    ]);
    assert.deepEqual(byKind, { pixels: 1, filesAndShell: 2, ideTools: 2, unreadable: 1 });
  });

  it('list the parts of the IDE that steps tried to use', () => {
    const used = (action: RecordedAction, over: Partial<RecordedOutcome> = {}, view?: string) => {
      const tally = new RecordTally(new NamePool());
      const step = stepOf(1, [{ ...outcome(action, 'no-effect'), ...over }]);
      const focus = { role: 'tree', name: 'Files', editable: false, ...(view !== undefined && { view }) };
      tally.add({ ...step, observation: { ...step.observation, focus } });
      return Object.entries(tally.figures.byFeature).flatMap(([name, steps]) => (steps > 0 ? [name] : []));
    };
    const line = (text: string): RecordedAction => ({ kind: 'xdotool', line: text });
    const typed = { name: 'a', line: 1, column: 1, replaced: '', differences: [] };
    const [explorer, editor] = ['workbench.view.explorer', 'workbench.parts.editor'];
    assert.deepEqual(used(click, {}, explorer), ['explorer']);
    assert.deepEqual(used(click, {}, editor), []);
    assert.deepEqual(used(click), []);
    assert.deepEqual(used(line('xdotool key shift+F12'), {}, editor), ['code intelligence']);
    assert.deepEqual(used(line('xdotool key ctrl+Shift+p'), {}, 'quickInput'), ['commands']);
    assert.deepEqual(
      used({ kind: 'computer', call: { type: 'keypress', keys: ['CTRL', 'Z'] } }, {}, editor),
      ['text editing'],
    );
    assert.deepEqual(used(line("xdotool type 'F5'"), { typed: { ...typed, where: 'editor' } }, editor), [
      'text editing',
    ]);
    assert.deepEqual(
      used(line("xdotool type 'ls'"), { typed: { ...typed, where: 'terminal' } }, 'terminal'),
      ['terminal'],
    );
    assert.deepEqual(used(call('find_references', { path: 'a' }), {}, explorer), ['code intelligence']);
    assert.deepEqual(used(call('bash', { command: 'ls' }, 'pwp'), {}, explorer), []);
    assert.deepEqual(used({ kind: 'unreadable', line: 'x', why: 'y' }, {}, explorer), []);
  });

  it('take the time of tools from steps with only tools', () => {
    const tool = outcome(call('read_file', { path: 'a' }), 'confirmed');
    const { toolsMs, ideMs } = figuresOf([tool], [tool, outcome(click, 'confirmed')], []);
    assert.deepEqual([toolsMs, ideMs], [100, 800]);
  });

  it('count an action that was not tried only as skipped', () => {
    const write = call('write_file', { path: 'a', content: 'x\n'.repeat(60) });
    const refused = outcome(call('read_file', { path: 'b' }), 'refused', 'there is no file');
    const untried: RecordedOutcome = { ...outcome(write, 'refused', 'not tried'), untried: true };
    const tally = new RecordTally(new NamePool());
    for (let step = 1; step <= 5; step += 1)
      tally.add({ ...stepOf(step, [refused]), skipped: [write, click] });
    tally.add(stepOf(6, [untried]));
    const { figures } = tally;
    assert.deepEqual([figures.skipped, figures.failedCalls, figures.calls.length], [11, 5, 5]);
    assert.deepEqual([figures.edits, figures.successfulEdits, figures.mostEditsOfFile], [0, 0, 0]);
    assert.deepEqual([figures.largestEdit, figures.filesReadBeforeEdit], [0, null]);
    assert.deepEqual(figures.iterations, { productive: 0, 'non-productive': 0, exploration: 6 });
    assert.equal(figures.longestExploration, 6);
    // Only tools were tried, so the time is theirs.
    assert.equal(figures.toolsMs, 500);
  });

  it('have repeated states only for agents that see the screen', () => {
    const repeatedOf = (parts: string[] | undefined, action: RecordedAction) => {
      const tally = new RecordTally(new NamePool());
      const agent = { name: 'a', version: '1', ...(parts && { parts }) };
      const at = { at: '2026-01-01T00:00:00.000Z', ms: 0 };
      tally.add({ ...at, event: 'start', record: 1, session: 's', task: null, agent, versions: {} });
      tally.add({ ...stepOf(1, [outcome(action, 'confirmed')]) });
      tally.add({ ...stepOf(1, [outcome(action, 'confirmed')]) });
      return tally.figures.repeatedStates;
    };
    const shell = call('shell', { command: 'ls' });
    assert.equal(repeatedOf(['effects'], shell), null);
    assert.equal(repeatedOf(['marks', 'effects'], shell), 1);
    assert.equal(repeatedOf(['picture'], click), 1);
    assert.equal(repeatedOf(undefined, shell), null);
    assert.equal(repeatedOf(undefined, click), 1);
  });

  it('count reads before the first tried edit, and whether some were on the screen', () => {
    const read = (path: string) => outcome(call('read_file', { path }), 'confirmed');
    const edit = outcome(call('write_file', { path: 'a', content: 'x' }), 'refused', 'it exists');
    const tools = figuresOf([read('a')], [read('a')], [read('b'), edit], [read('c')]);
    assert.deepEqual([tools.filesReadBeforeEdit, tools.callsBeforeEdit, tools.filesRead], [2, 3, 3]);
    assert.deepEqual([tools.mostRereads, tools.lookedBeforeEdit, tools.firstEdit], [1, false, null]);
    assert.equal(figuresOf([outcome(click, 'confirmed')], [edit]).lookedBeforeEdit, true);
    assert.equal(figuresOf([read('a')]).filesReadBeforeEdit, null);
  });

  it('count syntax errors in a row, which another edit ends', () => {
    const edit = (effect: RecordedOutcome['effect'], evidence = '') =>
      [outcome(call('write_file', { path: 'a', content: 'x' }), effect, evidence)] as const;
    const bad = edit('refused', 'SyntaxError: unexpected indent');
    assert.equal(figuresOf(bad, bad, edit('confirmed'), bad).syntaxErrorRun, 2);
    assert.equal(figuresOf(bad, edit('refused', 'there is no file'), bad).syntaxErrorRun, 1);
  });

  it('take the larger number of the lines that an edit adds and removes', () => {
    const edits = [
      { type: 'replace', line: 1, end_line: 60, content: 'x' },
      { type: 'insert', line: 70, content: 'a\nb' },
    ];
    const step = [outcome(call('edit_file', { path: 'a', edits }), 'confirmed')];
    assert.equal(figuresOf(step).largestEdit, 60);
  });
});
