import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import {
  EgressPolicy,
  isPublicAddress,
  matchesHost,
  parseConnectTarget,
  parseHostRule,
  parseRequestTarget,
} from '../../../host/node/network/egress-policy.ts';
import { proxyEnvironment } from '../../../host/node/network/sandbox-network.ts';

describe('a list of hosts', () => {
  const means = (rule: string, host: string) => matchesHost(parseHostRule(rule), { host, port: 443 });

  it('means exactly the host that it names', () => {
    assert.ok(means('Example.com', 'example.com'));
    for (const other of ['www.example.com', 'example.com.evil.org', 'notexample.com'])
      assert.ok(!means('example.com', other), other);
  });

  it('means all names below one with a star, but not that one', () => {
    assert.ok(means('*.example.com', 'a.example.com') && means('*.example.com', 'a.b.example.com'));
    for (const other of ['example.com', 'badexample.com', 'example.com.evil.org'])
      assert.ok(!means('*.example.com', other), other);
  });

  it("means the web's ports if it names no port", () => {
    assert.deepEqual(parseHostRule('a.org').ports, [80, 443]);
    assert.deepEqual(parseHostRule('a.org:8080').ports, [8080]);
    assert.deepEqual(parseHostRule('[2606:4700::1111]:53'), {
      host: '2606:4700::1111',
      subdomains: false,
      ports: [53],
    });
  });

  it('refuses invalid hosts', () => {
    for (const bad of [
      '',
      '*',
      'https://a.org',
      'a.org/x',
      'a.*.org',
      '*.1.2.3.4',
      'a.org:0',
      'a.org:70000',
      'a b',
      'u@a.org',
      '::1',
    ])
      assert.throws(() => parseHostRule(bad), { code: 'bad-host' }, bad);
  });
});

describe('a request to a proxy', () => {
  it('is normalized to one spelling of a host', () => {
    assert.deepEqual(parseConnectTarget('Example.COM.:443'), { host: 'example.com', port: 443 });
    assert.deepEqual(parseConnectTarget('[::FFFF:7f00:1]:80'), { host: '::ffff:7f00:1', port: 80 });
    for (const loopback of ['127.1:80', '2130706433:80', '0x7f.0.0.1:80'])
      assert.equal(parseConnectTarget(loopback).host, '127.0.0.1');
    const { host, port, path, authority } = parseRequestTarget('http://A.org:81/x?y=1#z');
    assert.deepEqual([host, port, path, authority], ['a.org', 81, '/x?y=1', 'a.org:81']);
  });

  it('is refused if it is not an address', () => {
    for (const bad of ['', 'a.org', 'a.org:', 'a.org:0', 'a.org:65536', 'a.org:80/x', 'a@b.org:80', 'a b:80'])
      assert.throws(() => parseConnectTarget(bad), { code: 'bad-target' }, bad);
    for (const bad of ['', '/x', 'https://a.org/', 'ftp://a.org/', 'http://'])
      assert.throws(() => parseRequestTarget(bad), { code: 'bad-target' }, bad);
  });
});

describe('public addresses', () => {
  it('are those of the internet', () => {
    for (const address of ['1.1.1.1', '151.101.2.132', '2606:4700::1111', '2a00:1450:4001::1'])
      assert.ok(isPublicAddress(address), address);
  });

  it('are not those of a machine, a local network, a cloud or a multicast group', () => {
    const private4 = ['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.31.0.1'];
    const others = ['192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'];
    const private6 = [
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
      'fe80::1',
      'fd00::1',
      'ff02::1',
      '2002:7f00:1::',
    ];
    for (const address of [...private4, ...others, ...private6])
      assert.ok(!isPublicAddress(address), address);
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of own) assert.ok(!isPublicAddress(address), address);
  });
});

describe('the egress policy', () => {
  const hosts = ['good.test:8443', '*.below.test', '127.0.0.1'];
  const policy = new EgressPolicy({ mode: 'allowlist', hosts }, { 'good.test': '127.0.0.1' });
  const why = (reason: string) => ({ why: reason });

  it('returns the configured address of a name', async () => {
    assert.equal(await policy.admit({ host: 'good.test', port: 8443 }), '127.0.0.1');
  });

  it('refuses everything else, with the reason', async () => {
    await assert.rejects(policy.admit({ host: 'bad.test', port: 443 }), why('host-not-allowed'));
    await assert.rejects(policy.admit({ host: 'good.test', port: 443 }), why('port-not-allowed'));
    await assert.rejects(policy.admit({ host: '1.1.1.1', port: 443 }), why('address-not-allowed'));
    // On the list but private: a task can't open the machine that it runs on.
    await assert.rejects(policy.admit({ host: '127.0.0.1', port: 80 }), why('private-address'));
  });

  it('lets no private address through in public mode either', async () => {
    const open = new EgressPolicy({ mode: 'public' }, {});
    assert.equal(await open.admit({ host: '1.1.1.1', port: 22 }), '1.1.1.1');
    for (const host of ['127.0.0.1', '169.254.169.254', '::1'])
      await assert.rejects(open.admit({ host, port: 80 }), why('private-address'));
  });
});

describe('the environment of programs inside', () => {
  it('names the proxy only if there is one', () => {
    assert.deepEqual(proxyEnvironment(undefined), {});
    assert.deepEqual(proxyEnvironment({ mode: 'no-network' }), {});
    assert.equal(proxyEnvironment({ mode: 'public' })['https_proxy'], 'http://127.0.0.1:3128');
  });
});
