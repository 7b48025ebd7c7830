import assert from 'node:assert/strict';
import { tools } from '../../../bridge/protocol/index.ts';
import { SharedIde, chooseServedTools } from '../../../host/serve/index.ts';
import { picture } from '../../../host/serve/mcp/content.ts';
import { McpClient } from '../../support/mcp-client.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const nowhere = new SharedIde(new Promise<never>(() => undefined));
const namesOf = (options: Parameters<typeof chooseServedTools>[0]) =>
  chooseServedTools(options).map(({ definition }) => definition.name);

describe('the tools that are offered over MCP', () => {
  it('are all of the registry, and the screen and the input devices', () => {
    const names = namesOf({});
    assert.equal(new Set(names).size, names.length);
    for (const { name } of tools) assert.ok(names.includes(name), name);
    for (const name of ['screenshot', 'marks', 'click', 'type', 'key', 'scroll', 'step'])
      assert.ok(names.includes(`computer_${name}`), name);
  });

  it('have schemas that model interfaces take: objects at the top, no tuples, each field described', () => {
    for (const { definition } of chooseServedTools({})) {
      const { name, inputSchema } = definition;
      assert.equal(inputSchema.type, 'object', name);
      assert.equal(inputSchema.additionalProperties, false, name);
      for (const word of ['anyOf', 'oneOf', 'allOf', '$schema']) assert.ok(!(word in inputSchema), name);
      assert.doesNotMatch(JSON.stringify(inputSchema), /"prefixItems"/, name);
      for (const [field, schema] of Object.entries((inputSchema as Schema).properties ?? {}))
        if (!name.startsWith('computer_')) assert.ok(schema.description, `${name}: ${field}`);
    }
  });

  it('reach a client as they are, with schemas of results only on request', async () => {
    for (const structured of [false, true]) {
      await using client = await McpClient.inMemory(nowhere, { structured });
      const { tools: seen } = await client.client.listTools();
      assert.deepEqual(
        seen.map(({ name }) => name),
        namesOf({}),
      );
      const file = seen.find(({ name }) => name === 'read_file');
      assert.equal(file?.outputSchema !== undefined, structured);
      assert.equal(file?.annotations?.readOnlyHint, true);
    }
  });

  it('can be some alone', () => {
    const some = namesOf({ families: ['computer'] });
    assert.ok(some.length > 5 && some.every((name) => name.startsWith('computer_')));
    const reading = namesOf({ readOnly: true });
    assert.ok(reading.includes('read_file') && reading.includes('computer_screenshot'));
    assert.ok(!reading.includes('write_file') && !reading.includes('computer_click'));
    assert.throws(() => chooseServedTools({ families: ['fishing'] }), { code: 'usage' });
  });

  it('can be those of a set alone, by its names', () => {
    const names = namesOf({ set: 'ide-bench' });
    assert.equal(names.length, 18);
    assert.ok(names.includes('edit_file') && names.includes('web_search'));
    assert.ok(!names.some((name) => name.startsWith('computer_')));
    const reading = namesOf({ set: 'ide-bench', readOnly: true });
    assert.ok(reading.includes('grep_search') && !reading.includes('edit_file'));
    assert.throws(() => chooseServedTools({ set: 'ide-bench', families: ['files'] }), { code: 'usage' });
    assert.throws(() => chooseServedTools({ set: 'none' }), { code: 'bad-action' });
  });

  it('take an explanation beside their arguments, and do not ask for it', () => {
    for (const { definition } of chooseServedTools({})) {
      if (definition.name.startsWith('computer_')) continue;
      const { properties, required = [] } = definition.inputSchema;
      assert.ok(
        properties && 'explanation' in properties && !required.includes('explanation'),
        definition.name,
      );
    }
  });

  it('give pictures as images, and an SVG as the text that it is', () => {
    const base64 = Buffer.from('<svg/>').toString('base64');
    assert.deepEqual(picture({ mime: 'image/webp', base64, title: 'x' }), {
      type: 'image',
      data: base64,
      mimeType: 'image/webp',
    });
    assert.deepEqual(picture({ mime: 'image/svg+xml', base64, title: 'a chart' }), {
      type: 'resource',
      resource: { uri: 'pwp://picture/a%20chart', mimeType: 'image/svg+xml', text: '<svg/>' },
    });
  });
});
