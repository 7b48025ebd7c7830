import { join } from 'node:path';
import { readTaskPictures } from '../../../host/run/agents/model/shown-observation.ts';
import { readTreeEntries } from '../../../host/tasks/format/task-files.ts';
import { findTasks, loadTask } from '../../../host/tasks/index.ts';
import { runVariantHere } from '../../support/run-variant.ts';
import { taskFiles } from '../tasks/folder.ts';
import { ground, type Ground, withstand } from './attack.ts';

const on = "another user's task";

describe("another user's task", () => {
  const whole = async (path: string) => {
    const task = await loadTask(join(path, 'f/t'));
    return [
      task.instruction,
      await task.seeds(),
      await task.testSeeds(),
      await task.solutions(),
      await task.falseSolutions(),
      await task.leaks(),
      await task.agentCodeUses(),
    ];
  };
  const attack = (what: string, lay: (at: Ground) => Promise<unknown>, expected?: 'harmless') =>
    it(`does no harm if ${what}`, async () => {
      await using at = await ground({
        ...taskFiles('f/t'),
        'f/t/environment/workspace/a.txt': 'a',
        'f/t/solution/solve.sh': 'true\n',
      });
      await lay(at);
      await withstand(on, what, () => whole(at.path), expected);
    });

  for (const name of ['workspace', 'home', 'root', 'ide'])
    attack(`environment/${name} is a link to a folder of the host`, (at) =>
      at.link(`f/t/environment/${name}`, at.outside),
    );
  for (const name of ['environment', 'tests', 'solution', 'false-solutions'])
    attack(`${name} is a link to a folder of the host`, (at) =>
      at.link(`f/t/${name}`, join(at.outside, 'a')),
    );
  for (const name of ['instruction.md', 'task.toml', 'variant.mjs'])
    attack(`${name} is a link to a file of the host`, (at) =>
      at.link(`f/t/${name}`, join(at.outside, 'secret')),
    );
  for (const name of [
    'instruction.md',
    'task.toml',
    'tests/test.sh',
    'environment/workspace/a.txt',
    'variant.mjs',
  ])
    attack(`${name} is a pipe`, (at) => at.pipe(`f/t/${name}`));
  attack('instruction.md is a device that never ends', (at) => at.link('f/t/instruction.md', '/dev/zero'));
  attack('instruction.md is a link to a link to the host', async (at) => {
    await at.link('f/t/one', at.outside);
    await at.link('f/t/instruction.md', 'one/secret');
  });
  attack('instruction.md is larger than any', (at) =>
    at.folder.write({ 'f/t/instruction.md': Buffer.alloc(20 << 20, 'x') }),
  );
  attack(
    'a solution is a link',
    (at) => at.link('f/t/solution/gui.xdotool', join(at.outside, 'secret')),
    'harmless',
  );
  attack(
    'a file of the workspace is a link to the host',
    (at) => at.link('f/t/environment/workspace/b.txt', join(at.outside, 'secret')),
    'harmless',
  );
  attack(
    'a NAME.symlink is a link to the host',
    (at) => at.link('f/t/environment/workspace/b.symlink', join(at.outside, 'secret')),
    'harmless',
  );
  attack('links go round', async (at) => {
    await at.link('f/t/environment/workspace', 'other');
    await at.link('f/t/environment/other', 'workspace');
  });

  it('shows a model no pictures of the host', async () => {
    await using at = await ground({ ...taskFiles('f/t') });
    await at.link('f/t/environment/workspace', at.outside);
    const read = () => readTaskPictures({ instruction: 'Look at secret.png.', path: join(at.path, 'f/t') });
    await withstand(on, 'its instruction names a picture behind a link', read, 'harmless');
  });

  it('is found without walking through the host', async () => {
    await using at = await ground({ ...taskFiles('f/t') });
    await at.link('f/more', '/');
    await withstand(on, 'a folder of its collection is a link to /', () => findTasks([at.path]), 'harmless');
  });

  it('gives its variant no files of the host', async () => {
    await using at = await ground({ ...taskFiles('f/t'), 'f/t/variant.mjs': 'export default () => ({})' });
    await at.link('f/lib', at.outside);
    const made = async () => (await loadTask(join(at.path, 'f/t'))).make?.(runVariantHere);
    await withstand(on, "the family's lib is a link to a folder of the host", made);
  });

  it("keeps a folder's tree within the folder", async () => {
    await using at = await ground({ 'x/y': 'z' });
    await withstand(on, 'a folder is asked for by a path that leads out', () =>
      readTreeEntries(at.path, '../outside'),
    );
  });
});
