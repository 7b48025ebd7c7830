import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from '../../host/lib/index.ts';
import { buildDist } from '../../host/node/setup/build-dist.ts';
import { vscodeExecutable } from '../support/vscode/executable.ts';
import type { RestrictedReport } from '../support/vscode/restricted-report.ts';
import { lowestLayer } from './rootfs.ts';

/** A folder as if just downloaded, and a user whom VS Code does not ask at once whether to trust it. */
const files = {
  'app/notes.md': '# Notes\n',
  'app/.vscode/tasks.json': JSON.stringify({
    version: '2.0.0',
    tasks: [{ label: 'theirs', type: 'shell', command: 'touch /tmp/theirs' }],
  }),
  'app/conftest.py': 'open("/tmp/theirs", "w")\n',
  'app/test_one.py': 'def test_one(): pass\n',
  'user/User/settings.json': JSON.stringify({ 'security.workspace.trust.startupPrompt': 'never' }),
};
const refused = ['set_setting', 'run_python', 'list_tests', 'list_tasks', 'ide.tasks'];

// VS Code trusts every folder in a run of extension tests, so this is not one.
describe('extension in Restricted Mode', function () {
  this.timeout(240_000);
  let folder: string;
  let found: RestrictedReport;

  before(async () => {
    await buildDist(AbortSignal.timeout(60_000), ['extension']);
    folder = await mkdtemp(join(tmpdir(), 'pwp-restricted-'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await mkdir(join(folder, 'sockets'), { mode: 0o700 });
    const report = join(folder, 'report.json');
    const args = [folder, join(packageFolder(), 'dist/pwp.vsix'), report];
    await promisify(execFile)(vscodeExecutable(undefined), args, {
      env: {
        ...process.env,
        PWP_TEST_ROOTFS: await lowestLayer(),
        PWP_TEST_PROGRAM: 'restricted.ts',
        PWP_SOCKET_DIR: join(folder, 'sockets'),
      },
    });
    found = JSON.parse(await readFile(report, 'utf8')) as RestrictedReport;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('reads, and refuses to act or to run code, without a question to the user', () => {
    const { trusted, answers, dialogs } = found.before;
    assert.equal(trusted, false);
    assert.equal(answers.read_file, 'ok');
    for (const name of refused) assert.equal(answers[name], 'restricted-mode', name);
    assert.deepEqual(dialogs, []);
  });

  it('acts as asked once the user trusts the folder', () => {
    const { trusted, answers } = found.after;
    assert.equal(trusted, true);
    for (const name of ['read_file', 'set_setting', 'list_tasks', 'ide.tasks'])
      assert.equal(answers[name], 'ok', name);
    for (const name of refused) assert.notEqual(answers[name], 'restricted-mode', name);
  });
});
