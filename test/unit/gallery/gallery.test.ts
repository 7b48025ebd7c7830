import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Gallery } from '../../../host/node/gallery/gallery.ts';
import { extension, packagesOf } from './packages.ts';

describe('the gallery', () => {
  const one = extension('ms.pylance', { displayName: 'Pylance', extensionDependencies: ['ms.python'] });
  let gallery: Gallery;
  let server: Server;
  let base: string;
  before(async () => {
    gallery = new Gallery(() => Promise.resolve(packagesOf(one)));
    server = createServer((socket) => gallery.accept(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await gallery[Symbol.asyncDispose]();
    server.close();
  });
  const ask = (body: unknown) =>
    fetch(`${base}/extensionquery`, { method: 'POST', body: JSON.stringify(body) });

  it('answers a query with addresses that the page may load from', async () => {
    const answer = await ask({ filters: [{ criteria: [{ filterType: 10, value: 'pylance' }] }] });
    assert.equal(answer.headers.get('connection'), 'close');
    const { results } = (await answer.json()) as {
      results: { extensions: { displayName: string; versions: { assetUri: string }[] }[] }[];
    };
    const found = results[0]?.extensions[0];
    assert.equal(found?.displayName, 'Pylance');
    assert.equal(found.versions[0]?.assetUri, 'http://127.0.0.1:8080/proxy/3129/assets/ms/pylance/1.0.0');
  });

  it('serves the package, its manifest and its files', async () => {
    const assets = `${base}/assets/ms/pylance/1.0.0/Microsoft.VisualStudio`;
    const vsix = await fetch(`${assets}.Services.VSIXPackage`);
    assert.deepEqual(Buffer.from(await vsix.arrayBuffer()), Buffer.from(one.vsix));
    const manifest = await fetch(`${assets}.Code.Manifest`);
    assert.equal(((await manifest.json()) as { name: string }).name, 'pylance');
    assert.equal((await fetch(`${base}/files/MS/Pylance/1.0.0/package.json`)).status, 200);
    assert.equal((await fetch(`${base}/latest/ms/pylance`)).status, 200);
  });

  it('serves nothing else', async () => {
    for (const path of [
      '/',
      '/latest/ms/other',
      '/assets/ms/pylance/2.0.0/Microsoft.VisualStudio.Code.Manifest',
      '/assets/ms/pylance/1.0.0/Microsoft.VisualStudio.Services.Content.Details',
      '/files/ms/pylance/1.0.0/../../../../etc/passwd',
      '/files/ms/pylance/1.0.0/%2e%2e%2fpackage.json',
      '/files/ms/pylance/1.0.0/%',
    ])
      assert.equal((await fetch(base + path)).status, 404, path);
  });

  it('refuses an invalid query, and one that is too long', async () => {
    for (const body of [null, {}, { filters: [] }, { filters: [{ criteria: [{ filterType: 'x' }] }] }])
      assert.equal((await ask(body)).status, 400);
    const long = { filters: [{ criteria: [] }], more: 'x'.repeat(2_000_000) };
    const answer = await ask(long).then(
      ({ status }) => status,
      () => 400,
    );
    assert.equal(answer, 400);
  });

  it("reports a package that can't be read, and continues", async () => {
    const broken = new Gallery(() => Promise.reject(new Error('x.vsix is damaged')));
    const own = createServer((socket) => broken.accept(socket)).listen(0, '127.0.0.1');
    await once(own, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(own.address() as AddressInfo).port}/latest/ms/pylance`);
    assert.equal(answer.status, 500);
    assert.match(await answer.text(), /x\.vsix is damaged/);
    await broken[Symbol.asyncDispose]();
    own.close();
  });
});
