import * as z from 'zod';
import { describeError, PwpError } from '../lib/index.ts';
import {
  defineEvent,
  describeTool,
  ErrorCode,
  explainArguments,
  limits,
  type Method,
  type ParamsOut,
  readToolArguments,
  type ResultOf,
  RpcError,
  type Tool,
  type ToolDefinition,
  toolError,
  type ToolImage,
  type ToolInput,
  type toolMethods,
} from '../protocol/index.ts';

/** Asks the other side to give up a request (as LSP's `$/cancelRequest`). */
export const cancelEvent = defineEvent('$/cancel', z.object({ id: z.union([z.int(), z.string().max(100)]) }));

type MethodAnswer<M extends Method> = z.input<M['result']> | Promise<z.input<M['result']>>;
/** Answers one method. `signal` fires when the caller gives up or goes away. */
export type Handler<M extends Method> = (params: ParamsOut<M>, signal: AbortSignal) => MethodAnswer<M>;

/** The methods that one side serves: descriptors and the functions that answer them. */
export class Handlers {
  readonly #table = new Map<string, (params: unknown, signal: AbortSignal) => Promise<unknown>>();

  /** Adds a method; a second handler for one name is a programming error. */
  add<M extends Method>(method: M, handler: Handler<M>): this {
    if (this.#table.has(method.name)) throw new Error(`two handlers for ${method.name}`);
    this.#table.set(method.name, async (params, signal) => {
      const checked = method.params.safeParse(params ?? {});
      if (!checked.success) {
        throw new RpcError(
          ErrorCode.InvalidParams,
          `${method.name}: bad parameters: ${z.prettifyError(checked.error)}`,
        );
      }
      const result = await handler(checked.data as ParamsOut<M>, signal);
      const answer = method.result.safeParse(result);
      if (answer.success) return answer.data;
      throw new RpcError(
        ErrorCode.InternalError,
        `${method.name}: bad result: ${z.prettifyError(answer.error)}`,
      );
    });
    return this;
  }

  /** Answers a request by name. Errors: `MethodNotFound`, `InvalidParams`, `InternalError`, and the handler's own. */
  async call(name: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const handler = this.#table.get(name);
    if (!handler) throw new RpcError(ErrorCode.MethodNotFound, `unknown method ${name}`);
    return handler(params, signal);
  }
}

/** The context that a handler receives beside its input. */
export interface ToolContext {
  /** Fires when the caller gives up or goes away. */
  readonly signal: AbortSignal;
  /** The caller's reason, if it gave one. */
  readonly explanation: string | undefined;
  /** Adds a picture to the answer. */
  readonly attach: (image: ToolImage) => void;
}

/** Runs one tool. Errors that it throws by `toolError` are reported as they are, others as `failed`. */
type ToolHandler<T extends Tool> = (
  input: ToolInput<T>,
  context: ToolContext,
) => z.input<T['output']> | Promise<z.input<T['output']>>;

/** Decides about one call with valid arguments, before it runs. Rejects, by `toolError`, if it is not allowed. */
export type ToolAdmission = (
  tool: Tool,
  given: ToolCallParams['arguments'],
  signal: AbortSignal,
) => Promise<void>;

type ToolCallParams = ParamsOut<typeof toolMethods.call>;
type ToolCallResult = ResultOf<typeof toolMethods.call>;

/** The tools that one side serves: descriptors and the functions that implement them. */
export class ToolHandlers {
  readonly #table = new Map<string, { tool: Tool; run: (input: unknown, context: ToolContext) => unknown }>();
  readonly #admit: (tool: Tool) => void;

  /** @param admit throws, by `toolError`, if a tool may not be called now */
  constructor(admit: (tool: Tool) => void = () => undefined) {
    this.#admit = admit;
  }

  /** Adds a tool; a second handler for one name is a programming error. */
  add<T extends Tool>(tool: T, handler: ToolHandler<T>): this {
    if (this.#table.has(tool.name)) throw new Error(`two handlers for the tool ${tool.name}`);
    this.#table.set(tool.name, {
      tool,
      run: (input, context) => handler(input as ToolInput<T>, context),
    });
    return this;
  }

  has(name: string): boolean {
    return this.#table.has(name);
  }

  get definitions(): ToolDefinition[] {
    return [...this.#table.values()].map(({ tool }) => describeTool(tool));
  }

  /**
   * Answers `tool.call`. Errors: `Tool`, `Cancelled`.
   * @param admission default: only the constructor's `admit` decides
   */
  async call(
    { name, arguments: sent, explanation }: ToolCallParams,
    signal: AbortSignal,
    admission?: ToolAdmission,
  ): Promise<ToolCallResult> {
    const entry = this.#table.get(name);
    if (!entry) throw toolError('unknown-tool', `there is no tool ${name}`);
    const { tool, run } = entry;
    this.#admit(tool);
    const read = readToolArguments(tool.input, sent);
    if (!read.success)
      throw toolError('bad-arguments', `${name}: ${explainArguments(tool.input, read.error)}`);
    const images: ToolImage[] = [];
    const attach = (image: ToolImage) => void images.push(image);
    try {
      await admission?.(tool, read.given, signal);
      const result = await run(read.data, { signal, explanation, attach });
      return { result: checkToolResult(tool, result), images: images.slice(0, limits.toolImages) };
    } catch (error) {
      throw toRpcError(name, error, signal);
    }
  }
}

function checkToolResult(tool: Tool, result: unknown): unknown {
  const checked = tool.output.safeParse(result);
  if (!checked.success)
    throw toolError('failed', `${tool.name}: bad result: ${z.prettifyError(checked.error)}`);
  const size = JSON.stringify(checked.data).length;
  if (size <= limits.toolResult) return checked.data;
  const why = `the result has ${size} characters, more than ${limits.toolResult}`;
  throw toolError('too-large', `${tool.name}: ${why}`, { help: 'Ask for less' });
}

function toRpcError(name: string, error: unknown, signal: AbortSignal): RpcError {
  if (signal.aborted) return new RpcError(ErrorCode.Cancelled, `${name} was cancelled`, { cause: error });
  if (error instanceof RpcError) return error;
  if (error instanceof PwpError) {
    const reason = error.code === 'timeout' ? 'timed-out' : 'failed';
    return toolError(reason, `${name}: ${error.message}`, {
      cause: error,
      ...(error.help !== undefined && { help: error.help }),
    });
  }
  return toolError('failed', `${name}: ${describeError(error)}`, { cause: error });
}
