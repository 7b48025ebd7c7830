import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import {
  describeTool,
  findTool,
  readToolArguments,
  type Tool,
  tools,
} from '../../../../bridge/protocol/index.ts';
import {
  askPeople,
  callTool,
  describeSetTool,
  formatPersonAnswer,
  makeCallReport,
  personQuestion,
  type Session,
  type SetTool,
  stepReportsOf,
  type ToolAnswer,
  type ToolCall,
  toolSet,
} from '../../../ide/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { pictureContent, textContent } from './results.ts';

/** The context of a call of a registry tool. */
export interface RegistryContext {
  /** Calls such a tool, and shows the call to the people who watch. */
  readonly callTool: (call: ToolCall) => Promise<ToolAnswer>;
}

/** The context of a call in a sandbox. */
export interface CallContext extends RegistryContext {
  readonly sandbox: Sandbox;
  /** The client's own steps and observations: marks are those that it was shown. */
  readonly session: Session;
  /** Fires when the client cancels or goes, or the server ends. */
  readonly signal: AbortSignal;
}

/** One tool as clients of the protocol see it. */
export interface ServedTool<C = CallContext> {
  readonly definition: McpTool;
  /** It uses mouse, keyboard and screen, which one call has at a time. */
  readonly exclusive: boolean;
  /** Rejects as the underlying call does. */
  call(given: Readonly<Record<string, unknown>>, context: C): Promise<CallToolResult>;
}

/**
 * The registry's tools. They return text as a model reads it, and pictures.
 * @param structured results as objects as well, with their schemas, for programs. Several clients then show a model only
 * the object and drop text and pictures, so this is off by default.
 */
export function serveRegistryTools(structured: boolean): ServedTool<RegistryContext>[] {
  return tools.map((tool) => serveRegistryTool(tool, structured));
}

/** The ones that a window answers by itself, without the argument for pictures, which a window can't take. */
export function serveWindowTools(structured: boolean): ServedTool<RegistryContext>[] {
  return tools.filter(isAnsweredByWindow).map((tool) => {
    const served = serveRegistryTool(tool, structured);
    return tool.pictured ? { ...served, definition: omitPictureField(served.definition) } : served;
  });
}

function isAnsweredByWindow({ where }: Tool): boolean {
  return where === 'extension';
}

function omitPictureField(definition: McpTool): McpTool {
  const { inputSchema } = definition;
  const properties = Object.entries(inputSchema.properties ?? {}).filter(([name]) => name !== 'picture');
  return { ...definition, inputSchema: { ...inputSchema, properties: Object.fromEntries(properties) } };
}

function serveRegistryTool(tool: Tool, structured: boolean): ServedTool<RegistryContext> {
  return {
    definition: defineForClients(tool, structured),
    exclusive: false,
    async call({ explanation, ...given }, context): Promise<CallToolResult> {
      const why = typeof explanation === 'string' ? { explanation } : {};
      const answer = await context.callTool({ name: tool.name, arguments: given, ...why });
      return {
        ...toCallResult(answer),
        ...(structured && { structuredContent: answer.result as Record<string, unknown> }),
      };
    },
  };
}

/**
 * Calls a tool and reports it to the people who watch in the IDE, also if it failed; the answer does not wait for that.
 * Rejects as the call does.
 */
export async function callAndReport(
  call: ToolCall,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const reports = stepReportsOf(sandbox);
  try {
    const answer = await callTool(sandbox, call, { signal });
    reports.add(makeCallReport({ call, answer, by: 'agent' }));
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    reports.add(makeCallReport({ call, answer: { refusal: describeError(error) }, by: 'agent' }));
    throw error;
  }
}

/** An answer as clients get it. */
function toCallResult({ text: words, images, effect, evidence }: ToolAnswer): CallToolResult {
  return {
    content: [textContent(words), ...images.map(pictureContent)],
    _meta: { 'pwp/effect': effect, 'pwp/evidence': evidence },
  };
}

function defineForClients(tool: Tool, structured: boolean): McpTool {
  const { name, title, description, readOnly, input, output } = describeTool(tool);
  const properties = {
    ...(input.properties as Record<string, object> | undefined),
    explanation: explanationField,
  };
  return {
    name,
    title,
    description,
    inputSchema: { ...input, type: 'object', properties },
    ...(structured && { outputSchema: { ...output, type: 'object' as const } }),
    annotations: toolHints(title, readOnly),
  };
}

/** Every tool except those of the screen takes it besides its own arguments. */
const explanationField = {
  type: 'string',
  maxLength: 20_000,
  description: 'the reason for this call, one sentence, for people who watch',
} as const;

/** Everything happens in the sandbox, which has no network unless its task allows one. */
export function toolHints(title: string, readOnly: boolean): NonNullable<McpTool['annotations']> {
  return { title, readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: false };
}

/** The tools of a set, under its names and with its arguments. Errors: `bad-action` for an unknown set. */
export function serveToolSet(set: string): ServedTool<RegistryContext>[] {
  return toolSet(set).tools.map((tool) => serveSetTool(set, tool));
}

/** The ones that a window answers by itself. */
export function serveWindowToolSet(set: string): ServedTool<RegistryContext>[] {
  return toolSet(set)
    .tools.filter((tool) => findToolsBehind(tool).every(isAnsweredByWindow))
    .map((tool) => serveSetTool(set, tool));
}

function findToolsBehind(tool: SetTool): Tool[] {
  return describeSetTool(tool).answeredBy.flatMap((one) => findTool(one) ?? []);
}

function serveSetTool(set: string, tool: SetTool): ServedTool<RegistryContext> {
  const { name, description, input } = describeSetTool(tool);
  const behind = findToolsBehind(tool);
  const title = behind.length === 1 ? behind[0]?.title : undefined;
  return {
    definition: {
      name,
      description,
      inputSchema: { ...input, type: 'object' },
      annotations: toolHints(
        title ?? name,
        behind.every(({ readOnly }) => readOnly),
      ),
    },
    exclusive: false,
    async call(given, { callTool }) {
      const why = typeof given.explanation === 'string' ? { explanation: given.explanation } : {};
      return toCallResult(await callTool({ name, arguments: given, set, ...why }));
    },
  };
}

interface PeopleTool<S extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: S;
  readonly call: (given: z.output<z.ZodObject<S>>, context: CallContext) => Promise<string>;
}

/** The tools for working with the people beside the agent. */
export const peopleTools: readonly ServedTool[] = [
  definePeopleTool({
    name: 'ask_person',
    title: 'Ask a person',
    description:
      'Asks the people beside you a question, or to do something by hand, and waits for the answer. For what only they can know or do, e.g. a choice between two designs, or a login. After work by hand, look at the screen: the observation says what they changed.',
    fields: personQuestion.shape,
    async call(question, { sandbox, signal }) {
      const { answer, output } = formatPersonAnswer(await askPeople(sandbox, question, { signal }));
      return answer === output ? answer : `${answer}: ${output}`;
    },
  }),
  definePeopleTool({
    name: 'person_changes',
    title: 'What a person changed',
    description:
      'Returns at length what people changed while they had control, up to your first look after it. That observation has the short form already.',
    fields: {},
    call: (_, { session }) =>
      Promise.resolve(session.personChanges ?? 'No one had control before one of your looks.'),
  }),
];

export const corePeopleTools: readonly string[] = ['ask_person'];

/** Calls run in parallel with others: an answer may take minutes, and others work meanwhile. */
function definePeopleTool<S extends z.ZodRawShape>({
  name,
  title,
  description,
  fields,
  call,
}: PeopleTool<S>): ServedTool {
  const schema = z.strictObject(fields);
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const all = { ...(properties as Record<string, object>), explanation: explanationField };
  return {
    definition: {
      ...{ name, title, description },
      inputSchema: { type: 'object', properties: all, required, additionalProperties: false },
      annotations: toolHints(title, true),
    },
    exclusive: false,
    async call({ explanation: why, ...given }, context): Promise<CallToolResult> {
      void why;
      const checked = readToolArguments(schema, given);
      if (!checked.success)
        throw new PwpError('bad-action', `${name}: bad arguments: ${z.prettifyError(checked.error)}`);
      return { content: [textContent(await call(checked.data, context))] };
    },
  };
}
