import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { dataTools, runTools } from '../../../bridge/protocol/index.ts';
import { packageFolder } from '../../../host/lib/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';

const make = String.raw`
import sqlite3, os
os.makedirs('shop/database_description')
db = sqlite3.connect('shop/shop.sqlite')
db.executescript('''
create table customer (id integer primary key, name text not null default 'unknown', born blob);
create table "order" (id integer primary key, customer integer references customer(id), total real /* with tax */);
create index by_customer on "order"(customer);
create view totals as select customer, sum(total) as total from "order" group by customer;
create view broken as select * from nowhere;
insert into customer(name, born) values ('Ann', x'00ff'), ('Bob', null);
insert into "order"(customer, total) values (1, 2.5), (1, 1e999), (2, 3);
create table big (id integer primary key, text text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
  insert into big select i, 'row ' || i from n;
insert into big values (9007199254740993, 'large');
''')
db.commit()
open('shop/database_description/Customer.csv', 'w').write(
  '\ufefforiginal_column_name,column_name,column_description,data_format,value_description\n'
  'name,,"how they are called, in full",text,"""unknown"": not known"\n')
os.rename('shop/database_description/Customer.csv', 'shop/database_description/customer.csv')
open('no.sqlite', 'w').write('this is no database, despite its name' * 20)
sqlite3.connect('/tmp/secret.sqlite').executescript('create table s(a); insert into s values (42);')
os.symlink('/tmp/secret.sqlite', 'link.sqlite')
`;

onOneNode('tools that query databases, servers and pages', (open) => {
  let ide: ToolIde;
  let web = '';
  let ports: { web: number; nonsense: number };
  const owned = new AsyncDisposableStack();
  before(async () => {
    const servers = await readFile(join(packageFolder(), 'test/programs/odd-servers.mjs'), 'utf8');
    ide = owned.use(await ToolIde.start(open, { 'servers.mjs': servers, 'make.py': make, 'dir/a.txt': 'a' }));
    await ide.bash('python3 make.py');
    await ide.call(runTools.shell, {
      command: `node servers.mjs /tmp/ports >/tmp/servers.log 2>&1 &
        until [ -s /tmp/ports ]; do sleep 0.05; done`,
    });
    ports = z
      .object({ web: z.number(), nonsense: z.number() })
      .parse(JSON.parse(await ide.bash('cat /tmp/ports')));
    web = `http://127.0.0.1:${ports.web}`;
  });
  after(() => owned.disposeAsync());

  const path = 'shop/shop.sqlite';
  const query = (sql: string, more: object = {}) => ide.call(dataTools.sqliteQuery, { path, sql, ...more });

  it('sqlite_schema returns tables, keys, counts, and the meaning of columns', async () => {
    const { tables, described_by: sources, notes } = await ide.call(dataTools.sqliteSchema, { path });
    assert.deepEqual(
      tables.map(({ name, kind, rows }) => [name, kind, rows]),
      [
        ['big', 'table', 3001],
        ['broken', 'view', null],
        ['customer', 'table', 2],
        ['order', 'table', 3],
        ['totals', 'view', 2],
      ],
    );
    const customer = tables.find(({ name }) => name === 'customer')?.columns[1];
    assert.deepEqual(customer, {
      name: 'name',
      type: 'TEXT',
      not_null: true,
      default: "'unknown'",
      primary_key: 0,
      description: 'how they are called, in full',
      values: '"unknown": not known',
    });
    const order = tables.find(({ name }) => name === 'order');
    assert.match(order?.sql ?? '', /with tax/);
    assert.deepEqual(order?.foreign_keys, [{ columns: ['customer'], table: 'customer', to: ['id'] }]);
    assert.deepEqual(order?.indexes, [{ name: 'by_customer', unique: false, columns: ['customer'] }]);
    assert.deepEqual(sources, ['shop/database_description/customer.csv']);
    assert.match(notes.join('\n'), /broken: .*nowhere/);
  });

  it('sqlite_query returns typed rows, with parameters', async () => {
    const { columns, rows } = await query('select name, born, ? as given from customer order by id', {
      parameters: [true],
    });
    assert.deepEqual(columns, ['name', 'born', 'given']);
    assert.deepEqual(rows, [
      ['Ann', { bytes: 2, hex: '00ff' }, 1],
      ['Bob', null, 1],
    ]);
    const odd = await query('select max(total), (select max(id) from big) from "order"');
    assert.deepEqual(odd.rows, [['Infinity', '9007199254740993']]);
    assert.deepEqual((await query('pragma table_info(customer)')).columns.slice(0, 2), ['cid', 'name']);
  });

  it("bound a query's result, and say so", async () => {
    const few = await query('select * from big', { limit: 5 });
    assert.deepEqual([few.rows.length, few.truncated], [5, true]);
    const wide = await query("select printf('%.*c', 3000, 'x') from big", { limit: 10_000 });
    assert.equal(wide.truncated, true);
    assert.ok(JSON.stringify(wide).length < 2_000_000);
    const long = await query("select printf('%.*c', 1000000, 'x')");
    assert.deepEqual([long.clipped, (long.rows[0]?.[0] as string).length], [1, 5000]);
    await ide.refused('bad-query', dataTools.sqliteQuery, {
      path,
      sql: 'select length(zeroblob(900000000) || 1)',
    });
  });

  it('end a query that never ends', async () => {
    const sql = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
    await ide.refused('timed-out', dataTools.sqliteQuery, { path, sql, timeout_ms: 500 });
    assert.equal((await ide.bash('pgrep -fc "[b]ridge.cjs sqlite" || true')).trim(), '0');
    const given = new AbortController();
    const asked = ide.answer(dataTools.sqliteQuery, { path, sql }, given.signal);
    given.abort(new Error('given up'));
    await assert.rejects(asked);
    assert.equal((await query('select 1')).rows.length, 1);
  });

  it('only read: no change, no other file, one statement', async () => {
    for (const sql of [
      'delete from customer',
      'create temp table t(a)',
      "attach '/tmp/secret.sqlite' as s",
      "vacuum into '/workspace/out.sqlite'",
      'pragma user_version = 3',
      "pragma temp_store_directory = '/tmp'",
    ])
      await ide.refused('read-only', dataTools.sqliteQuery, { path, sql });
    await ide.refused('bad-arguments', dataTools.sqliteQuery, { path, sql: 'select 1; select 2' });
    assert.equal((await query('select 1; -- and no more')).rows.length, 1);
    await ide.refused('bad-query', dataTools.sqliteQuery, { path, sql: 'selec 1' });
    await ide.refused('bad-arguments', dataTools.sqliteQuery, { path, sql: 'select 1', parameters: [1, 2] });
  });

  it('stay inside the workspace, even if a link leads out of it', async () => {
    const sql = 'select 1';
    for (const outside of ['/tmp/secret.sqlite', '../tmp/secret.sqlite', 'link.sqlite'])
      await ide.refused('outside-workspace', dataTools.sqliteQuery, { path: outside, sql });
    await ide.refused('not-found', dataTools.sqliteQuery, { path: 'nowhere.sqlite', sql });
    await ide.refused('not-a-file', dataTools.sqliteQuery, { path: 'dir', sql });
    await ide.refused('not-a-database', dataTools.sqliteQuery, { path: 'no.sqlite', sql });
  });

  it('sqlite_execute changes data, and still attaches nothing', async () => {
    const change = (sql: string, more: object = {}) =>
      ide.call(dataTools.sqliteExecute, { path: 'new.sqlite', sql, ...more });
    await ide.refused('not-found', dataTools.sqliteExecute, { path: 'new.sqlite', sql: 'select 1' });
    await change('create table t(a)', { create: true });
    assert.equal((await change('insert into t values (1), (?)', { parameters: ['two'] })).changes, 2);
    assert.deepEqual((await change('update t set a = 3 returning a')).rows, [[3], [3]]);
    await change('vacuum');
    const sql = "attach '/tmp/secret.sqlite' as s";
    await ide.refused('guarded', dataTools.sqliteExecute, { path: 'new.sqlite', sql });
    await ide.refused('outside-workspace', dataTools.sqliteExecute, {
      path: '/tmp/n.sqlite',
      sql,
      create: true,
    });
  });

  it('http_request sends method, headers and body, and returns the response', async () => {
    const sent = await ide.call(dataTools.httpRequest, {
      method: 'PUT',
      url: `${web}/echo`,
      headers: { 'X-Own': 'yes' },
      body: { a: [1] },
    });
    assert.deepEqual(JSON.parse(sent.body), {
      method: 'PUT',
      type: 'application/json',
      own: 'yes',
      body: '{"a":[1]}',
    });
    const gone = await ide.call(dataTools.httpRequest, { url: `${web}/nowhere` });
    assert.deepEqual([gone.status, gone.body], [404, 'no such page']);
    const there = await ide.call(dataTools.httpRequest, { url: `${web}/from` });
    assert.deepEqual([there.status, there.redirected, there.body], [200, true, '{"ok":true}']);
    const stayed = await ide.call(dataTools.httpRequest, { url: `${web}/from`, follow_redirects: false });
    assert.deepEqual([stayed.status, stayed.headers['location']], [302, '/json']);
    const bytes = await ide.call(dataTools.httpRequest, { url: `${web}/bytes` });
    assert.deepEqual([bytes.encoding, bytes.body], ['base64', '//4AgA==']);
  });

  it('http_request is not blocked by servers that are silent, endless, broken or down', async () => {
    const ask = dataTools.httpRequest;
    await ide.refused('timed-out', ask, { url: `${web}/silent`, timeout_ms: 300 });
    const endless = await ide.call(ask, { url: `${web}/endless`, max_bytes: 1000 });
    assert.deepEqual([endless.truncated, endless.bytes], [true, 1000]);
    const half = await ide.answer(ask, { url: `${web}/breaks` });
    assert.equal(half.effect, 'partial', half.text);
    assert.match(half.text, /ended early\)\nhalf$/);
    await ide.refused('no-server', ask, { url: 'http://127.0.0.1:61001/' });
    await ide.refused('failed', ask, { url: `http://127.0.0.1:${ports.nonsense}/` });
    await ide.refused('bad-arguments', ask, { url: `${web}/json`, body: 'x' });
    await assert.rejects(ide.answer(ask, { url: 'file:///etc/passwd' }), /bad arguments/);
  });

  it('websocket_test connects, sends, and collects messages until it has enough', async () => {
    const url = `ws://127.0.0.1:${ports.web}/plain`;
    const test = (more: object) => ide.call(dataTools.websocketTest, { url, ...more });
    const some = await test({ send: [{ text: 'one' }, { text: 'two' }], count: 3 });
    assert.deepEqual(
      some.messages.map(({ text }) => text),
      ['welcome', 'one', 'two'],
    );
    assert.equal(some.ended, 'count');
    assert.equal((await test({ send: [{ text: 'yes!' }], until: 'yes' })).ended, 'match');
    const closed = await test({ send: [{ text: 'bye' }] });
    assert.deepEqual(closed.close, { code: 4001, reason: 'as you wish' });
    const full = await test({ send: [{ text: 'burst' }] });
    assert.deepEqual([full.ended, full.messages.length], ['full', 500]);
    const short = await ide.answer(dataTools.websocketTest, { url, count: 9, timeout_ms: 300 });
    assert.match(`${short.effect} ${short.text}`, /^partial sent 0, received 1; ended: time/);
  });

  it('websocket_test speaks Socket.IO, bytes included, and counts packets that are not events', async () => {
    const io = { url: web, protocol: 'socket.io' as const };
    const event = await ide.call(dataTools.websocketTest, {
      ...io,
      send: [{ event: 'hi', data: [1, 'a'] }],
      count: 3,
    });
    assert.deepEqual(
      event.messages.map((one) => [one.event, one.text]),
      [
        ['picture', '[{"png":{"base64":"iVA="}}]'],
        ['hi back', '[1,"a"]'],
        ['pong seen', '[]'],
      ],
    );
    assert.equal(event.unread, 1);
    const refused = await ide.refused('failed', dataTools.websocketTest, { ...io, namespace: '/admin' });
    assert.match(refused, /not you/);
    await ide.refused('bad-arguments', dataTools.websocketTest, { ...io, send: [{ text: 'plain' }] });
  });

  it('websocket_test distinguishes servers that are down, silent, or not WebSocket servers', async () => {
    const at = (path: string) => `ws://127.0.0.1:${ports.web}${path}`;
    await ide.refused('no-server', dataTools.websocketTest, { url: 'ws://127.0.0.1:61001/' });
    await ide.refused('failed', dataTools.websocketTest, { url: at('/nowhere') });
    const mute = { url: at('/mute'), protocol: 'socket.io' as const, timeout_ms: 300 };
    await ide.refused('timed-out', dataTools.websocketTest, mute);
    await ide.refused('bad-pattern', dataTools.websocketTest, { url: at('/plain'), until: '(' });
  });

  it('browser_test clicks, types, waits, reads and takes pictures', async () => {
    const { result, images } = await ide.answer(dataTools.browserTest, {
      actions: [
        { do: 'goto', url: `${web}/page` },
        { do: 'type', selector: '#name', text: 'Ann' },
        { do: 'click', selector: '#greet' },
        { do: 'wait', text: 'Hello Ann' },
        { do: 'read', selector: '#out' },
        { do: 'select', selector: '#size', value: 'Large' },
        { do: 'wait', text: 'size l' },
        { do: 'screenshot', selector: 'h1' },
        { do: 'click', selector: '#next' },
        { do: 'read' },
      ],
    });
    const { actions, failed, title, errors, kept } = dataTools.browserTest.output.parse(result);
    assert.equal(failed, null, JSON.stringify(actions));
    assert.deepEqual(
      [actions[1]?.value, actions[4]?.value, actions[9]?.value],
      ['Ann', 'Hello Ann', 'the next page'],
    );
    assert.deepEqual([title, kept], ['Next', false]);
    assert.deepEqual(
      images.map(({ mime }) => mime),
      ['image/png'],
    );
    const reported = errors.map(({ kind, text }) => `${kind} ${text}`).join('\n');
    assert.match(reported, /console error: a complaint/);
    assert.match(reported, /exception Error: thrown late/);
    assert.match(reported, /network .*404/);
  });

  slowIt('browser_test stops at the first failure and says why', async () => {
    const test = (...actions: Parameters<typeof ide.answer<typeof dataTools.browserTest>>[1]['actions']) =>
      ide.answer(dataTools.browserTest, { actions, timeout_ms: 3000, keep: true });
    const covered = await test(
      { do: 'goto', url: `${web}/covered` },
      { do: 'click', selector: '#greet' },
      { do: 'read' },
    );
    assert.equal(covered.effect, 'partial');
    assert.match(covered.text, /action 1 failed.*\n.*\n1 click: .*button#greet is covered by div#cover/);
    assert.match(covered.text, /dialog: confirm: sure\?/);
    assert.match((await test({ do: 'click', selector: '#off' })).text, /button#off is disabled/);
    assert.match((await test({ do: 'read', selector: '#nowhere' })).text, /nothing matches #nowhere/);
    assert.match((await test({ do: 'read', selector: 'a[' })).text, /not a valid selector/);
    assert.match((await test({ do: 'press', key: 'Foo' })).text, /unknown key Foo/);
    const down = await test({ do: 'goto', url: 'http://127.0.0.1:61001/' });
    assert.match(down.text, /ERR_UNSAFE_PORT|ERR_CONNECTION_REFUSED/);
  });

  slowIt('browser_test continues with a kept page, and gives up on one that hangs', async () => {
    const test = (
      actions: Parameters<typeof ide.call<typeof dataTools.browserTest>>[1]['actions'],
      keep = true,
    ) => ide.call(dataTools.browserTest, { actions, keep, timeout_ms: 2000 });
    await test([{ do: 'goto', url: `${web}/page` }]);
    const next = await test([{ do: 'read', selector: 'h1' }]);
    assert.equal(next.actions[0]?.value, 'Shop');
    const hung = await test([
      { do: 'goto', url: `${web}/hangs` },
      { do: 'wait', text: 'never' },
    ]);
    assert.deepEqual([hung.failed, hung.kept], [1, false]);
    const fresh = await test([{ do: 'read', what: 'count', selector: 'h1' }], false);
    assert.deepEqual([fresh.actions[0]?.value, fresh.url], ['0', 'about:blank']);
    assert.equal(
      (await ide.bash('pgrep -fc [h]eadless=new || true; ls -d /tmp/pwp-browser-* || true')).trim(),
      '0',
    );
  });

  it('mongo_query says that mongosh is missing, and uses it if it is installed', async () => {
    const find = { query_type: 'find', collection: 'users', query: { age: { $gt: 3 } }, limit: 2 } as const;
    const why = await ide.refused('no-program', dataTools.mongoQuery, find);
    assert.match(why, /no mongosh/);
    const stand = await readFile(join(packageFolder(), 'test/programs/mongosh.sh'), 'utf8');
    await ide.bash(`cat > /usr/local/bin/mongosh <<'END'\n${stand}\nEND\nchmod +x /usr/local/bin/mongosh`);
    const { documents, truncated } = await ide.call(dataTools.mongoQuery, find);
    assert.deepEqual([(documents[0] as { query: unknown }).query, truncated], [find.query, true]);
    await ide.refused('no-server', dataTools.mongoQuery, { ...find, url: 'mongodb://127.0.0.1:1/x' });
    const stages = [{ $match: {} }, { $out: 'copy' }];
    await ide.refused('read-only', dataTools.mongoQuery, { ...find, query_type: 'aggregate', query: stages });
    await ide.refused('bad-arguments', dataTools.mongoQuery, { query_type: 'find' });
  });

  it('sqlite_execute reports what it changed, and leaves nothing half done', async () => {
    const run = (sql: string, more: object = {}) =>
      ide.answer(dataTools.sqliteExecute, { path, sql, ...more });
    assert.equal((await run("update customer set name = 'x' where id = 99")).effect, 'no-effect');
    assert.equal((await run('create table if not exists customer (a)')).effect, 'no-effect');
    assert.equal((await run('create table changed (a)')).effect, 'confirmed');
    assert.match(
      await ide.refused('guarded', dataTools.sqliteExecute, { path, sql: 'begin' }),
      /begin.*transaction/,
    );
    const created = { path: 'half.sqlite', sql: 'creat table t (a)', create: true };
    await ide.refused('bad-query', dataTools.sqliteExecute, created);
    assert.equal(await ide.onDisk('half.sqlite'), null);
  });

  it('sqlite_query needs a value for each parameter, and sqlite_schema existing tables', async () => {
    await ide.refused('bad-arguments', dataTools.sqliteQuery, { path, sql: 'select ?, ?', parameters: [1] });
    const message = await ide.refused('not-found', dataTools.sqliteSchema, { path, tables: ['custmer'] });
    assert.match(message, /custmer; there are .*customer/);
  });
});
