import assert from 'node:assert/strict';
import { describeTool, renderToolResult, tools } from '../../../bridge/protocol/index.ts';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The smallest value that a schema accepts. */
function least(schema: Schema): unknown {
  const { properties = {}, required = [] } = schema;
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (choice) return least(choice);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, least(properties[name] ?? {})]));
    case 'array':
      return [];
    case 'string':
      // Only versions have a pattern.
      return schema.pattern === undefined ? '' : '0123456789abcdef';
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, (schema.exclusiveMinimum ?? -1) + 1);
    default:
      return null;
  }
}

/** Fields in which results say that they are incomplete. */
const parts: Readonly<Record<string, unknown>> = {
  truncated: true,
  omitted: 3,
  incomplete: 'a reason',
  clipped: 2,
};

describe('the text of a result', () => {
  for (const tool of tools) {
    const output = describeTool(tool).output as Schema;
    for (const [field, value] of Object.entries(parts)) {
      if (!output.properties?.[field]) continue;
      it(`of ${tool.name} says that it is incomplete, by ${field}`, () => {
        const result = least(output) as Record<string, unknown>;
        const whole = field === 'incomplete' ? null : field === 'truncated' ? false : 0;
        const cut = renderToolResult(tool, tool.output.parse({ ...result, [field]: value }));
        assert.notEqual(cut, renderToolResult(tool, tool.output.parse({ ...result, [field]: whole })));
      });
    }
  }
});
