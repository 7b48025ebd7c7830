import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import {
  findToolchain,
  readDockerEnvironment,
} from '../../../host/tasks/datasets/docker/docker-environment.ts';
import { readDockerfile } from '../../../host/tasks/datasets/docker/dockerfile.ts';

const task = 'test/data/datasets/harbor/elsewhere';
const build = (text: string) => readDockerEnvironment(readDockerfile(text), task);

describe('a Dockerfile', () => {
  it('is read with its lines joined, without comments, with heredocs', () => {
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

  it('leaves steps that need a network or another user to the image, and runs the rest', async () => {
    const { setup, ignored, toolchain } = await build(
      'FROM golang:1.22 AS a\nFROM python:3.12\nRUN apt-get update && apt-get install -y g++ && mkdir -p /x\nENV A=1 B="2 3"\nUSER me\nRUN if true; then echo 1 && echo 2; fi\n',
    );
    assert.ok(
      setup.endsWith(
        "mkdir -p '/'\n(\nset +e\ncd '/'\napt-get update && apt-get install -y g++ && mkdir -p /x\n)\nexport A=1\nexport B=\"2 3\"\nmkdir -p '/'\n(\nset +e\ncd '/'\nif true; then echo 1 && echo 2; fi\n)",
      ),
      setup,
    );
    assert.deepEqual(ignored, ['line 5: USER me']);
    assert.deepEqual(toolchain, { languages: ['cpp'], missing: [] });
  });

  it('runs each RUN in its own shell, in any form, and skips those that only install', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pwp-'));
    const text = [
      'FROM debian',
      'ARG NAME=arg',
      `WORKDIR ${folder}`,
      'RUN apt-get update; apt-get install -y git || true',
      'RUN [ -e /nonexistent ] || echo shell > form.txt',
      'RUN [ ! -e /nonexistent ] && ln -s form.txt link.txt',
      'RUN ["sh", "-c", "echo $0 > \'a b.txt\'", "exec form"]',
      "RUN cat > doc.txt <<'EOF'\n$NAME\nEOF",
      'RUN <<EOF\nfalse\necho $NAME > arg.txt\nEOF',
      'RUN cd / && X=1',
      'RUN (apt-get update && echo kept > kept.txt) && sudo apt-get install -y git && python3 -m pip install numpy',
      'RUN useradd me && chown me:me form.txt && pip install pytest > pip.txt',
      'RUN curl -LsSf https://astral.sh/uv/install.sh | sh && printf "%s" "${X-unset} $(basename $PWD)" > last.txt',
    ].join('\n');
    const { setup, ignored } = await build(text);
    assert.deepEqual(ignored, []);
    await execa('bash', ['-e', '-s'], { input: setup, cwd: '/' });
    const written = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
    assert.equal(await written('form.txt'), 'shell');
    assert.equal(await written('link.txt'), 'shell');
    assert.equal(await written('a b.txt'), 'exec form');
    assert.equal(await written('doc.txt'), '$NAME');
    assert.equal(await written('arg.txt'), 'arg');
    assert.equal(await written('kept.txt'), 'kept');
    assert.equal(await written('last.txt'), `unset ${basename(folder)}`);
    await rm(folder, { recursive: true });
  });

  it('fails if a RUN fails, as Docker does', async () => {
    const { setup } = await build('FROM debian\nRUN true && false\nRUN true');
    await assert.rejects(execa('bash', ['-e', '-s'], { input: setup, cwd: '/' }));
  });

  it('names each line that is not supported here', async () => {
    const of = async (line: string) => (await build(`FROM debian\n${line}`)).ignored.join();
    const cannot: Readonly<Record<string, string>> = {
      'RUN curl -o /app/x.csv https://example.org/x.csv':
        'curl -o /app/x.csv https://example.org/x.csv needs a network',
      'RUN mkdir /a && wget -q "$URL"': 'wget -q "$URL" needs a network',
      'RUN apt-get install -y git && git clone https://example.org/x.git /app': 'git clone',
      'RUN gem install rails': 'gem install rails',
      'RUN cd /app && go mod download': 'go mod download',
      'RUN pip install -e .': 'pip install -e .',
      'RUN Rscript -e \'install.packages("x")\'': 'install.packages',
      'ENTRYPOINT ["/start.sh"]': 'ENTRYPOINT ["/start.sh"]',
      'ENTRYPOINT service nginx start': 'ENTRYPOINT service',
      'USER app': 'USER app',
      'HEALTHCHECK CMD curl -f http://localhost/': 'HEALTHCHECK',
      'SHELL ["pwsh", "-c"]': 'SHELL',
      'COPY --from=build /a /b': 'COPY --from=build',
      'COPY missing.txt /app/': 'COPY missing.txt',
      'ADD https://example.org/x /x': 'ADD https',
      'ONBUILD RUN x': 'ONBUILD',
      'import sys': 'IMPORT sys',
      '}': '}',
    };
    for (const [line, said] of Object.entries(cannot)) {
      const found = await of(line);
      assert.ok(found.startsWith('line 2: ') && found.includes(said), `${line}: ${found}`);
    }
  });

  it("accepts lines that don't matter for a container with its own command", async () => {
    const plain = [
      'CMD ["python3", "app.py"]',
      'ENTRYPOINT ["/bin/bash", "-c"]',
      'ENTRYPOINT ["tini", "--"]',
      'ENTRYPOINT []',
      'USER root',
      'HEALTHCHECK NONE',
      'SHELL ["/bin/bash", "-c"]',
      'LABEL a=b',
      'VOLUME /data',
      'RUN apt-get install -y curl wget && curl -fsSL https://deb.nodesource.com/setup_20.x | bash -',
    ];
    assert.deepEqual((await build(`FROM debian\n${plain.join('\n')}`)).ignored, []);
  });

  it('includes the stage that the last one is based on', async () => {
    const found = await build(
      'FROM debian AS base\nWORKDIR /app\nCOPY data ./d\nFROM rust AS other\nFROM base\nRUN echo 1',
    );
    assert.deepEqual(
      found.files.filter(({ kind }) => kind === 'file').map(({ path }) => path),
      ['app/d/numbers.json'],
    );
    assert.deepEqual([found.workdir, found.toolchain.languages], ['/app', []]);
  });

  it('finds the languages it needs by images and packages, and names those not available', async () => {
    const texts = [
      'image:rust',
      'apt-get install -y --no-install-recommends golang-go openjdk-17-jdk ghc git=1:2.*',
      'pip install numpy==2 scikit-learn Torch',
    ];
    assert.deepEqual(await findToolchain(texts), {
      languages: ['go', 'rust', 'java', 'charts'],
      missing: ['apt: ghc', 'pip: torch'],
    });
  });
});
