import assert from 'node:assert/strict';
import type { ActionPlan } from '../../../host/ide/actions/action-plan.ts';
import { compileAction } from '../../../host/ide/actions/compile-action.ts';
import type { Action } from '../../../host/ide/index.ts';

const screen = { x: 0, y: 0, width: 1920, height: 1080 };
const half = { mime: 'image/webp', width: 960, height: 540, region: screen, serial: 0 } as const;

function input(asked: string | Action): Extract<ActionPlan, { kind: 'input' }> {
  const plan = compileAction(asked, { screen });
  assert.ok(plan.kind === 'input', `${plan.kind}: ${plan.kind === 'refused' ? plan.why : ''}`);
  return plan;
}

describe('the plan of an action', () => {
  it('of a line that is not an action is refused, and keeps the line with the reason', () => {
    const plan = compileAction('rm -rf /', { screen });
    assert.ok(plan.kind === 'refused');
    assert.match(plan.why, /no action: 'rm -rf \/'/);
    assert.deepEqual(plan.action, { kind: 'unreadable', line: 'rm -rf /', why: plan.why });
  });

  it('of a line with a wrong word is refused as unreadable, of an action with one as that action', () => {
    const line = 'xdotool clack 1';
    const [read, given] = [
      compileAction(line, { screen }),
      compileAction({ kind: 'xdotool', line }, { screen }),
    ];
    assert.deepEqual([read.kind, read.action.kind], ['refused', 'unreadable']);
    assert.deepEqual([given.kind, given.action], ['refused', { kind: 'xdotool', line }]);
  });

  it('of a tool is a checked call, or refused before anything is sent', () => {
    const call = compileAction({ kind: 'tool', name: 'list_dir', arguments: {} }, { screen });
    assert.ok(call.kind === 'tool');
    assert.equal(call.call.tool.name, 'list_dir');
    const unknown = compileAction({ kind: 'tool', name: 'fly', arguments: {} }, { screen });
    assert.match(unknown.kind === 'refused' ? unknown.why : '', /unknown tool fly/);
    const bad = compileAction({ kind: 'tool', name: 'list_dir', arguments: { path: 1 } }, { screen });
    assert.match(bad.kind === 'refused' ? bad.why : '', /list_dir: bad arguments/);
  });

  it('of a look plays nothing', () => {
    assert.equal(compileAction('{"action": "screenshot"}', { screen }).kind, 'look');
  });

  it('of a zoom has its region in screen pixels, and is refused off the screen', () => {
    const zoom = (region: number[]) =>
      compileAction({ kind: 'computer', call: { action: 'zoom', region } }, { screen, view: half });
    const [on, off] = [zoom([10, 20, 110, 60]), zoom([960, 0, 970, 10])];
    assert.deepEqual(on.kind === 'zoom' && on.region, { x: 20, y: 40, width: 200, height: 80 });
    assert.match(off.kind === 'refused' ? off.why : '', /off the screen. The picture has 960x540 pixels/);
    assert.equal(off.action.kind, 'computer');
  });

  it('has coordinates in screen pixels', () => {
    const plan = compileAction('xdotool mousemove 100 200 click 1', { screen, view: half });
    assert.deepEqual(plan.kind === 'input' && plan.intent.point, { x: 201, y: 401 });
  });

  it('has the intent of the input', () => {
    const typing = input(`xdotool type 'a b' && xdotool type c`).intent;
    assert.deepEqual([typing.typed, typing.onlyTypes, typing.pointerOnly], ['a bc', true, false]);
    const mixed = input(`xdotool key ctrl+a type 'x'`).intent;
    assert.deepEqual([mixed.typed, mixed.onlyTypes], ['x', false]);
    assert.ok(input('xdotool mousemove 1 2 sleep 0.1 getmouselocation').intent.pointerOnly);
    assert.ok(input('xdotool mousemove 1 2 click 4').intent.wheel);
    assert.ok(!input('xdotool keydown ctrl click 4 keyup ctrl').intent.wheel);
    assert.ok(input('xdotool mousedown 1').intent.holds);
    assert.ok(!input('xdotool click 1').intent.holds);
    assert.ok(!input('xdotool mousemove 1 2 && xdotool getdisplaygeometry').intent.pointerOnly);
  });
});
