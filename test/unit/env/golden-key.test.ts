import assert from 'node:assert/strict';
import { defaultDisplay, defaultLimits, type SandboxSpec } from '../../../host/node/index.ts';
import { hashGoldenKey } from '../../../host/run/environment/golden-checkpoint.ts';

const around = { image: 'i', node: 'local', life: 'l' } as const;
const seed = (path: string, text: string) => ({ path, tar: Buffer.from(text) });
const streamed = (digest?: string) => ({
  path: '/workspace',
  tar: ReadableStream.from([Buffer.from('never read')]),
  ...(digest === undefined ? {} : { digest }),
});
const spec: SandboxSpec = {
  name: 'one',
  role: 'ide',
  seeds: [seed('/workspace', 'a'), seed('/ide', 'b')],
  keep: false,
  display: defaultDisplay,
  limits: defaultLimits,
  network: { mode: 'no-network' },
};

describe('the key of a golden checkpoint', () => {
  it('does not need the bytes of a streamed seed that has a digest', () => {
    const [one, two] = [streamed('d'), streamed('d')].map((last) => ({
      ...spec,
      seeds: [...spec.seeds, last],
    }));
    assert.ok(one && two);
    assert.equal(hashGoldenKey(around, one), hashGoldenKey(around, two));
    assert.throws(() => hashGoldenKey(around, { ...spec, seeds: [streamed()] }), { code: 'bad-seed' });
  });

  it("is the same for the same initial state, regardless of the sandbox's name", () => {
    const named = { ...spec, name: 'two' };
    assert.equal(hashGoldenKey(around, named), hashGoldenKey(around, spec));
    const usual = { ...spec, workspace: '/workspace' };
    assert.equal(hashGoldenKey(around, usual), hashGoldenKey(around, spec));
  });

  const others: Record<string, [object, object]> = {
    image: [{ image: 'j' }, {}],
    'kind of node': [{ node: 'docker' }, {}],
    'boot or container': [{ life: 'm' }, {}],
    display: [{}, { display: { width: 1280, height: 800 } }],
    'display with sound': [{}, { display: { ...defaultDisplay, audio: true } }],
    workspace: [{}, { workspace: '/testbed' }],
    limits: [{}, { limits: { ...defaultLimits, cpus: 1 } }],
    network: [{}, { network: { mode: 'allowlist', hosts: ['example.org'] } }],
    'content of a seed': [{}, { seeds: [seed('/workspace', 'x'), seed('/ide', 'b')] }],
    'place of a seed': [{}, { seeds: [seed('/workspace', 'a'), seed('/root', 'b')] }],
    'digest of a streamed seed': [{}, { seeds: [...spec.seeds, streamed('e')] }],
    'bounds between seeds': [{}, { seeds: [seed('/workspace', 'ab'), seed('/ide', '')] }],
  };
  for (const [what, [surroundings, part]] of Object.entries(others)) {
    it(`differs for another ${what}`, () => {
      const other = hashGoldenKey({ ...around, ...surroundings }, { ...spec, ...part });
      assert.notEqual(other, hashGoldenKey(around, spec));
    });
  }
});
