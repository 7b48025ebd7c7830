import assert from 'node:assert/strict';
import type { EventOf, RecordedOutcome } from '../../../host/run/index.ts';
import { findSameMark, playablePeople, playableStep } from '../../../host/run/replay/playable-step.ts';
import { marks } from '../../support/record-fixture.ts';

const [, search] = marks;
const box = { x: 0, y: 0, width: 10, height: 10 };
const done = { effect: 'confirmed', evidence: 'seen' } as const;
const click = (mark: number): RecordedOutcome => ({ ...done, action: { kind: 'mark', verb: 'click', mark } });

describe('a recorded mark', () => {
  it('is the element with its role and name, regardless of its number now', () => {
    const now = [
      { id: 2, role: 'tab', name: 'Explorer', box },
      { ...search, id: 77, role: 'tab', name: 'Search', box },
    ];
    assert.deepEqual(findSameMark(2, marks, now), { id: 77 });
  });

  it('is missing if its number is another element now', () => {
    const now = [{ id: 2, role: 'tab', name: 'Explorer', box }];
    const found = findSameMark(2, marks, now);
    assert.match('why' in found ? found.why : '', /was the tab "Search", which is not on the screen/);
  });

  it('is the one at its place among several with its role and name', () => {
    const one = { id: 1, role: 'button', name: 'Save', box };
    const other = { ...one, id: 2, box: { ...box, y: 40 } };
    const now = [
      { ...one, id: 8 },
      { ...other, id: 9 },
    ];
    assert.deepEqual(findSameMark(2, [one, other], now), { id: 9 });
    const moved = now.map((mark) => ({ ...mark, box: { ...mark.box, x: 5 } }));
    assert.ok('why' in findSameMark(2, [one, other], moved));
  });

  it('is, without a name, only the one at its place', () => {
    const one = { id: 1, role: 'button', name: '', box };
    assert.ok('why' in findSameMark(1, [one], [{ ...one, box: { ...box, x: 5 } }]));
  });
});

describe('a recorded step', () => {
  const shown = { then: marks, now: marks.map((mark) => ({ ...mark, id: mark.id + 100 })) };

  it('is played without refused or silently dropped actions', () => {
    const key = { kind: 'xdotool', line: 'xdotool key a' } as const;
    const outcomes: RecordedOutcome[] = [
      {
        action: { kind: 'xdotool', line: 'xdotool key b' },
        effect: 'no-effect',
        evidence: '',
        suppressed: true,
      },
      { ...done, action: key },
      { action: key, effect: 'refused', evidence: 'another has control' },
    ];
    const found = playableStep(stepEvent(outcomes), shown);
    assert.deepEqual('actions' in found && found.actions, [key]);
    assert.match('notes' in found ? found.notes.join() : '', /silently dropped/);
  });

  it('has the current numbers of its marks', () => {
    const drag: RecordedOutcome = { ...done, action: { kind: 'mark', verb: 'drag', mark: 5, to: 8 } };
    const found = playableStep(stepEvent([click(2), drag]), shown);
    assert.deepEqual('actions' in found && found.actions, [
      { kind: 'mark', verb: 'click', mark: 102 },
      { kind: 'mark', verb: 'drag', mark: 105, to: 108 },
    ]);
  });

  it('is not played if the record cut its arguments, or does not say what a mark was', () => {
    const text = `${'a'.repeat(20_000)}… (9 characters left out)`;
    const tool: RecordedOutcome = {
      ...done,
      action: { kind: 'tool', name: 'write_file', arguments: { text } },
    };
    assert.match(whyOf(playableStep(stepEvent([tool]), shown)), /write_file are not whole/);
    assert.match(whyOf(playableStep(stepEvent([click(999)]), shown)), /does not say what mark \[999\] was/);
  });

  it("keeps a vendor's actions, and does not ask people again", () => {
    const call = { action: 'left_click', coordinate: [10, 20] };
    const ask: RecordedOutcome = { ...done, action: { kind: 'ask', text: 'Which file?' } };
    const found = playableStep(stepEvent([ask, { ...done, action: { kind: 'computer', call } }]), shown);
    assert.deepEqual('actions' in found && found.actions, [{ kind: 'computer', call }]);
  });
});

describe('the acts of people', () => {
  const people = (...lines: string[]) =>
    ({ acts: lines.map((action) => ({ action, evidence: 'Ada' })) }) as unknown as EventOf<'people'>;

  it('are played as recorded', () => {
    const line = 'xdotool mousemove 10 20 click 1';
    const found = playablePeople(people(line), false);
    assert.deepEqual('actions' in found && found.actions, [{ kind: 'xdotool', line }]);
  });

  it("are not played if private, cut, or in other pixels than the agent's", () => {
    assert.match(whyOf(playablePeople(people('typed something private'), false)), /private/);
    assert.match(whyOf(playablePeople(people("xdotool type 'cut"), false)), /not whole/);
    assert.match(whyOf(playablePeople(people('xdotool mousemove 1 2 click 1'), true)), /other pixels/);
  });
});

function stepEvent(outcomes: RecordedOutcome[]): EventOf<'step'> {
  return { outcomes } as unknown as EventOf<'step'>;
}

function whyOf(found: object): string {
  return 'why' in found ? String(found.why) : '';
}
