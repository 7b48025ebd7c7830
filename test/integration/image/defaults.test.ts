import assert from 'node:assert/strict';
import { deadline, type Deadline } from '../../../bridge/lib/index.ts';
import { ide } from '../../../bridge/protocol/index.ts';
import { defaultDisplay, defaultLimits, type Sandbox } from '../../../host/node/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { bash } from '../../support/node-sandbox.ts';

/** Settings of every scope, and those that the first paint depends on. */
const expected = {
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'extensions.autoUpdate': false,
  'files.autoSave': 'off',
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
};

onOneNode('an IDE from the image', (open) => {
  let limit: Deadline;
  let test: OpenedNode;
  let sandbox: Sandbox;
  before(async () => {
    limit = deadline('the test', 100_000);
    test = await open();
    const spec = { name: 'defaults', role: 'ide', seeds: [], keep: false } as const;
    sandbox = await test.node.start(
      { ...spec, display: defaultDisplay, limits: defaultLimits },
      { signal: limit.signal },
    );
    await sandbox.ready({ signal: limit.signal });
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
    limit[Symbol.dispose]();
  });

  it('has our settings as defaults, none of them as the user’s', async () => {
    const keys = Object.keys(expected);
    const { settings } = await sandbox.call(ide.settings, { keys }, { signal: limit.signal });
    const found = Object.fromEntries(
      settings.map(({ key, effective, source }) => [key, [effective, source]]),
    );
    const wanted = Object.fromEntries(
      Object.entries(expected).map(([key, value]) => [key, [value, 'default']]),
    );
    assert.deepEqual(found, wanted);
    assert.equal(await sandbox.readFile('/ide/data/User/settings.json', 1000), null);
  });

  it('resolves localhost', async () => {
    const { stdout } = await bash(sandbox, 'getent ahosts localhost');
    assert.match(stdout, /^127\.0\.0\.1 .*localhost$/m);
  });

  it('opens no page by itself', async () => {
    const { groups } = await sandbox.call(ide.tabs, {}, { signal: limit.signal });
    assert.deepEqual(
      groups.flatMap(({ tabs }) => tabs),
      [],
    );
  });
});
