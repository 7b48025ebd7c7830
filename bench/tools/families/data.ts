import assert from 'node:assert/strict';
import { dataTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';
import type { Desk } from '../desk.ts';
import { serverPort } from '../workspace.ts';

const { sqliteSchema, sqliteQuery, sqliteExecute, httpRequest, websocketTest, browserTest, mongoQuery } =
  dataTools;

const path = 'shop.sqlite';
const web = `http://127.0.0.1:${serverPort}`;
const closedPort = 'http://127.0.0.1:8124';

/** Rows of a query, by Python's sqlite3. */
const rows = (desk: Desk, sql: string) =>
  desk.python(
    `import sqlite3\nprint(json.dumps(sqlite3.connect('${path}').execute(${JSON.stringify(sql)}).fetchall()))`,
  );

const noDatabase = (more: object = {}) => [
  wrong('no such database', { path: 'shp.sqlite', ...more }, 'not-found', /shp\.sqlite/),
  wrong('no database', { path: 'notes.txt', ...more }, 'not-a-database', /notes\.txt/),
  wrong('a folder', { path: 'src', ...more }, 'not-a-file', /src/),
  wrong('out of the workspace', { path: 'out.txt', ...more }, 'outside-workspace', /out\.txt/),
];

/** Tools for databases, servers and pages. */
export const dataCases: readonly ToolCase[] = [
  {
    tool: sqliteSchema,
    right: [
      right('tables, columns and counts', async (desk) => {
        const { tables } = await desk.call(sqliteSchema, { path });
        const truth = await desk.python(`import sqlite3
db = sqlite3.connect('${path}')
names = [r[0] for r in db.execute("select name from sqlite_schema where type in ('table', 'view') order by name")]
print(json.dumps([[n, db.execute(f'select count(*) from {n}').fetchone()[0], [c[1] for c in db.execute(f'pragma table_info({n})')]] for n in names]))`);
        assert.deepEqual(
          tables.map(({ name, rows: count, columns }) => [name, count, columns.map((one) => one.name)]),
          truth,
        );
      }),
    ],
    wrong: [
      ...noDatabase(),
      wrong('no such table', { path, tables: ['custmer'] }, 'not-found', /custmer.*customer/s),
    ],
  },
  {
    tool: sqliteQuery,
    right: [
      right('rows, with a parameter', async (desk) => {
        const { rows: found, columns } = await desk.call(sqliteQuery, {
          path,
          sql: 'select id, total from orders where total > ? order by id',
          parameters: [2.6],
        });
        assert.deepEqual(
          [columns, found],
          [['id', 'total'], await rows(desk, 'select id, total from orders where total > 2.6 order by id')],
        );
      }),
      right('a part, and that there is more', async (desk) => {
        const { rows: found, truncated } = await desk.call(sqliteQuery, {
          path,
          sql: 'select * from orders',
          limit: 2,
        });
        assert.deepEqual([found.length, truncated], [2, true]);
      }),
    ],
    wrong: [
      ...noDatabase({ sql: 'select 1' }),
      wrong('no such table', { path, sql: 'select * from custmer' }, 'bad-query', /custmer/),
      wrong('a syntax error', { path, sql: 'selct 1' }, 'bad-query', /selct/),
      wrong(
        'a change',
        { path, sql: "delete from customer where name = 'Ann'" },
        'read-only',
        /delete|change|sqlite_execute/i,
      ),
      wrong(
        'two statements',
        { path, sql: 'select 1; select 2' },
        'bad-arguments',
        /one statement|second|statements/,
      ),
      wrong('a parameter too few', { path, sql: 'select ?' }, 'bad-arguments', /1|parameter/),
      wrong('a parameter too many', { path, sql: 'select 1', parameters: [1] }, 'bad-arguments', /parameter/),
      wrong('another database', { path, sql: "attach '/tmp/x.db' as x" }, 'read-only', /attach|file/i),
    ],
  },
  {
    tool: sqliteExecute,
    right: [
      right('an insert', async (desk) => {
        const { changes } = await desk.call(sqliteExecute, {
          path,
          sql: 'insert into customer(name) values (?)',
          parameters: ['Cleo'],
        });
        assert.deepEqual(
          [changes, await rows(desk, "select count(*) from customer where name = 'Cleo'")],
          [1, [[1]]],
        );
      }),
      right('an update of nothing', async (desk) => {
        const { result, effect } = await desk.answer(sqliteExecute, {
          path,
          sql: "update customer set name = 'x' where id = 99",
        });
        assert.deepEqual([(result as { changes: number }).changes, effect], [0, 'no-effect']);
      }),
      right('a new database', async (desk) => {
        await desk.call(sqliteExecute, { path: 'new.sqlite', sql: 'create table t (a)', create: true });
        assert.deepEqual(
          await desk.python(
            `import sqlite3\nprint(json.dumps(sqlite3.connect('new.sqlite').execute('select name from sqlite_schema').fetchall()))`,
          ),
          [['t']],
        );
      }),
    ],
    wrong: [
      ...noDatabase({ sql: 'delete from customer' }),
      wrong(
        'what a constraint forbids',
        { path, sql: "insert into customer(name) values ('Ann')" },
        'bad-query',
        /unique/i,
      ),
      wrong(
        'a row of no customer',
        { path, sql: 'insert into orders(customer, total) values (99, 1)' },
        'bad-query',
        /foreign key/i,
      ),
      wrong(
        'two statements',
        { path, sql: 'delete from orders; delete from customer' },
        'bad-arguments',
        /one statement|second|statements/,
      ),
      wrong('a syntax error', { path, sql: 'delet from customer' }, 'bad-query', /delet/),
      wrong('a transaction that is left open', { path, sql: 'begin' }, 'guarded', /begin|transaction/i),
      wrong(
        'a copy in another file',
        { path, sql: "vacuum into '/tmp/outside/copy.sqlite'" },
        'guarded',
        /outside\/copy/,
      ),
      wrong(
        'a new table in a database that is not to be made',
        { path: 'newer.sqlite', sql: 'create table t (a)' },
        'not-found',
        /newer\.sqlite/,
      ),
      wrong(
        'a statement that fails in a database to be made',
        { path: 'newest.sqlite', sql: 'creat table t (a)', create: true },
        'bad-query',
        /creat/,
      ),
    ],
  },
  {
    tool: httpRequest,
    right: [
      right('what curl gets', async (desk) => {
        const { status, body } = await desk.call(httpRequest, { url: `${web}/users` });
        assert.deepEqual(
          [status, body],
          [
            200,
            await desk.python(
              `import urllib.request\nprint(json.dumps(urllib.request.urlopen('${web}/users').read().decode()))`,
            ),
          ],
        );
      }),
      right('what is sent arrives', async (desk) => {
        const { body } = await desk.call(httpRequest, {
          method: 'PUT',
          url: `${web}/echo`,
          headers: { 'x-own': 'mine' },
          body: { a: [1] },
        });
        assert.deepEqual(JSON.parse(body), { method: 'PUT', own: 'mine', body: '{"a":[1]}' });
      }),
      right('a redirect, as it is', async (desk) => {
        const { status, headers } = await desk.call(httpRequest, {
          url: `${web}/from`,
          follow_redirects: false,
        });
        assert.deepEqual([status, headers.location], [302, '/users']);
      }),
      right('a part, and that there is more', async (desk) => {
        const { bytes, truncated } = await desk.call(httpRequest, { url: `${web}/long`, max_bytes: 100 });
        assert.equal(truncated, true);
        assert.ok(bytes <= 5000);
      }),
    ],
    wrong: [
      wrong('nothing listens', { url: closedPort }, 'no-server', /127\.0\.0\.1:8124/),
      wrong('no such host', { url: 'http://no-such-host.invalid/' }, 'no-server', /no-such-host/),
      wrong('a relative address', { url: '/users' }, 'schema', /url/),
      wrong('a body that it can’t have', { url: `${web}/echo`, body: 'x' }, 'bad-arguments', /GET/),
      wrong('a broken header', { url: `${web}/echo`, headers: { 'a b': 'x' } }, 'bad-arguments', /a b/),
    ],
    failing: [{ what: 'no such page', given: { url: `${web}/nothing` }, says: /^404/ }],
  },
  {
    tool: websocketTest,
    right: [
      right('what is sent comes back', async (desk) => {
        const { messages, sent, expected } = await desk.call(websocketTest, {
          url: `ws://127.0.0.1:${serverPort}`,
          send: [{ text: 'hello' }],
          count: 2,
        });
        assert.deepEqual([messages.map(({ text }) => text), sent, expected], [['welcome', 'HELLO'], 1, true]);
      }),
      right('fewer than are waited for', async (desk) => {
        const { effect } = await desk.answer(websocketTest, {
          url: `ws://127.0.0.1:${serverPort}`,
          count: 5,
          timeout_ms: 500,
        });
        assert.equal(effect, 'partial');
      }),
    ],
    wrong: [
      wrong('nothing listens', { url: 'ws://127.0.0.1:8124' }, 'no-server', /127\.0\.0\.1:8124/),
      wrong('a broken pattern', { url: `ws://127.0.0.1:${serverPort}`, until: '(' }, 'bad-pattern', /\(/),
      wrong(
        'an event without Socket.IO',
        { url: `ws://127.0.0.1:${serverPort}`, send: [{ event: 'x' }] },
        'bad-arguments',
        /event|text/,
      ),
      wrong('no WebSocket address', { url: 'ftp://127.0.0.1' }, 'schema', /url/),
    ],
  },
  {
    tool: browserTest,
    right: [
      right('a page that is used', async (desk) => {
        const { actions, title } = await desk.call(browserTest, {
          actions: [
            { do: 'goto', url: `${web}/page` },
            { do: 'type', selector: '#name', text: 'Ann' },
            { do: 'click', selector: '#greet' },
            { do: 'read', selector: '#out' },
          ],
        });
        const own = await desk.python(
          `import re, urllib.request\nprint(json.dumps(re.search('<title>(.*)</title>', urllib.request.urlopen('${web}/page').read().decode())[1]))`,
        );
        assert.deepEqual([actions.at(-1)?.value, title], ['Hello Ann', own]);
      }),
    ],
    wrong: [
      wrong(
        'an address of a file',
        { actions: [{ do: 'goto', url: 'file:///etc/passwd' }] },
        'schema',
        /url/,
      ),
      wrong('no such action', { actions: [{ do: 'hover', selector: 'a' }] }, 'schema', /do/),
    ],
    failing: [
      {
        what: 'nothing fits the selector',
        given: {
          actions: [
            { do: 'goto', url: `${web}/page` },
            { do: 'click', selector: '#gret', timeout_ms: 500 },
          ],
        },
        says: /action 1 failed[^]*#gret/,
        effect: 'partial',
      },
      {
        what: 'a broken selector',
        given: {
          actions: [
            { do: 'goto', url: `${web}/page` },
            { do: 'click', selector: 'div[', timeout_ms: 500 },
          ],
        },
        says: /action 1 failed[^]*div\[/,
        effect: 'partial',
      },
      {
        what: 'nothing listens',
        given: { actions: [{ do: 'goto', url: closedPort }] },
        says: /action 0 failed/,
        effect: 'no-effect',
      },
      {
        what: 'an option that is not there',
        given: {
          actions: [
            { do: 'goto', url: 'data:text/html,<select id=s><option>a</select>' },
            { do: 'select', selector: '#s', value: 'b', timeout_ms: 500 },
          ],
        },
        says: /action 1 failed[^]*b/,
        effect: 'partial',
      },
    ],
  },
  {
    tool: mongoQuery,
    right: [
      right(
        'says that the program for it is missing here',
        async (desk) => {
          await desk.sh('! command -v mongosh');
          await assert.rejects(desk.call(mongoQuery, { query_type: 'collections' }), /mongosh/);
        },
        {
          shapeOnly:
            'no MongoDB is in the image; a test with a program in its place is in test/integration/tools',
        },
      ),
    ],
    wrong: [
      wrong('no program for it', { query_type: 'find', collection: 'users' }, 'no-program', /mongosh/),
      wrong('no such question', { query_type: 'drop', collection: 'users' }, 'schema', /query_type/),
    ],
  },
];
