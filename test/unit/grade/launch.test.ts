import assert from 'node:assert/strict';
import type { Check } from '../../../host/tasks/grade/checks/check-result.ts';
import { flaskLaunch } from '../../../host/tasks/grade/checks/python-checks.ts';
import { left } from './left.ts';

const good = {
  name: 'Flask',
  type: 'debugpy',
  request: 'launch',
  module: 'flask',
  env: { FLASK_APP: 'app.py' },
  args: ['run', '--port', '5000'],
};

async function check(text: string): Promise<Check> {
  await using folder = await left({ 'workspace/.vscode/launch.json': text });
  return await flaskLaunch(folder.files, { app: 'app', port: 5000 });
}

const launch = (...configurations: unknown[]) => check(JSON.stringify({ version: '0.2.0', configurations }));

describe('a launch configuration for Flask passes', () => {
  const variants: Record<string, unknown> = {
    "as Python's extension makes it": {
      ...good,
      args: ['run', '--no-debugger', '--no-reload', '--port', '5000'],
      jinja: true,
    },
    'of the older type': { ...good, type: 'python' },
    'with the port in the environment': {
      ...good,
      args: ['run'],
      env: { FLASK_APP: 'app', FLASK_RUN_PORT: '5000' },
    },
    'with the app among the arguments': { ...good, env: {}, args: ['--app', 'app.py', 'run', '-p', '5000'] },
    'with short flags in one word': { ...good, env: {}, args: ['-Aapp', 'run', '-p5000'] },
    'with flags and an equals sign': { ...good, env: {}, args: ['--app=app:app', 'run', '--port=5000'] },
    'with arguments in one string': { ...good, args: 'run --port 5000' },
    "with the app's whole path": {
      ...good,
      env: { FLASK_APP: '${workspaceFolder}/app.py' },
      cwd: '${workspaceFolder}',
    },
    "with Linux's own values": { ...good, args: ['run'], linux: { args: ['run', '--port', '5000'] } },
    'with the last of two ports': { ...good, args: ['run', '--port', '80', '--port', '5000'] },
  };
  for (const [name, configuration] of Object.entries(variants)) {
    it(name, async () => {
      const { passed, why } = await launch(configuration);
      assert.ok(passed, why);
    });
  }

  it('among other configurations, comments and trailing commas', async () => {
    const other = { name: 'Other', type: 'node', request: 'launch' };
    assert.ok((await launch(other, 'rubbish', good)).passed);
    assert.ok((await check(`// made by hand\n{ "configurations": [ ${JSON.stringify(good)}, ], }`)).passed);
  });
});

describe('a launch configuration for Flask fails', () => {
  const variants: Record<string, [configuration: unknown, why: RegExp]> = {
    'with a port outside the arguments': [
      { ...good, args: ['run'], port: 5000 },
      /the port is nothing, expected "5000"/,
    ],
    'when it attaches': [{ ...good, request: 'attach' }, /request is "attach"/],
    'with the port given only in the name': [
      { ...good, name: 'Flask 5000', args: ['run'] },
      /the port is nothing/,
    ],
    'with another port': [{ ...good, args: ['run', '--port', '5001'] }, /the port is "5001"/],
    'when an argument overrides the environment': [
      { ...good, args: ['run', '--port', '80'], env: { FLASK_APP: 'app', FLASK_RUN_PORT: '5000' } },
      /the port is "80"/,
    ],
    'with a port that is a number in the environment': [
      { ...good, args: ['run'], env: { FLASK_APP: 'app', FLASK_RUN_PORT: 5000 } },
      /the port is 5000, expected "5000"/,
    ],
    'without the app': [{ ...good, env: {} }, /the app is nothing/],
    'with another app': [{ ...good, env: { FLASK_APP: 'wsgi.py' } }, /the app is "wsgi\.py"/],
    'without run': [{ ...good, args: ['--port', '5000'] }, /no "run"/],
    'with another debugger': [{ ...good, type: 'node' }, /type is "node"/],
    'with another module': [{ ...good, module: 'gunicorn' }, /module is "gunicorn"/],
    'with a program as well': [{ ...good, program: 'app.py' }, /a program or code beside/],
    'without a name': [{ ...good, name: undefined }, /has no name/],
    'in another folder': [{ ...good, cwd: '/tmp' }, /cwd is "\/tmp"/],
    'with arguments that are not strings': [{ ...good, args: ['run', '--port', 5000] }, /expected strings/],
    'when it is not an object': [null, /is not a configuration/],
  };
  for (const [name, [configuration, why]] of Object.entries(variants)) {
    it(name, async () => {
      const result = await launch(configuration);
      assert.equal(result.passed, false);
      assert.match(result.why, why);
    });
  }

  it('without configurations', async () => {
    assert.match((await check('{}')).why, /has no configurations/);
    assert.match((await check('{"configurations": {}}')).why, /has no configurations/);
    assert.match((await check('{"configurations": []}')).why, /has no configurations/);
    assert.match((await check('{')).why, /not valid JSON/);
  });

  it('without the file', async () => {
    await using folder = await left({});
    const { passed, why } = await flaskLaunch(folder.files, { app: 'app', port: 5000 });
    assert.deepEqual([passed, why], [false, '/workspace/.vscode/launch.json does not exist']);
  });

  it('briefly, with any number of configurations', async () => {
    assert.ok((await launch(...Array.from({ length: 2000 }, () => ({ name: 'x' })))).why.length < 2100);
  });
});
