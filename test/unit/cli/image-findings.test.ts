import assert from 'node:assert/strict';
import type { RootFacts } from '../../../bridge/protocol/index.ts';
import { listImageFindings } from '../../../host/doors/cli/image-findings.ts';

const image = {
  ...{
    reference: 'made:1',
    digest: `sha256:${'a'.repeat(64)}`,
    layers: ['/a', '/b'],
    bytes: 5e6,
    arch: 'amd64',
  },
  config: { env: {}, user: '0', workdir: '/testbed', entrypoint: [], cmd: [] },
};
const program = (path: string, version: string) => ({ path, version });
const whole: RootFacts = {
  ...{ system: 'Debian 12', libc: 'glibc 2.36', shell: '/usr/bin/dash', pytest: '7.2.1', links: [] },
  programs: {
    bash: program('/bin/bash', '5.2'),
    sed: program('/bin/sed', '4.9'),
    git: program('/usr/bin/git', '2.39'),
    python: program('/usr/bin/python3', '3.11.2'),
    node: program('/usr/bin/node', '24.1.0'),
    chromium: program('/usr/bin/chromium', '140.0'),
  },
  environment: { active: '/venv', ms: 400, problems: [] },
};
const lacking = (facts: Partial<RootFacts>, programs: Partial<RootFacts['programs']> = {}) =>
  listImageFindings(image, { ...whole, ...facts, programs: { ...whole.programs, ...programs } })
    .filter(({ state }) => state !== 'ok')
    .map(({ what, detail, help }) => `${what}: ${detail}: ${help}`);

describe("the doctor's report on an image", () => {
  it('is all well where nothing is missing', () => {
    assert.deepEqual(lacking({}), []);
    const text = listImageFindings(image, whole).map(({ what, detail }) => `${what} ${detail}`);
    assert.ok(text.includes('image made:1: 5 MiB in 2 layers, sha256:aaaaaaaaaaaa'), text.join('\n'));
    assert.ok(text.includes('environment /venv is active; start-up files take 0.4 s'), text.join('\n'));
  });

  it('names the tools that a missing program is for', () => {
    const found = lacking({}, { sed: null, git: null, chromium: null }).join('\n');
    assert.match(found, /^sed: none: run_terminal_cmd .*\ngit: none: .*\nchromium: none: browser_test/);
  });

  it('says what of Python is missing only where there is one', () => {
    assert.match(lacking({ pytest: null }).join('\n'), /^pytest: none: run_tests/);
    assert.match(lacking({ pytest: null }, { python: null }).join('\n'), /^python: none: [^\n]*$/);
  });

  it('names a Python that no debugger runs in', () => {
    const withPython = (version: string) => lacking({}, { python: program('/usr/bin/python3', version) });
    assert.deepEqual([withPython('3.8.20'), withPython('3.13.5')], [[], []]);
    assert.match(withPython('3.6.15').join('\n'), /^debugger: none for Python 3\.6\.15: debug_start/);
    assert.match(withPython('3.14.0').join('\n'), /^debugger: none for Python 3\.14\.0/);
    assert.match(withPython('').join('\n'), /unknown version/);
  });

  it('says why start-up files are left out, and what is in the way of checkpoints and grading', () => {
    const environment = { ...whole.environment, problems: ['it took too long'] };
    assert.match(lacking({ environment }).join('\n'), /^environment: it took too long: /);
    assert.match(lacking({ shell: '/bin/busybox' }, { bash: null }).join('\n'), /^bash: none: .*busybox/);
    assert.match(lacking({ links: ['/opt'] }).join('\n'), /^grading: \/opt is a link: Tasks have no score/);
  });
});
