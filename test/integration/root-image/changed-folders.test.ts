import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imagePrograms } from '../../../bridge/lib/index.ts';
import { packageFolder } from '../../../host/lib/index.ts';
import { createLocalNode } from '../../../host/node/index.ts';
import { fetchAgentRoot } from '../../../host/node/root-images.ts';
import { makeTextEntry, packArchive } from '../../../host/tasks/format/archive.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { bareSpec, never } from '../../support/node-sandbox.ts';
import { runHome } from '../../support/run-home.ts';
import { writeOciLayout } from '../../support/oci-layout.ts';

const hook = '#!/bin/sh\n';
const config = '[core]\n\tfsmonitor = ./run\n';
const repository = (path: string) => [
  ...['', '/objects', '/hooks'].map((name) => ({ name: `${path}${name}`, type: 'folder' }) as const),
  { name: `${path}/config`, content: config },
  { name: `${path}/hooks/pre-commit`, content: hook },
];
const program = `
import os, sys
sys.path.insert(0, "/tests")
import runner_settings
walk, walked = os.walk, []
def counting(root):
    for one in walk(root):
        walked.append(one[0])
        yield one
os.walk = counting
print("\\n".join(runner_settings.settle("/project", set())))
print(len(walked), "folders")
`;

describe('settings that would change what tests run', () => {
  it('are taken out where the agent has left files, and the folders of an image are not searched', async () => {
    await using folder = await temporaryFolder();
    const image = folder.file('image');
    const many = Array.from({ length: 3000 }, (_, at) => ({ name: `many/${at}`, type: 'folder' }) as const);
    const top = ['many', 'project', 'kept'].map((name) => ({ name, type: 'folder' }) as const);
    await writeOciLayout(image, {
      layers: [[...top, ...many, ...repository('many/own'), ...repository('project/own')]],
    });
    await using node = await createLocalNode({ home: runHome(), root: fetchAgentRoot });
    const settings = 'host/tasks/datasets/harbor/grader/runner_settings.py';
    const tests = makeTextEntry(
      'runner_settings.py',
      await readFile(join(packageFolder(), settings), 'utf8'),
    );
    const left = [
      makeTextEntry('repo/config', config),
      ...['objects/x', 'hooks/pre-commit'].map((name) => makeTextEntry(`repo/${name}`, hook)),
    ];
    const seeds = [
      { path: '/tests', tar: packArchive([tests]) },
      ...['/project', '/kept/below'].map((path) => ({ path, tar: packArchive(left) })),
    ];
    await using bare = await node.start(bareSpec({ root: image, seeds }));
    const argv = [imagePrograms.python, '-I', '-c', program];
    const spec = { argv, cwd: '/', env: {}, timeoutMs: 30_000, maxOutputBytes: 10_000 };
    const { stdout, stderr } = await bare.exec(spec, { signal: never });
    const [last, ...removed] = stdout.trim().split('\n').reverse();
    const wanted = ['/kept/below/repo', '/project/repo'].flatMap((path) => [
      `${path}/config: core.fsmonitor`,
      `${path}/hooks`,
    ]);
    assert.deepEqual(removed.sort(), wanted, stderr);
    assert.ok(Number.parseInt(last ?? '') < 20, last);
  });
});
