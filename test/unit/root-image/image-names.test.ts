import assert from 'node:assert/strict';
import {
  formatImageSource,
  isLoopbackRegistry,
  parseImageReference,
  shortenImageName,
} from '../../../host/node/root-image/image-reference.ts';

const digest = `sha256:${'a1'.repeat(32)}`;
const full = (text: string) => formatImageSource(parseImageReference(text, '/here'));

describe('names of images for the root of an agent', () => {
  it('are completed as Docker completes them', () => {
    assert.equal(full('debian'), 'docker.io/library/debian:latest');
    assert.equal(full('debian:12-slim'), 'docker.io/library/debian:12-slim');
    assert.equal(
      full('swebench/sweb.eval.x86_64.a_1776_b-1'),
      'docker.io/swebench/sweb.eval.x86_64.a_1776_b-1:latest',
    );
    assert.equal(full('ghcr.io/a/b/c:1'), 'ghcr.io/a/b/c:1');
    assert.equal(full('localhost:5000/a'), 'localhost:5000/a:latest');
    assert.equal(full('index.docker.io/debian'), 'docker.io/library/debian:latest');
    assert.equal(full('[::1]:5000/a'), '[::1]:5000/a:latest');
  });

  it('with a digest have no tag, since the digest says more', () => {
    assert.equal(full(`debian:12@${digest}`), `docker.io/library/debian@${digest}`);
    assert.equal(full(`docker://q.io/a@${digest}`), `docker://q.io/a@${digest}`);
  });

  it('are names also where a folder of that name exists; paths begin with a dot or a slash', () => {
    assert.equal(full('python'), 'docker.io/library/python:latest');
    assert.equal(full('./python'), '/here/python');
    assert.equal(full('.'), '/here');
    assert.equal(full('../images/a.tar'), '/images/a.tar');
    assert.equal(full('a.tar'), '/here/a.tar');
    assert.equal(full('/root/b.tgz'), '/root/b.tgz');
  });

  it('can say where the image is', () => {
    assert.equal(full('engine:my-image'), 'engine:docker.io/library/my-image:latest');
    assert.equal(full('docker-archive:a.tar'), 'docker-archive:/here/a.tar');
    assert.equal(full('oci:/layout:latest'), 'oci:/layout:latest');
    assert.equal(full('oci-archive:/a.tar:x/y:1'), 'oci-archive:/a.tar:x/y:1');
  });

  it('are shown to an engine in its own short form', () => {
    const short = (text: string) => {
      const source = parseImageReference(text);
      return 'name' in source ? shortenImageName(source.name) : '';
    };
    assert.equal(short('debian'), 'debian:latest');
    assert.equal(short('docker.io/a/b:1'), 'a/b:1');
    assert.equal(short('ghcr.io/a/b:1'), 'ghcr.io/a/b:1');
  });

  it('that no registry can have are refused', () => {
    for (const text of [
      '',
      'Debian',
      'a b',
      'a/b:',
      'a@sha256:12',
      '-a',
      'a//b',
      'a:b:c',
      'docker://',
      '@',
      'a_/b',
      "x'y",
    ])
      assert.throws(() => parseImageReference(text), { code: 'bad-image-name' }, text);
  });

  it('of registries on this machine need no TLS', () => {
    const loopback = (text: string) => {
      const source = parseImageReference(text);
      return 'name' in source && isLoopbackRegistry(source.name);
    };
    for (const text of ['localhost:5000/a', '127.0.0.1:5000/a', '127.9.9.9/a', '[::1]:5000/a'])
      assert.ok(loopback(text), text);
    for (const text of ['a', 'localhost.example.org/a', '127.example.org/a', '10.0.0.1:5000/a'])
      assert.ok(!loopback(text), text);
  });
});
