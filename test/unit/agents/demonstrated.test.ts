import assert from 'node:assert/strict';
import { numberMarks } from '../../../host/run/agents/scripted-agent.ts';
import { type DemonstratedStep, writeSolution } from '../../../host/run/episode/demonstration.ts';

type Marks = DemonstratedStep['before']['marks'];

function marks(...named: readonly (readonly [role: string, name: string])[]): Marks {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  return named.map(([role, name], i) => ({ id: i + 7, role, name, box, state: {} }));
}

const act = (line: string, hit: { role: string; name: string } | null = null) => ({
  line,
  target: null,
  hit,
});
const save = { role: 'button', name: 'Save "all"' };
const click = 'xdotool mousemove 40 50 click 1';

describe('a demonstration as a solution', () => {
  it('keeps keys and text as they are, and clicks by the name of the clicked element', () => {
    const acts = [act(click, save), act("xdotool type 'hi'"), act('xdotool key ctrl+s')];
    const made = writeSolution(
      [{ step: { acts }, before: { marks: marks(['button', 'Save "all"']) } }],
      'Ada',
    );
    assert.equal(
      made.text,
      `# Demonstrated by Ada.\nclick [button "Save \\"all\\""]\nxdotool type 'hi'\nxdotool key ctrl+s\n`,
    );
    assert.deepEqual(made.byPlace, []);
  });

  it('clicks by place if the name is ambiguous or unknown', () => {
    const twice = marks(['button', 'Save "all"'], ['button', 'Save "all"']);
    const acts = [act(click, save), act(click), act('xdotool mousemove 1 1 click 3', save)];
    const { byPlace } = writeSolution([{ step: { acts }, before: { marks: twice } }], 'Ada');
    assert.equal(byPlace.length, 3);
  });

  it('names the private acts that it leaves out', () => {
    const { text, missing } = writeSolution(
      [{ step: { acts: [act('typed something private')] }, before: { marks: [] } }],
      'Ada',
    );
    assert.deepEqual(missing, ['typed something private']);
    assert.doesNotMatch(text, /private/);
  });
});

describe('a named mark in a line of a solution', () => {
  const line = 'click [button "Save \\"all\\""]';

  it('is the number of the one mark of that role and name', () => {
    assert.equal(numberMarks(line, marks(['tab', 'x'], ['button', 'Save "all"'])), 'click [8]');
    assert.equal(
      numberMarks('drag [tab "x"] to [tab "y"]', marks(['tab', 'x'], ['tab', 'y'])),
      'drag [7] to [8]',
    );
  });

  it('is refused if no mark matches, or more than one', () => {
    for (const shown of [marks(), marks(['button', 'Save "all"'], ['button', 'Save "all"'])]) {
      const refused = numberMarks(line, shown);
      assert.ok(typeof refused === 'object' && refused.kind === 'unreadable');
    }
  });

  it('is left alone in typed text', () => {
    const typed = `xdotool type '[button "x"]'`;
    assert.equal(numberMarks(typed, marks()), typed);
  });
});
