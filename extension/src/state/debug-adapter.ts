import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { deadline, raceSignal } from '../../../bridge/lib/index.ts';
import { toolError } from '../../../bridge/protocol/index.ts';
import type { DebugEntry } from './debug-sessions.ts';

/**
 * The file of a source as an adapter names it: a path, or the URI of one, in the window of a remote machine as well.
 * A source that is not a file of this machine, such as Node.js's own modules, keeps the adapter's name.
 */
function readSourcePath(named: string): string {
  const remote = /^vscode-remote:\/+[^/]*(\/.*)$/.exec(named)?.[1];
  if (remote !== undefined) return decodeURIComponent(remote);
  if (!named.startsWith('file://')) return named;
  try {
    return fileURLToPath(named);
  } catch {
    return named;
  }
}

/** Maximum time for an adapter to answer, in milliseconds: on a busy machine, one has taken more than 10,000. */
const adapterAnswerMs = 30_000;

const frameSchema = z.object({
  id: z.int(),
  name: z.string().catch(''),
  line: z.int().catch(0),
  column: z.int().catch(0),
  source: z
    .object({ path: z.string().transform(readSourcePath).optional() })
    .optional()
    .catch(undefined),
});
export type RawFrame = z.output<typeof frameSchema>;

const variableSchema = z.object({
  name: z.string(),
  value: z.string().catch(''),
  type: z.string().optional().catch(undefined),
  variablesReference: z.int().catch(0),
});
export type RawVariable = z.output<typeof variableSchema>;

const answerSchemas = {
  threads: z.object({ threads: z.array(z.object({ id: z.int(), name: z.string().catch('') })).catch([]) }),
  stackTrace: z.object({
    stackFrames: z.array(frameSchema),
    totalFrames: z.int().optional().catch(undefined),
  }),
  scopes: z.object({
    scopes: z.array(
      z.object({ name: z.string(), variablesReference: z.int(), expensive: z.boolean().catch(false) }),
    ),
  }),
  variables: z.object({ variables: z.array(variableSchema) }),
  evaluate: z.object({
    result: z.string().catch(''),
    type: z.string().optional().catch(undefined),
    variablesReference: z.int().catch(0),
  }),
  exceptionInfo: z.object({
    exceptionId: z.string().catch(''),
    description: z.string().optional().catch(undefined),
    details: z.object({ stackTrace: z.string().optional() }).optional().catch(undefined),
  }),
  setExceptionBreakpoints: z.unknown(),
  pause: z.unknown(),
} as const;
type AnswerSchemas = typeof answerSchemas;

/** Asks a debug adapter. Errors: `debug-adapter-timeout`; `failed` with the adapter's own words. */
export async function askAdapter<C extends keyof AnswerSchemas>(
  { session }: DebugEntry,
  command: C,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<z.output<AnswerSchemas[C]>> {
  using limit = deadline(`${command} of ${session.name}`, adapterAnswerMs, signal);
  try {
    const asked = Promise.resolve(session.customRequest(command, given));
    const answer: unknown = await raceSignal(asked, limit.signal);
    return answerSchemas[command].parse(answer ?? {}) as z.output<AnswerSchemas[C]>;
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.signal.aborted) throw error;
    const why = `the debug adapter of ${session.name} did not answer ${command} within ${adapterAnswerMs} ms`;
    throw toolError('debug-adapter-timeout', why, { cause: error, help: 'debug_stop ends the session' });
  }
}

/** The exception that a session stopped for; adapters need not know it. */
export async function readException(entry: DebugEntry, signal: AbortSignal): Promise<string | null> {
  const { stop } = entry;
  if (stop?.reason !== 'exception' || stop.thread === undefined) return null;
  try {
    const info = await askAdapter(entry, 'exceptionInfo', { threadId: stop.thread }, signal);
    return (
      [info.exceptionId, info.description, info.details?.stackTrace].filter(Boolean).join('\n') || stop.text
    );
  } catch {
    signal.throwIfAborted();
    return stop.text;
  }
}
