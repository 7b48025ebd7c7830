import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { silentProgress } from '../../../host/lib/index.ts';
import {
  ensureRootImage,
  type RootImage,
  type RootImageOptions,
} from '../../../host/node/root-image/index.ts';
import type { TemporaryFolder } from '../../support/folder.ts';
import { startLayoutRegistry } from '../../support/layout-registry.ts';
import { runOnLayers } from '../../support/mounted-layers.ts';
import { never } from '../../support/node-sandbox.ts';
import { writeOciLayout } from '../../support/oci-layout.ts';
import { copyPrograms } from '../../support/rich-layers.ts';
import { everything, slowIt } from '../../support/slow.ts';
import { storeFolder } from '../../support/store-folder.ts';

const stages = `
ARG WHO=people
FROM scratch AS base
COPY root /
FROM base AS made
ARG WHO
ENV GREETING="hello \${WHO}"
RUN mkdir /made && echo "$GREETING" > /made/text && cat /proc/net/dev > /made/interfaces
RUN echo "proxy $https_proxy" > /made/proxy
RUN --mount=type=cache,target=/cache echo cached > /cache/file && cat /cache/file > /made/cached
FROM base
COPY --from=made /made /made
USER 1234:5
WORKDIR /work
ENV LAST=1
SHELL ["/bin/sh", "-ec"]
HEALTHCHECK CMD true
ENTRYPOINT ["/bin/sh"]
`;

describe('a Dockerfile for the root of an agent', () => {
  let folder: TemporaryFolder;
  let staged: RootImage;
  before(async () => {
    folder = await storeFolder();
    await copyPrograms(folder.file('context/root'), ['/bin/sh', '/bin/cat', '/bin/mkdir']);
    staged = await build('stages', stages);
  });
  after(() => folder[Symbol.asyncDispose]());
  const build = async (name: string, text: string, more: Partial<RootImageOptions> = {}) => {
    const file = folder.file(`context/${name}.Dockerfile`);
    await writeFile(file, text);
    const options = { home: folder.file('home'), progress: silentProgress, signal: never };
    return ensureRootImage(file, { ...options, ...more });
  };

  it('is built in its stages, and gives user, folder, shell and variables', async () => {
    const { config, layers } = staged;
    const { user, workdir, entrypoint, shell, env } = config;
    assert.deepEqual(
      [user, workdir, entrypoint, shell],
      ['1234:5', '/work', ['/bin/sh'], ['/bin/sh', '-ec']],
    );
    assert.deepEqual([env['LAST'], env['GREETING']], ['1', undefined]);
    assert.equal(await runOnLayers(layers, 'cat made/text made/cached'), 'hello people\ncached');
  });

  slowIt('is the same image when it is built again', async () => {
    assert.equal((await build('stages', stages)).digest, staged.digest);
  });

  it('reaches nothing but public addresses, by a proxy that leaves no trace in the image', async () => {
    const { layers, config } = staged;
    const made = await runOnLayers(layers, 'cat made/interfaces made/proxy');
    assert.deepEqual(
      [...made.matchAll(/^\s*(\w+):/gm)].map(([, name]) => name),
      ['lo'],
    );
    assert.match(made, /^proxy http:\/\/127\.0\.0\.1:3128$/m);
    assert.deepEqual(
      Object.keys(config.env).filter((name) => /proxy/i.test(name)),
      [],
    );
  });

  it('of which a step fails is an error with what the step said, and the next one is built', async () => {
    const failing = build('failing', 'FROM scratch\nCOPY root /\nRUN echo the reason && false\n');
    await assert.rejects(failing, { code: 'image-build-failed', message: /the reason/ });
    const next = await build('failing', 'FROM scratch\nCOPY root /\nRUN mkdir /made\n');
    assert.match(await runOnLayers(next.layers, 'ls'), /made/);
  });

  it('begins with an image of a registry on this machine, if that was fetched or the build may reach it', async () => {
    await mkdir(folder.file('layout'));
    await writeOciLayout(folder.file('layout'), { layers: [[{ name: 'from-registry', content: 'x' }]] });
    await using registry = await startLayoutRegistry(folder.file('layout'));
    const from = (tag: string) =>
      `FROM ${registry.host}/base:${tag}\nCOPY root /\nRUN cat /from-registry > /copied\n`;
    const options = { home: folder.file('home'), progress: silentProgress, signal: never };
    await ensureRootImage(`${registry.host}/base:1`, options);
    assert.match(await runOnLayers((await build('from', from('1'))).layers, 'ls'), /copied/);
    await assert.rejects(build('from', from('none'), { network: 'host' }), {
      code: 'no-such-image',
      message: /base:none/,
    });
  });

  slowIt('has heredocs, for commands, as programs and as files', async () => {
    const text = `FROM scratch
COPY root /
RUN <<END
set -e
mkdir /made
echo "$0 ran" > /made/text
END
RUN cat > /made/copy <<END && echo more >> /made/copy
copied
END
RUN <<END
#!/bin/cat
END
COPY <<own.conf <<"other.conf" /made/
own
own.conf
$other
other.conf
`;
    const { layers } = await build('heredocs', text);
    const made = await runOnLayers(layers, 'cd made && cat text copy own.conf other.conf && ls ../run');
    assert.equal(made, '/bin/sh ran\ncopied\nmore\nown\n$other');
    if (!everything) return;
    const changed = await build('heredocs', text.replace('own\nown.conf', 'new\nown.conf'));
    assert.equal(await runOnLayers(changed.layers, 'cat made/own.conf'), 'new');
  });
});
