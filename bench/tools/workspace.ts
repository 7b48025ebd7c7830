import { runTools } from '../../bridge/protocol/index.ts';
import type { Seed } from '../../host/node/index.ts';
import { tarOf } from '../lib/tar.ts';
import type { Desk } from './desk.ts';
import { pythonFiles } from './files/python.ts';
import { serverFiles } from './files/server.ts';
import { typescriptFiles } from './files/typescript.ts';

/** The port of the workspace's server. */
export const serverPort = 8123;

const dotSettings = {
  'workbench.localHistory.mergeWindow': 0,
  'debug.internalConsoleOptions': 'neverOpen',
  'debug.openDebug': 'neverOpen',
};

const files: Readonly<Record<string, string>> = {
  ...typescriptFiles,
  ...pythonFiles,
  ...serverFiles,
  'notes.txt': 'first TODO\nsecond line\nthird todo\nfourth line\n',
  'windows.txt': 'one\r\ntwo\r\nthree\r\n',
  'code.rb': 'def restock\n  1\nend\n',
  'page.html':
    '<!doctype html><title>A page</title><h1>Bench</h1><img src="dot.png"><script>document.title += "!"</script>',
  'stacks.folded': 'main;load;parse 5\nmain;load 1\nmain;render 3\n',
  'package.json': '{ "name": "bench", "type": "module", "scripts": { "say": "echo said" } }\n',
  'ignored.log': 'TODO in a log\n',
  'node_modules/dep/index.js': '// TODO in a dependency\n',
  '.gitignore': '*.log\nnode_modules\n',
  '.vscode/settings.json': `${JSON.stringify(dotSettings)}\n`,
  '.vscode/tasks.json': JSON.stringify({
    version: '2.0.0',
    tasks: [
      { label: 'hello', type: 'shell', command: 'echo hello > greeting.txt; echo hello; exit 3' },
      { label: 'serve', type: 'shell', command: 'echo up; sleep 1000', isBackground: true },
    ],
  }),
  '.vscode/launch.json': JSON.stringify({
    version: '0.2.0',
    configurations: [{ name: 'Sum', type: 'node', request: 'launch', program: '${workspaceFolder}/sum.js' }],
  }),
};

/** Content that text files can't hold: a repository, a database, a picture, links. */
const rest = String.raw`
set -e
git init -q -b main
git config user.name Ann; git config user.email ann@example.org
printf 'one = 1\n' > changes.txt; git add -A; git commit -qm 'Begin with one'
printf 'one = 1\ntwo = 2\n' > changes.txt; git commit -qam 'Add two'
printf 'one = 1\ntwo = 22\n' > changes.txt; git commit -qam 'Change two'
printf 'one = 1\ntwo = 22\nthree = 3\n' > changes.txt
ln -s /etc/passwd out.txt; ln -s notes.txt inside.txt
printf 'a\0b' > binary.bin
mkdir -p empty /tmp/outside; echo secret > /tmp/outside/a.txt
python3 - <<'PROGRAM'
import sqlite3, struct, zlib
db = sqlite3.connect('shop.sqlite')
db.executescript('''
create table customer (id integer primary key, name text not null unique);
create table orders (id integer primary key, customer integer references customer(id), total real);
create index by_customer on orders(customer);
create view totals as select customer, sum(total) as total from orders group by customer;
insert into customer(name) values ('Ann'), ('Bob');
insert into orders(customer, total) values (1, 2.5), (1, 4), (2, 3);
''')
db.commit()
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
rows = b''.join(b'\0' + b'\0\0\xff' * 30 for _ in range(20))
open('dot.png', 'wb').write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 30, 20, 8, 2, 0, 0, 0))
    + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
PROGRAM
`;

/** The files of the workspace, for the start of the IDE. */
export async function workspaceSeed(): Promise<Seed> {
  return { path: '/workspace', tar: await tarOf(files) };
}

/** Creates the rest, and starts the servers that tools talk to. */
export async function prepare(desk: Desk): Promise<void> {
  await desk.sh(rest);
  await desk.call(runTools.shell, {
    command: `node server.mjs ${serverPort} >/tmp/server.log 2>&1 & until grep -q listening /tmp/server.log; do sleep 0.05; done`,
  });
}
