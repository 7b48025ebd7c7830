import * as z from 'zod';
import { PwpError, messageOf } from '../lib/index.ts';
import {
  ErrorCode,
  RpcError,
  definitionOf,
  explainArguments,
  readArguments,
  limits,
  toolError,
  type ParamsOut,
  type ResultOf,
  type Tool,
  type ToolDefinition,
  type ToolImage,
  type ToolInput,
  type toolMethods,
} from '../protocol/index.ts';

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
export type ToolHandler<T extends Tool> = (
  input: ToolInput<T>,
  context: ToolContext,
) => z.input<T['output']> | Promise<z.input<T['output']>>;

/** Decides about one call with valid arguments, before it runs. Rejects, by `toolError`, if it is not allowed. */
export type Admission = (tool: Tool, given: Call['arguments'], signal: AbortSignal) => Promise<void>;

type Call = ParamsOut<typeof toolMethods.call>;
type Answer = ResultOf<typeof toolMethods.call>;

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
    return [...this.#table.values()].map(({ tool }) => definitionOf(tool));
  }

  /**
   * Answers `tool.call`. Errors: `Tool`, `Cancelled`.
   * @param admission default: only the constructor's `admit` decides
   */
  async call(
    { name, arguments: sent, explanation }: Call,
    signal: AbortSignal,
    admission?: Admission,
  ): Promise<Answer> {
    const entry = this.#table.get(name);
    if (!entry) throw toolError('unknown-tool', `there is no tool ${name}`);
    const { tool, run } = entry;
    this.#admit(tool);
    const read = readArguments(tool.input, sent);
    if (!read.success)
      throw toolError('bad-arguments', `${name}: ${explainArguments(tool.input, read.error)}`);
    const images: ToolImage[] = [];
    const attach = (image: ToolImage) => void images.push(image);
    try {
      await admission?.(tool, read.given, signal);
      const result = await run(read.data, { signal, explanation, attach });
      return { result: checkedResult(tool, result), images: images.slice(0, limits.toolImages) };
    } catch (error) {
      throw translated(name, error, signal);
    }
  }
}

function checkedResult(tool: Tool, result: unknown): unknown {
  const checked = tool.output.safeParse(result);
  if (!checked.success)
    throw toolError('failed', `${tool.name}: bad result: ${z.prettifyError(checked.error)}`);
  const size = JSON.stringify(checked.data).length;
  if (size <= limits.toolResult) return checked.data;
  const why = `the result has ${size} characters, more than ${limits.toolResult}`;
  throw toolError('too-large', `${tool.name}: ${why}`, { help: 'Ask for less' });
}

function translated(name: string, error: unknown, signal: AbortSignal): RpcError {
  if (signal.aborted) return new RpcError(ErrorCode.Cancelled, `${name} was cancelled`, { cause: error });
  if (error instanceof RpcError) return error;
  if (error instanceof PwpError) {
    const reason = error.code === 'timeout' ? 'timed-out' : 'failed';
    return toolError(reason, `${name}: ${error.message}`, {
      cause: error,
      ...(error.help !== undefined && { help: error.help }),
    });
  }
  return toolError('failed', `${name}: ${messageOf(error)}`, { cause: error });
}
