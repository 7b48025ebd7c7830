import assert from 'node:assert/strict';
import { ide as ideMethods } from '../../../bridge/protocol/index.ts';
import { Session } from '../../../host/ide/index.ts';
import { openLocal } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

/** Ways to drag from one place to another, each as the lines of one step. */
const ways: Readonly<Record<string, (from: Place, to: Place) => string[]>> = {
  'one line of xdotool': (from, to) => [
    `xdotool mousemove ${from.x} ${from.y} mousedown 1 mousemove ${to.x} ${to.y} mouseup 1`,
  ],
  'a line for each': (from, to) => [
    `xdotool mousemove ${from.x} ${from.y}`,
    'xdotool mousedown 1',
    `xdotool mousemove ${to.x} ${to.y}`,
    'xdotool mouseup 1',
  ],
  "Anthropic's action": (from, to) => [
    JSON.stringify({
      action: 'left_click_drag',
      start_coordinate: [from.x, from.y],
      coordinate: [to.x, to.y],
    }),
  ],
  "OpenAI's action": (from, to) => [JSON.stringify({ type: 'drag', path: [from, middle(from, to), to] })],
};

interface Place {
  readonly x: number;
  readonly y: number;
}

function middle(one: Place, other: Place): Place {
  return { x: Math.round((one.x + other.x) / 2), y: Math.round((one.y + other.y) / 2) };
}

describe('drag and drop', () => {
  const owned = new AsyncDisposableStack();
  let ide: Ide;
  let session: Session;
  const signal = () => AbortSignal.timeout(60_000);

  before(async () => {
    const names = [...Object.keys(ways), 'marks', 'steps'].map((_, i) => `file${i}.txt`);
    const files = Object.fromEntries(names.map((name) => [name, name]));
    ide = owned.use(await Ide.start(openLocal, { 'box/kept.txt': 'kept', ...files }));
    session = owned.use(new Session(ide.sandbox, { settleCapMs: 15_000 }));
    await session.settle({ signal: signal() });
    await step('xdotool key ctrl+shift+e');
  });
  after(() => owned.disposeAsync());

  async function step(...lines: string[]): Promise<string> {
    const { info } = await session.step(lines, { signal: signal() });
    return info.outcomes.map(({ effect, evidence }) => `${effect}: ${evidence}`).join('\n');
  }

  async function mark(role: string, name: RegExp): Promise<{ readonly id: number; readonly at: Place }> {
    const { marks } = await session.observe({ signal: signal() });
    const found = marks.find((one) => one.role === role && name.test(one.name));
    assert.ok(found, marks.map((one) => `${one.role} ${one.name}`).join(' | '));
    const { x, y, width, height } = found.box;
    return { id: found.id, at: { x: Math.round(x + width / 2), y: Math.round(y + height / 2) } };
  }

  /** Drags a file into the folder, confirms the dialog, and looks where it is. */
  async function moves(name: string, drag: (from: Place, to: Place) => Promise<string>): Promise<void> {
    const { at: to } = await mark('treeitem', /^box/);
    const { at: from } = await mark('treeitem', new RegExp(`^${name}`));
    const said = await drag(from, to);
    assert.match(said, new RegExp(`^confirmed: .*Are you sure you want to move '${name}' into 'box'`, 'm'));
    await step('xdotool key Return');
    assert.equal(String(await ide.sandbox.readFile(`/workspace/box/${name}`, 100)), name);
  }

  /** Names of the tabs, by group. */
  async function tabs(): Promise<string> {
    const { groups } = await ide.sandbox.call(ideMethods.tabs, {}, { signal: signal() });
    return groups.map(({ tabs: its }) => its.map(({ label }) => label).join(' ')).join(' | ');
  }

  Object.entries(ways).forEach(([way, lines], i) =>
    (i === 0 ? it : slowIt)(`moves a file into a folder, with ${way}`, () =>
      moves(`file${i}.txt`, (from, to) => step(...lines(from, to))),
    ),
  );

  it('moves a file into a folder, from mark to mark', async () => {
    const to = await mark('treeitem', /^box/);
    const from = await mark('treeitem', /^file4/);
    const said = await step(`drag [${from.id}] to [${to.id}]`);
    assert.match(said, /^confirmed: dialog "Are you sure you want to move 'file4\.txt' into 'box'/);
    await step('xdotool key Escape');
  });

  slowIt('moves a file into a folder over several steps', () =>
    moves('file5.txt', async (from, to) => {
      await step(`xdotool mousemove ${from.x} ${from.y} mousedown 1`);
      await step(`xdotool mousemove ${to.x + 30} ${to.y}`);
      await step(`xdotool mousemove ${to.x} ${to.y}`);
      return step('xdotool mouseup 1');
    }),
  );

  slowIt('moves tabs: before another one, and into a new group', async () => {
    for (const name of ['kept.txt', 'file4.txt'])
      await step('xdotool key ctrl+p', `xdotool type ${name}`, 'xdotool key Return');
    assert.equal(await tabs(), 'kept.txt file4.txt');
    const [first, second] = [await mark('tab', /^kept/), await mark('tab', /^file4/)];
    const drag = ways['one line of xdotool'];
    assert.ok(drag);
    const said = await step(...drag(second.at, { x: first.at.x - 30, y: first.at.y }));
    assert.equal(await tabs(), 'file4.txt kept.txt', said);
    const split = await step(...drag((await mark('tab', /^kept/)).at, { x: 1890, y: 500 }));
    assert.equal(await tabs(), 'file4.txt | kept.txt', split);
  });

  it('leaves a file where it is when Escape is pressed before the drop', async () => {
    const { at: to } = await mark('treeitem', /^box/);
    const { at: from } = await mark('treeitem', /^file4/);
    await step(
      `xdotool mousemove ${from.x} ${from.y} mousedown 1 mousemove ${to.x} ${to.y}`,
      'xdotool key Escape',
      'xdotool mouseup 1',
    );
    await mark('treeitem', /^file4/);
    assert.equal(String(await ide.sandbox.readFile('/workspace/file4.txt', 100)), 'file4.txt');
  });
});
