import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { poll } from '../../../bridge/lib/index.ts';
import { ensureOwnersPackage, type OwnersPackage } from '../../../host/tasks/datasets/owners/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';

const program = new URL('../../programs/owners-installer.ts', import.meta.url).pathname;

/** Writes a wheel with one module, as `pip wheel` would. */
const wheelScript = `
import sys, zipfile
about = "Metadata-Version: 2.1\\nName: pwp-sample-judge\\nVersion: 1.0\\n"
wheel = "Wheel-Version: 1.0\\nGenerator: pwp\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
files = {"pwp_sample_judge.py": "", "METADATA": about, "WHEEL": wheel, "RECORD": ""}
with zipfile.ZipFile(sys.argv[1], "w") as file:
    for name, text in files.items():
        file.writestr(name if name.endswith(".py") else f"pwp_sample_judge-1.0.dist-info/{name}", text)
`;

/** No index: pip finds the wheel in a folder. */
describe("an environment for an owners' package", () => {
  let folder: TemporaryFolder;
  let wanted: OwnersPackage;
  let home: string;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    folder = await temporaryFolder();
    const wheel = folder.file('pwp_sample_judge-1.0-py3-none-any.whl');
    await execa('python3', ['-I', '-c', wheelScript, wheel]);
    const sha256 = createHash('sha256')
      .update(await readFile(wheel))
      .digest('hex');
    const one = { name: 'pwp-sample-judge', version: '1.0' };
    wanted = { ...one, use: 'which judges samples', python: [3, 10], wheels: [{ ...one, sha256 }] };
    env = { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder.path };
  });
  after(() => folder[Symbol.asyncDispose]());
  let count = 0;
  beforeEach(() => {
    count += 1;
    home = folder.file(`home-${count}`);
  });

  const start = () =>
    execa(process.execPath, [program, home, JSON.stringify(wanted)], { env, reject: false });
  const listEnvironments = () => readdir(join(home, 'owners')).catch(() => []);

  it('is made once by two processes, and then found', async () => {
    const both = await Promise.all([start(), start()]);
    const python = join(home, 'owners/pwp-sample-judge-1.0/bin/python');
    for (const { stdout, stderr } of both) assert.match(stdout, new RegExp(`ready: ${python}$`), stderr);
    assert.equal(both.filter(({ stdout }) => stdout.includes('] Installing')).length, 1);
    await execa(python, ['-I', '-c', 'import pwp_sample_judge']);
    assert.deepEqual(await listEnvironments(), ['lock', 'pwp-sample-judge-1.0']);
    const again = await start();
    assert.equal(again.stdout, `ready: ${python}`);
  });

  it('is made by the next process if one was killed in the middle', async () => {
    const killed = start();
    const isBegun = async () => {
      const names = await listEnvironments();
      return names.some((name) => name.startsWith('.unfinished-'))
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: names.join() } as const);
    };
    await poll('an unfinished environment', isBegun, { intervalMs: 50, signal: AbortSignal.timeout(60_000) });
    killed.kill('SIGKILL');
    await killed;
    assert.match((await start()).stdout, /ready: /);
    const left = (await listEnvironments()).filter((name) => !name.startsWith('.unfinished-'));
    assert.deepEqual(left, ['lock', 'pwp-sample-judge-1.0']);
  });

  it('is made again if its Python or its package is gone', async () => {
    const python = await ensureOwnersPackage(wanted, { home, env });
    await rm(python);
    assert.equal(await ensureOwnersPackage(wanted, { home, env }), python);
    await execa(python, ['-I', '-m', 'pip', 'uninstall', '--yes', 'pwp-sample-judge']);
    assert.equal(await ensureOwnersPackage(wanted, { home, env }), python);
    await execa(python, ['-I', '-c', 'import pwp_sample_judge']);
  });

  it('is not made of another wheel than the pinned one, and the error says how to get it', async () => {
    const other = { ...wanted, wheels: wanted.wheels.map((wheel) => ({ ...wheel, sha256: '0'.repeat(64) })) };
    await assert.rejects(ensureOwnersPackage(other, { home, env }), (error: Error & { help?: string }) => {
      assert.match(
        error.message,
        /^pwp-sample-judge 1\.0, which judges samples, can't be installed: [^]*HASHES/,
      );
      assert.match(error.help ?? '', /PIP_INDEX_URL.* By hand: python3 -m venv .*pip install --no-deps/);
      return true;
    });
    assert.deepEqual(await listEnvironments(), ['lock']);
  });

  it('is not made if the index is not in reach', async () => {
    const apart = {
      ...env,
      PIP_FIND_LINKS: '',
      PIP_NO_INDEX: '',
      PIP_INDEX_URL: 'http://127.0.0.1:9/',
      PIP_RETRIES: '0',
    };
    await assert.rejects(ensureOwnersPackage(wanted, { home, env: apart }), {
      code: 'owners-package-missing',
    });
  });

  it('is not made by a Python that is too old', async () => {
    const old = folder.file('old');
    await mkdir(old, { recursive: true });
    await writeFile(join(old, 'python3'), '#!/bin/sh\necho 3.9\n');
    await chmod(join(old, 'python3'), 0o755);
    await assert.rejects(ensureOwnersPackage(wanted, { home, env: { ...env, PATH: old } }), {
      code: 'owners-package-missing',
      message: /needs Python 3\.10 or newer; python3 is 3\.9/,
    });
  });

  it('is not made if the caller cancels, and nothing is left', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const progress = { stage: () => stop.abort(reason), done: () => undefined };
    await assert.rejects(ensureOwnersPackage(wanted, { home, env, progress, signal: stop.signal }), reason);
    assert.deepEqual(await listEnvironments(), ['lock']);
  });
});
