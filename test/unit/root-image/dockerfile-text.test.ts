import assert from 'node:assert/strict';
import { listBaseImages, replaceHeredocs } from '../../../host/node/root-image/dockerfile-text.ts';

const replace = (text: string) => {
  const { text: plain, files } = replaceHeredocs('Dockerfile', text);
  // The names begin with a hash of the content.
  const byName = [...files].map(([path, content]) => [path.slice(17), content]);
  return {
    plain: plain.replaceAll(/[0-9a-f]{16}\//g, ''),
    files: Object.fromEntries(byName) as Record<string, string>,
  };
};
const mount = '--mount=type=bind,from=pwp-heredocs,source=/.run,target=/run/pwp-heredoc';

describe('heredocs of a Dockerfile', () => {
  it('of commands are scripts for the shell of the step', () => {
    const { plain, files } = replace('FROM a\nRUN <<EOF\nset -e\necho $HOME\nEOF\nRUN true\n');
    assert.equal(plain, `FROM a\nRUN ${mount} . /run/pwp-heredoc\nRUN true\n`);
    assert.deepEqual(files, { '.run': 'set -e\necho $HOME\n' });
  });

  it('that name their interpreter are programs', () => {
    const { plain } = replace('RUN --network=none <<"END"\n#!/usr/bin/python3\nprint()\nEND\n');
    assert.equal(plain, `RUN --network=none ${mount} /run/pwp-heredoc\n`);
  });

  it('that a command reads are left to the shell', () => {
    const { plain, files } = replace('RUN cat > /a <<-A \\\n  && cat > /b <<B\n\tone\n\tA\ntwo\nB\n');
    assert.equal(plain, `RUN ${mount} . /run/pwp-heredoc\n`);
    assert.deepEqual(files, { '.run': 'cat > /a <<-A \\\n  && cat > /b <<B\n\tone\n\tA\ntwo\nB\n' });
  });

  it('that are copied are files of their names', () => {
    const { plain, files } = replace('COPY --chmod=755 <<one <<-"two" /etc/\na\none\n\tb $X\ntwo\n');
    assert.equal(plain, 'COPY --from=pwp-heredocs --chmod=755 /one /two /etc/\n');
    assert.deepEqual(files, { one: 'a\n', two: 'b $X\n' });
    assert.equal(replace('COPY x <<y /z/\ny\n').plain, 'COPY x /z/\nCOPY --from=pwp-heredocs /y /z/\n');
  });

  it('with variables that the builder would replace, or without an end, are refused', () => {
    assert.throws(() => replace('FROM a\nCOPY <<F /f\n$X\nF\n'), {
      code: 'image-build-failed',
      message: /Dockerfile:2/,
    });
    assert.throws(() => replace('RUN <<F\n'), { code: 'image-build-failed', message: /no line F/ });
  });

  it('are not mistaken for other signs', () => {
    const text = 'RUN x=$((1<<y)) && cat <<<word && echo "a<<b"\nLABEL a=<<b\n# RUN <<EOF\nRUN a \\\n  b\n';
    assert.deepEqual(replace(text), { plain: text, files: {} });
  });
});

describe('images that a Dockerfile begins with', () => {
  it('are those of FROM lines that are no stages', () => {
    const text =
      'ARG V=12\nARG B\nFROM --platform=linux/amd64 debian:${V} AS one\nFROM one\nFROM scratch\nfrom $B\nFROM q.io/a AS x\n';
    assert.deepEqual(listBaseImages(text), ['debian:12', 'q.io/a']);
  });
});
