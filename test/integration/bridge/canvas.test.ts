import { deadline, poll } from '../../../bridge/lib/index.ts';
import { ideTools } from '../../../bridge/protocol/index.ts';
import { readDrawio } from '../../../host/tasks/grade/checks/drawio.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

/** The file's shapes, and its arrows by the labels of their ends. */
async function drawn(ide: ToolIde): Promise<string[]> {
  const answer = readDrawio((await ide.onDisk('plan.drawio')) ?? '');
  if ('why' in answer) return [`a file that ${answer.why}`];
  const { shapes, arrows } = answer.diagram;
  const label = (id: string | undefined) => shapes.find((shape) => shape.id === id)?.label ?? 'nothing';
  return [
    ...shapes.map((shape) => `${shape.kind} ${shape.label}`),
    ...arrows.map(({ from, to, label: words }) => `${label(from)} > ${label(to)} ${words}`.trim()),
  ];
}

/** Saves, and waits until the file has this content. */
async function saves(ide: ToolIde, expected: readonly string[]): Promise<void> {
  await ide.ide.key('ctrl+s');
  using limit = deadline('the saved diagram', 20_000);
  const probe = async () => {
    const saw = (await drawn(ide)).join(', ');
    return saw === expected.join(', ')
      ? ({ done: true, value: saw } as const)
      : ({ done: false, saw } as const);
  };
  await poll(expected.join(', '), probe, { intervalMs: 100, signal: limit.signal });
}

onOneNode('the canvas', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, { 'plan.drawio': '' });
    await ide.call(ideTools.runCommand, { command: 'vscode.open', arguments: [{ $uri: 'plan.drawio' }] });
  });
  after(() => ide[Symbol.asyncDispose]());

  const press = async (name: RegExp) => ide.ide.click(await ide.ide.find('button', name));

  slowIt('takes shapes from its palette, with the typed labels', async () => {
    for (const [shape, label] of [
      [/^Rounded$/, 'Ask'],
      [/^Diamond$/, 'A < B?'],
    ] as const) {
      await press(shape);
      await ide.ide.type(label);
      await ide.ide.key('Return');
    }
    await saves(ide, ['rounded Ask', 'diamond A < B?']);
  });

  slowIt('connects two shapes, and undoes, redoes and saves in order', async () => {
    await press(/^Connect$/);
    await ide.ide.click(await ide.ide.find('option', /Ask/));
    await ide.ide.click(await ide.ide.find('option', /A < B/));
    await ide.ide.type('then');
    await ide.ide.key('Return');
    const all = ['rounded Ask', 'diamond A < B?', 'Ask > A < B? then'];
    await saves(ide, all);
    await ide.ide.key('Delete');
    await saves(ide, all.slice(0, 2));
    await ide.ide.key('ctrl+z');
    await saves(ide, all);
  });
});
