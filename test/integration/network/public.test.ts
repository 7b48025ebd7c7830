import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { bareSpec, bash, says } from '../../support/node-sandbox.ts';

/** Uses the proxy by hand, in both of its ways, then goes around it. Prints a line for each that got through. */
const tries = `
import socket, sys
port = int(sys.argv[1])
def asked(text):
    with socket.create_connection(('127.0.0.1', 3128), timeout=30) as s:
        s.sendall(text.encode())
        return s.makefile('rb').readline().decode('latin1').strip()
for host in sys.argv[2:]:
    bare = host.strip('[]')
    for p in (port, 3128, 22, 2375):
        for text in (f'CONNECT {host}:{p} HTTP/1.1\\r\\nHost: {host}:{p}\\r\\n\\r\\n',
                     f'GET http://{host}:{p}/ HTTP/1.1\\r\\nHost: example.com\\r\\nConnection: close\\r\\n\\r\\n'):
            status = asked(text).split(' ')[1:2]
            if status and status[0].startswith('2'): print('reached', host, p)
            elif status not in (['400'], ['403'], ['502']): print('odd', host, p, status)
    try:
        if bare not in ('127.0.0.1', 'localhost', '::1', '0.0.0.0', '::'):
            socket.create_connection((bare, port), timeout=2).close(); print('past the proxy', host)
    except (OSError, UnicodeError): pass
print('done')
`;
const spelled = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '0', 'localhost'];
const sixes = ['[::1]', '[::]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '[fe80::1]', '[fd00:ec2::254]'];
const clouds = ['169.254.169.254', '169.254.170.2', '100.100.100.200', 'metadata.google.internal'];
const engines = ['172.17.0.1', '172.18.0.1', '10.0.2.2', '192.168.65.2', 'host.docker.internal'];

onEachNode('a sandbox with a public network', (open) => {
  let test: OpenedNode;
  let server: Server;
  let heard = 0;
  before(async () => {
    server = createServer((socket) => {
      heard += 1;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    server.listen(0, '::');
    await once(server, 'listening');
    test = await open();
  });
  after(async () => {
    server?.close();
    await test?.[Symbol.asyncDispose]();
  });

  it('reaches nothing of this machine, its networks or its neighbours', async () => {
    const network = { mode: 'public' } as const;
    await using neighbour = await test.node.start(bareSpec({ name: 'neighbour', network }));
    await using sandbox = await test.node.start(bareSpec({ network }));
    assert.equal(await says(neighbour, 'echo there'), 'there');
    const { port } = server.address() as AddressInfo;
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const addresses = own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
    const hosts = [...spelled, ...sixes, ...clouds, ...engines, hostname(), ...new Set(addresses)];
    await says(sandbox, `echo ${Buffer.from(tries).toString('base64')} | base64 -d > /root/tries.py`);
    const { stdout } = await bash(sandbox, `python3 /root/tries.py ${port} ${hosts.join(' ')}`, {
      timeoutMs: 200_000,
    });
    assert.equal(stdout, 'done\n');
    assert.equal(heard, 0);
  });
});
