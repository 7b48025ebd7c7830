import assert from 'node:assert/strict';
import { profileTools } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const call = (functionName: string) => ({ functionName, url: '', lineNumber: -1 });

/** Two milliseconds in `render`, three in `load`. */
const cpuProfile = JSON.stringify({
  nodes: [
    { id: 1, callFrame: call('(root)'), children: [2] },
    { id: 2, callFrame: call('main'), children: [3, 4] },
    { id: 3, callFrame: call('render') },
    { id: 4, callFrame: call('load') },
  ],
  startTime: 0,
  endTime: 6000,
  samples: [3, 3, 4, 4, 4],
  timeDeltas: [1000, 1000, 1000, 1000, 1000],
});

const bar = (title: string, y: number, width: number) =>
  `<g><title>${title}</title><rect x="10" y="${y}" width="${width}" height="15"/></g>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg">${bar('all (8 samples, 100%)', 50, 80)}${bar('parse (6 samples, 75.00%)', 34, 60)}</svg>`;

onOneNode('profile tools', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      'run.cpuprofile': cpuProfile,
      'stacks.txt': 'main;load;parse 5\nmain;render 3\n',
      'cpu-flame.svg': svg,
      'notes.txt': 'nothing of the kind\n',
    });
  });
  after(() => ide[Symbol.asyncDispose]());

  it('summarise folded stacks without opening anything', async () => {
    const summary = await ide.call(profileTools.profileSummary, {
      path: 'stacks.txt',
      sort: 'total',
      limit: 2,
    });
    assert.deepEqual(
      summary.functions.map(({ name, self, total, total_percent }) => [name, self, total, total_percent]),
      [
        ['main', 0, 8, 100],
        ['parse', 5, 5, 62.5],
      ],
    );
    assert.deepEqual(
      summary.flame.map(({ depth, name }) => `${depth} ${name}`),
      ['1 main', '2 load', '3 parse', '2 render'],
    );
    assert.deepEqual([summary.unit, summary.depth, summary.truncated], ['samples', 3, true]);
  });

  it('refuse a file that is not a profile, and leave it unopened', async () => {
    assert.match(
      await ide.refused('bad-profile', profileTools.openProfile, { path: 'notes.txt' }),
      /notes\.txt/,
    );
    await ide.refused('not-found', profileTools.profileSummary, { path: 'none.folded' });
  });

  it('open the flame graph of a .cpuprofile, with readable bars', async () => {
    const { effect, result } = await ide.answer(profileTools.openProfile, { path: 'run.cpuprofile' });
    assert.equal(effect, 'confirmed');
    assert.deepEqual([(result as { unit: string }).unit, (result as { total: number }).total], ['ms', 5]);
    const load = await ide.ide.find('button', /^load · total 3 ms \(60 %\) · self 3 ms \(60 %\) · depth 2$/);
    await ide.ide.click(load);
    const zoomed = await ide.ide.find('button', /^load · /);
    assert.ok(zoomed.box.width > 1.5 * load.box.width, 'a click makes the bar as wide as the view');
  });

  it('read the flame graph of an SVG', async () => {
    await ide.call(profileTools.openProfile, { path: 'cpu-flame.svg' });
    await ide.ide.find('button', /^parse · total 6 samples \(75 %\)/);
  });
});
