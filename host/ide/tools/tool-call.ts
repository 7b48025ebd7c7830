import * as z from 'zod';
import { type Cancellable, neverAborted, PwpError, readImageFacts } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  explainArguments,
  findTool,
  judgeToolResult,
  listArgumentsReadFromText,
  type ParamsIn,
  readToolArguments,
  renderToolResult,
  type ResultOf,
  RpcError,
  type Tool,
  type ToolEffect,
  toolErrorReason,
  type ToolImage,
  toolMethods,
  tools,
} from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';
import { requireTurn, requireViewRight } from '../agent-turn.ts';
import { toolSet } from './known-tool-sets.ts';
import { translateSetCall } from './tool-set.ts';

/** A tool call as an agent makes it. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Why, for people who watch. */
  readonly explanation?: string | undefined;
  /** The name and arguments are those of this set, e.g. `ide-bench`; default: those of the registry. */
  readonly set?: string | undefined;
}

/** The answer of a tool. It comes from inside the sandbox: it fits the tool's schema, but nothing else is certain. */
export interface ToolAnswer extends ToolEffect {
  /** As the tool's descriptor has it. */
  readonly result: unknown;
  /** The result as a model reads it. */
  readonly text: string;
  readonly images: readonly AnswerPicture[];
}

/** A call of a tool of the registry whose arguments fit. */
export interface CheckedCall extends Omit<ToolCall, 'set' | 'name'> {
  readonly tool: Tool;
  /** Names of the arguments that came as JSON text. */
  readonly fromText: readonly string[];
}

/** Errors: `bad-action` for an unknown tool or bad arguments. */
export function checkToolCall(asked: ToolCall): CheckedCall {
  const { name, arguments: sent, explanation } = translateToRegistry(asked);
  const tool = requireTool(name);
  const read = readToolArguments(tool.input, sent);
  if (!read.success)
    throw new PwpError(
      'bad-action',
      `tool ${name}: bad arguments: ${explainArguments(tool.input, read.error)}`,
    );
  return { tool, arguments: read.given, explanation, fromText: listArgumentsReadFromText(sent, read.given) };
}

/**
 * Calls a tool of the registry. Errors: `bad-action` for an unknown tool or bad arguments, before anything is sent;
 * `RpcError` for a tool that did not do it (`toolErrorReason`), or a bridge that did not answer; `control-held` while a
 * person has control, `look-first` after that, for a tool that changes something.
 */
export async function callTool(
  sandbox: Sandbox,
  asked: ToolCall,
  options: Cancellable = {},
): Promise<ToolAnswer> {
  return sendCheckedCall(sandbox, checkToolCall(asked), options);
}

/** Errors: `RpcError`, `control-held`, `look-first`, as {@link callTool}. */
export async function sendCheckedCall(
  sandbox: Sandbox,
  call: CheckedCall,
  options: Cancellable = {},
): Promise<ToolAnswer> {
  const { signal = neverAborted } = options;
  // Reading a file or the output of a terminal counts as a look.
  await (call.tool.readOnly ? requireViewRight(sandbox, signal) : requireTurn(sandbox, signal));
  const send: SendToolCall = (params) => sandbox.call(toolMethods.call, params, options);
  return callAndRead(call, send);
}

/** Sends `tool.call`, and rejects as the receiver does. */
type SendToolCall = (params: ParamsIn<typeof toolMethods.call>) => Promise<ResultOf<typeof toolMethods.call>>;

/** Calls a tool of the registry without a sandbox. Errors: `bad-action`, `RpcError`, as {@link callTool}. */
export function callToolOver(send: SendToolCall, asked: ToolCall): Promise<ToolAnswer> {
  return callAndRead(checkToolCall(asked), send);
}

async function callAndRead(
  { tool, arguments: given, explanation, fromText }: CheckedCall,
  send: SendToolCall,
): Promise<ToolAnswer> {
  const { name } = tool;
  const params = { name, arguments: { ...given }, ...(explanation !== undefined && { explanation }) };
  const answer = await send(params).catch((error: unknown) => {
    if (fromText.length > 0 && isToolError(error)) throw explainReading(error, fromText);
    throw error;
  });
  const result = tool.output.safeParse(answer.result);
  if (!result.success)
    throw new RpcError(ErrorCode.InternalError, `${name}: bad result: ${z.prettifyError(result.error)}`);
  const { data } = result;
  const images = answer.images.map(readAnswerPicture);
  return { result: data, text: renderToolResult(tool, data), images, ...judgeToolResult(tool, data) };
}

/** A failure says how its arguments were read where they were not sent as the schema wants them. */
function explainReading(error: RpcError, fromText: readonly string[]): RpcError {
  const message = `${error.message} (sent as JSON text and read as its value: ${fromText.join(', ')})`;
  return new RpcError(error.code, message, { data: error.data, cause: error });
}

function isToolError(error: unknown): error is RpcError {
  return toolErrorReason(error) !== undefined;
}

/** A failed tool, or an IDE that could not be asked, becomes the agent's outcome; a lost bridge does not. */
export function isToolRefusal(error: unknown): boolean {
  if (toolErrorReason(error) !== undefined) return true;
  return error instanceof RpcError && error.code !== ErrorCode.Closed && error.code !== ErrorCode.Cancelled;
}

/** Only the registry's tools know the sandbox. */
function translateToRegistry(call: ToolCall): ToolCall {
  if (call.set === undefined) return call;
  const { explanation, ...rest } = translateSetCall(toolSet(call.set), call.name, call.arguments);
  return { ...rest, explanation: call.explanation ?? explanation };
}

function requireTool(name: string): Tool {
  const tool = findTool(name);
  if (tool) return tool;
  const names = tools.map((one) => one.name).join(', ');
  throw new PwpError('bad-action', `unknown tool ${name}; there are: ${names}`);
}

/** A picture in an answer: of a tool, of a zoom, or of the screen in the middle of a batch. */
export interface AnswerPicture {
  readonly bytes: Uint8Array;
  readonly mime: ToolImage['mime'];
  /** In its own pixels; null if the file does not state it, as an SVG. */
  readonly width: number | null;
  readonly height: number | null;
  /** The elements that it shows. */
  readonly title: string;
}

/** A picture from inside the sandbox, with the size that its own bytes state. */
function readAnswerPicture({ mime, base64, title }: ToolImage): AnswerPicture {
  const bytes = Buffer.from(base64, 'base64');
  const facts = readImageFacts(bytes);
  return { bytes, mime, width: facts?.width ?? null, height: facts?.height ?? null, title };
}
