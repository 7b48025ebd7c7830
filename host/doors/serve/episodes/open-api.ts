import * as z from 'zod';
import { omitUndefined } from '../../../../bridge/text/index.ts';
import { programVersion } from '../../../lib/index.ts';
import {
  closeReply,
  episodeCalls,
  errorReply,
  healthReply,
  openCall,
  tasksReply,
  toolsReply,
} from './episode-calls.ts';

const episodeParameter = {
  name: 'episode',
  in: 'path',
  required: true,
  description: 'id of the episode',
  schema: { type: 'string' },
};

/** The OpenAPI 3.1 document of the routes, from the schemas by which they check requests. */
export function describeApi(): object {
  const calls = Object.entries(episodeCalls).map(([name, { about, input, output }]): [string, object] => [
    `/episodes/{episode}/${name}`,
    { post: { ...describeRequest(name, about, output, input), parameters: [episodeParameter] } },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Programming with Pixels', version: programVersion },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/health': { get: describeRequest('health', 'whether the server works, and its room', healthReply) },
      '/tasks': { get: describeRequest('tasks', 'the tasks that episodes can have', tasksReply) },
      '/tools': { get: describeRequest('tools', 'the tools that an agent can call', toolsReply) },
      '/episodes': { post: describeRequest('open', openCall.about, openCall.output, openCall.input) },
      '/episodes/{episode}': {
        delete: {
          ...describeRequest('close', 'end an episode with its sandbox', closeReply),
          parameters: [episodeParameter],
        },
      },
      ...Object.fromEntries(calls),
    },
  };
}

/** @param failure the reply to a request that failed */
export function describeRequest(
  operationId: string,
  summary: string,
  output: z.ZodType,
  input?: z.ZodType,
  failure: z.ZodType = errorReply,
): object {
  const failed = { description: 'an error', content: toContent(failure, 'output') };
  return {
    operationId,
    summary,
    // Without a body, a request is an empty object.
    ...(input && {
      requestBody: { required: !input.safeParse({}).success, content: toContent(input, 'input') },
    }),
    responses: {
      200: { description: 'done', content: toContent(output, 'output') },
      401: { description: 'without the token', content: { 'text/plain': { schema: { type: 'string' } } } },
      default: failed,
    },
  };
}

function toContent(schema: z.ZodType, io: 'input' | 'output'): object {
  return {
    'application/json': { schema: omitUndefined({ ...z.toJSONSchema(schema, { io }), $schema: undefined }) },
  };
}
