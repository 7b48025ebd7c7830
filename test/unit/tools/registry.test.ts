import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  coreTools,
  describeLanguageModelTools,
  describeTool,
  findTool,
  tools,
} from '../../../bridge/protocol/index.ts';
import { renderToolsPage } from '../../../host/doors/docs/tools-page.ts';
import { packageFolder } from '../../../host/lib/index.ts';

interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

describe('the registry of tools', () => {
  it('has one tool for each name, written as agents write them', () => {
    const names = tools.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /^[a-z][a-z0-9_]{1,48}$/);
  });

  it('accepts no unknown arguments, and describes each of its own', () => {
    for (const tool of tools) {
      const input = describeTool(tool).input as Schema;
      assert.equal(input.type, 'object', tool.name);
      assert.equal(input.additionalProperties, false, tool.name);
      for (const [name, field] of Object.entries(input.properties ?? {}))
        assert.ok(field.description, `${tool.name}: ${name} has no description`);
    }
  });

  it('answers with objects', () => {
    for (const tool of tools) assert.equal((describeTool(tool).output as Schema).type, 'object', tool.name);
  });

  it('tells a model when to use each tool', () => {
    for (const { name, description } of tools) assert.ok(description.length >= 40, name);
  });

  it("is offered to VS Code's chats, under unique names", () => {
    const offered = describeLanguageModelTools() as { readonly name: string; readonly inputSchema: Schema }[];
    const ours = tools.filter(({ where }) => where === 'extension');
    assert.deepEqual(
      offered.map(({ name }) => name),
      ours.map(({ name }) => `pwp_${name}`),
    );
    for (const { name, inputSchema } of offered) assert.equal(inputSchema.type, 'object', name);
  });

  it('is described to people and to models in whole sentences', () => {
    const offered = describeLanguageModelTools() as {
      readonly name: string;
      readonly userDescription: string;
      readonly modelDescription: string;
    }[];
    for (const { name, userDescription, modelDescription } of offered) {
      assert.match(userDescription, /^[A-Z][^]*[^.]\.$/, name);
      assert.ok(modelDescription.startsWith(userDescription), name);
    }
    for (const { name, description } of tools) assert.match(description, /\.$/, name);
  });

  it('is offered to chats as the user chose, with tools that act only in a trusted folder', () => {
    const offered = describeLanguageModelTools() as { readonly name: string; readonly when: string }[];
    const when = new Map(offered.map((tool) => [tool.name, tool.when]));
    assert.equal(when.get('pwp_read_file'), 'config.pwp.chatTools =~ /^(core|all)$/');
    assert.equal(when.get('pwp_set_setting'), 'isWorkspaceTrusted && config.pwp.chatTools =~ /^(core|all)$/');
    assert.equal(when.get('pwp_run_python'), 'isWorkspaceTrusted && config.pwp.chatTools =~ /^(all)$/');
    assert.equal(when.get('pwp_list_tests'), 'isWorkspaceTrusted && config.pwp.chatTools =~ /^(all)$/');
    assert.ok([...when.values()].every((condition) => condition.includes('config.pwp.chatTools =~ ')));
    for (const name of coreTools) assert.ok(findTool(name), name);
  });

  it('is what docs/tools.md says; else run: node_modules/.bin/node host/doors/docs/write-docs.ts', async () => {
    const page = await readFile(join(packageFolder(), 'docs/tools.md'), 'utf8');
    assert.equal(page, renderToolsPage());
  });
});
