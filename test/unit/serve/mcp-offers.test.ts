import assert from 'node:assert/strict';
import { tools } from '../../../bridge/protocol/index.ts';
import { pictureContent } from '../../../host/doors/serve/mcp/results.ts';
import {
  chooseServedTools,
  chooseWindowTools,
  type ServedToolOptions,
} from '../../../host/doors/serve/mcp/served-tools.ts';
import { SharedIde } from '../../../host/doors/serve/mcp/shared-ide.ts';
import { McpClient } from '../../support/mcp-client.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const nowhere = new SharedIde(new Promise<never>(() => undefined));
const listedOf = (options: ServedToolOptions) =>
  chooseServedTools(options).listed.map(({ definition }) => definition);
const namesOf = (options: ServedToolOptions) => listedOf(options).map(({ name }) => name);

describe('the tools offered over MCP', () => {
  it('are a core by default: at most 30 tools and 9,000 tokens, at four characters of the list per token', async () => {
    await using client = await McpClient.inMemory(nowhere);
    const answer = await client.client.listTools();
    assert.ok(answer.tools.length <= 30, `${answer.tools.length} tools`);
    const tokens = Math.ceil(JSON.stringify(answer).length / 4);
    assert.ok(tokens <= 9000, `${tokens} tokens`);
    const { listed, more } = chooseServedTools({});
    const names = [...listed, ...more].map(({ definition }) => definition.name);
    assert.deepEqual(names.toSorted(), namesOf({ all: true }).toSorted());
  });

  it('are, on request, all of the registry, the screen and the input devices', () => {
    const names = namesOf({ all: true });
    assert.equal(new Set(names).size, names.length);
    for (const { name } of tools) assert.ok(names.includes(name), name);
    for (const name of ['screenshot', 'marks', 'click', 'type', 'key', 'scroll', 'step'])
      assert.ok(names.includes(`computer_${name}`), name);
  });

  it('have schemas that model APIs accept: objects at the top, no tuples, each field described', () => {
    for (const { name, inputSchema } of listedOf({ all: true })) {
      assert.equal(inputSchema.type, 'object', name);
      assert.equal(inputSchema.additionalProperties, false, name);
      for (const word of ['anyOf', 'oneOf', 'allOf', '$schema']) assert.ok(!(word in inputSchema), name);
      assert.doesNotMatch(JSON.stringify(inputSchema), /"prefixItems"/, name);
      for (const [field, schema] of Object.entries((inputSchema as Schema).properties ?? {}))
        if (!name.startsWith('computer_')) assert.ok(schema.description, `${name}: ${field}`);
    }
  });

  it('reach a client unchanged, with result schemas only on request', async () => {
    for (const structured of [false, true]) {
      await using client = await McpClient.inMemory(nowhere, { all: true, structured });
      const { tools: seen } = await client.client.listTools();
      assert.deepEqual(
        seen.map(({ name }) => name),
        namesOf({ all: true }),
      );
      const file = seen.find(({ name }) => name === 'read_file');
      assert.equal(file?.outputSchema !== undefined, structured);
      assert.equal(file?.annotations?.readOnlyHint, true);
    }
  });

  it('can be only some', () => {
    const some = namesOf({ families: ['computer'] });
    assert.ok(some.length > 5 && some.every((name) => name.startsWith('computer_')));
    assert.deepEqual(namesOf({ tools: ['shell', 'read_file'] }), ['read_file', 'shell']);
    assert.deepEqual(namesOf({ families: ['profile'], tools: ['shell'] }), [
      'shell',
      'profile_summary',
      'open_profile',
    ]);
    assert.deepEqual(chooseServedTools({ tools: ['shell'] }).more, []);
    const more = namesOf({ families: ['core', 'debug'] });
    assert.ok(more.includes('debug_start') && more.includes('computer_click') && !more.includes('hover'));
  });

  describe("in a person's own window", () => {
    const hasAll = () => true;
    const windowNames = (options: ServedToolOptions, has: (name: string) => boolean = hasAll) =>
      chooseWindowTools(options, has).listed.map(({ definition: { name } }) => name);

    it('are those that the window itself answers', () => {
      const own = tools.filter(({ where }) => where === 'extension').map(({ name }) => name);
      assert.deepEqual(windowNames({ all: true }), own);
      assert.deepEqual(
        windowNames({ all: true }, (name) => name !== 'hover'),
        own.filter((name) => name !== 'hover'),
      );
      const { listed, more } = chooseWindowTools({}, hasAll);
      assert.equal(listed.length + more.length, own.length);
      assert.ok(listed.length < 25 && listed.some(({ definition }) => definition.name === 'write_file'));
    });

    it('are chosen as in a sandbox', () => {
      assert.deepEqual(windowNames({ tools: ['hover'] }), ['hover']);
      assert.ok(windowNames({ families: ['core'] }).includes('read_file'));
      assert.ok(!windowNames({ all: true, readOnly: true }).includes('write_file'));
      const bench = windowNames({ set: 'ide-bench' });
      assert.ok(bench.includes('edit_file') && !bench.includes('api_call'));
      assert.ok(!windowNames({ set: 'pwp-swe' }).includes('bash'));
    });

    it('are refused if they need a sandbox', () => {
      for (const options of [{ tools: ['shell'] }, { families: ['data'] }, { tools: ['computer_click'] }])
        assert.throws(() => chooseWindowTools(options, hasAll), {
          code: 'usage',
          message: /needs a sandbox/,
        });
      assert.throws(() => chooseWindowTools({ tools: ['shel'] }, hasAll), /did you mean shell\?/);
    });

    it("have no argument for pictures, which windows can't take", () => {
      const { listed } = chooseWindowTools({ all: true }, hasAll);
      for (const { definition } of listed)
        assert.ok(!('picture' in (definition.inputSchema.properties ?? {})), definition.name);
    });
  });

  it('can be only those that change nothing', () => {
    for (const all of [true, false]) {
      const { listed, more } = chooseServedTools({ readOnly: true, all });
      const reading = listed.map(({ definition }) => definition.name);
      assert.ok(reading.includes('read_file') && reading.includes('computer_screenshot'));
      assert.ok([...listed, ...more].every(({ definition }) => definition.annotations?.readOnlyHint));
    }
  });

  it('are refused under unknown names, with a suggestion', () => {
    const refused = (options: ServedToolOptions, message: RegExp) =>
      assert.throws(() => chooseServedTools(options), { code: 'usage', message });
    refused({ families: ['debugging'] }, /no family of tools "debugging": did you mean debug\?/);
    refused({ families: ['fishing'] }, /"fishing": expected core, files, search/);
    refused({ tools: ['readfile'] }, /no tool "readfile": did you mean read_file\?/);
    refused({ tools: ['screenshot'] }, /did you mean (screenshot_element|computer_screenshot)\?/);
    refused({ set: 'idebench' }, /no set of tools "idebench": did you mean ide-bench\?/);
    refused({ all: true, families: ['files'] }, /--all takes neither/);
    refused({ readOnly: true, tools: ['shell'] }, /leave no tool/);
  });

  it('can be only those of a tool set, under its names', () => {
    const names = namesOf({ set: 'ide-bench' });
    assert.equal(names.length, 18);
    assert.ok(names.includes('edit_file') && names.includes('web_search'));
    assert.ok(!names.some((name) => name.startsWith('computer_')));
    const reading = namesOf({ set: 'ide-bench', readOnly: true });
    assert.ok(reading.includes('grep_search') && !reading.includes('edit_file'));
    assert.throws(() => chooseServedTools({ set: 'ide-bench', families: ['files'] }), { code: 'usage' });
    assert.throws(() => chooseServedTools({ set: 'none' }), { code: 'usage' });
  });

  it('accept an explanation in addition to their arguments, but do not require it', () => {
    for (const { name, inputSchema } of listedOf({ all: true })) {
      if (name.startsWith('computer_')) continue;
      const { properties, required = [] } = inputSchema;
      assert.ok(properties && 'explanation' in properties && !required.includes('explanation'), name);
    }
  });

  it('return pictures as images, and an SVG as text', () => {
    const given = { bytes: Buffer.from('<svg/>'), width: null, height: null };
    assert.deepEqual(pictureContent({ ...given, mime: 'image/webp', title: 'x' }), {
      type: 'image',
      data: given.bytes.toString('base64'),
      mimeType: 'image/webp',
    });
    assert.deepEqual(pictureContent({ ...given, mime: 'image/svg+xml', title: 'a chart' }), {
      type: 'resource',
      resource: { uri: 'pwp://picture/a%20chart', mimeType: 'image/svg+xml', text: '<svg/>' },
    });
  });
});
