import * as z from 'zod';
import { describeRequest } from '../episodes/index.ts';
import {
  openEnvRequests,
  openEnvState,
  resetReply,
  rpcReply,
  rpcRequest,
  stepReply,
} from './openenv-messages.ts';
import { environmentName, taskCalls } from './openenv-tasks.ts';

/** Of the protocol's HTTP part, as the owners' servers name it. */
const protocolVersion = '1.0.0';

const failure = z.object({ detail: z.string(), code: z.string().describe('see docs/errors.md') });
const names = z.array(z.string());
const schemas = z.object({
  action: z.looseObject({}),
  observation: z.looseObject({}),
  reset_observation: z.looseObject({}),
  state: z.looseObject({}),
});
const metadata = z.object({ name: z.string(), description: z.string(), version: z.string() });
const splits = z.array(z.object({ name: z.string(), type: z.enum(['train', 'validation', 'test']) }));

const environmentParameter = parameter('path', 'environment', { enum: [environmentName] });
const sessionParameter = parameter('query', 'session_id', { type: 'string', maxLength: 200 });

function parameter(place: 'path' | 'query', name: string, schema: object): object {
  return { name, in: place, required: place === 'path', schema };
}

/** OpenAPI's description of the routes below `/openenv`, from the schemas by which they check requests. */
export function describeOpenEnv(): object {
  const get = (name: string, about: string, output: z.ZodType, ...parameters: object[]) => ({
    get: { ...describeRequest(name, about, output, undefined, failure), parameters },
  });
  const post = (
    name: string,
    about: string,
    input: z.ZodType,
    output: z.ZodType,
    ...parameters: object[]
  ) => ({ post: { ...describeRequest(name, about, output, input, failure), parameters } });
  const { reset, step } = openEnvRequests;
  const tasks = Object.entries(taskCalls).map(([name, { about, input, output }]): [string, object] => [
    `/{environment}/${name}`,
    post(name, about, input, output, environmentParameter),
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Programming with Pixels: OpenEnv', version: protocolVersion },
    servers: [{ url: '/openenv' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/health': get('health', 'whether the server works', z.object({ status: z.literal('healthy') })),
      '/metadata': get('metadata', 'name and version', metadata),
      '/schema': get('schema', 'JSON Schemas of actions, observations and states', schemas),
      '/reset': post('reset', 'start an episode, in a session of its own by default', reset, resetReply),
      '/step': post('step', 'play an action', step, stepReply),
      '/state': get('state', 'the state of a session', openEnvState, sessionParameter),
      '/mcp': post('mcp', 'JSON-RPC: tools/list, tools/call, openenv/session/…', rpcRequest, rpcReply),
      '/list_environments': get('list_environments', 'the names of environments', names),
      '/{environment}/splits': get('splits', 'the splits of tasks', splits, environmentParameter),
      ...Object.fromEntries(tasks),
    },
  };
}
