import assert from 'node:assert/strict';
import { environmentOf, readDockerfile, toolchainOf } from '../../../host/datasets/docker/index.ts';

const task = 'test/data/datasets/harbor/elsewhere';
const build = (text: string) => environmentOf(readDockerfile(text), task);

describe('a Dockerfile', () => {
  it('is read with its lines joined, without comments, with the documents that follow', () => {
    const found = readDockerfile('# a\nrun one \\\n  # b\n\n  two\nRUN <<"EOF"\nthree\nEOF\nCMD ["x"]\n');
    assert.deepEqual(found, [
      { word: 'RUN', rest: 'one    two', line: 2, documents: {} },
      { word: 'RUN', rest: '<<"EOF"', line: 6, documents: { EOF: 'three\n' } },
      { word: 'CMD', rest: '["x"]', line: 9, documents: {} },
    ]);
  });

  it('copies files and folders where Docker would', async () => {
    const paths = async (text: string) =>
      (await build(text)).files.flatMap(({ kind, path }) => (kind === 'file' ? [path] : []));
    assert.deepEqual(await paths('FROM debian\nWORKDIR /app\nCOPY data/numbers.json n.json'), ['app/n.json']);
    assert.deepEqual(await paths('FROM debian\nWORKDIR /app\nWORKDIR sub\nCOPY data ./d/'), [
      'app/sub/d/numbers.json',
    ]);
    assert.deepEqual(await paths('FROM debian\nCOPY --chown=a:b data/*.json /in/'), ['in/numbers.json']);
    assert.deepEqual(await paths('FROM debian\nCOPY ["data/numbers.json", "/a b"]'), ['a b']);
    assert.deepEqual(await paths('FROM debian\nCOPY data/numbers.json ../../etc/x'), ['etc/x']);
  });

  it('leaves what needs a network or another user to the image, and keeps the rest to be run', async () => {
    const { setup, ignored, toolchain } = await build(
      'FROM golang:1.22 AS a\nFROM python:3.12\nRUN apt-get update && apt-get install -y g++ && mkdir -p /x\nENV A=1 B="2 3"\nUSER me\nRUN if true; then echo 1 && echo 2; fi\n',
    );
    assert.equal(
      setup,
      "mkdir -p '/' && cd '/'\nmkdir -p /x\nexport A=1\nexport B=\"2 3\"\nmkdir -p '/' && cd '/'\nif true; then echo 1 && echo 2; fi",
    );
    assert.deepEqual(ignored, ['line 5: USER me']);
    assert.deepEqual(toolchain, { languages: ['cpp'], missing: [] });
  });

  it('asks for languages by images and packages, and for what is nowhere', async () => {
    const texts = [
      'image:rust',
      'apt-get install -y --no-install-recommends golang-go openjdk-17-jdk ghc git=1:2.*',
      'pip install numpy==2 scikit-learn Torch',
    ];
    assert.deepEqual(await toolchainOf(texts), {
      languages: ['go', 'rust', 'java', 'charts'],
      missing: ['apt: ghc', 'pip: torch'],
    });
  });
});
