import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { readArguments } from '../../../bridge/protocol/index.ts';
import { PwpError } from '../../../bridge/lib/index.ts';
import { answerText, askAPerson, personQuestion } from '../../env/index.ts';
import { text } from './content.ts';
import { explanation, hints } from './registry.ts';
import type { CallContext, ServedTool } from './served-tool.ts';

interface PeopleTool<S extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: S;
  readonly call: (given: z.output<z.ZodObject<S>>, context: CallContext) => Promise<string>;
}

/** The tools for working with the people beside the agent. */
export const peopleTools: readonly ServedTool[] = [
  peopleTool({
    name: 'ask_person',
    title: 'Ask a person',
    description:
      'Asks the people beside you a question, or to do something by hand, and waits for the answer. For what only they can know or do, e.g. a choice between two designs, or a login. After work by hand, look at the screen: the observation says what they changed.',
    fields: personQuestion.shape,
    async call(question, { sandbox, signal }) {
      const { answer, output } = answerText(await askAPerson(sandbox, question, { signal }));
      return answer === output ? answer : `${answer}: ${output}`;
    },
  }),
  peopleTool({
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
function peopleTool<S extends z.ZodRawShape>({
  name,
  title,
  description,
  fields,
  call,
}: PeopleTool<S>): ServedTool {
  const schema = z.strictObject(fields);
  const { properties, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const all = { ...(properties as Record<string, object>), explanation };
  return {
    definition: {
      ...{ name, title, description },
      inputSchema: { type: 'object', properties: all, required, additionalProperties: false },
      annotations: hints(title, true),
    },
    exclusive: false,
    async call({ explanation: why, ...given }, context): Promise<CallToolResult> {
      void why;
      const checked = readArguments(schema, given);
      if (!checked.success)
        throw new PwpError('bad-action', `${name}: bad arguments: ${z.prettifyError(checked.error)}`);
      return { content: [text(await call(checked.data, context))] };
    },
  };
}
