import * as z from 'zod';
import { ErrorCode, RpcError, event, type Method, type ParamsOut } from '../protocol/index.ts';

/** Asks the other side to give up a request (as LSP's `$/cancelRequest`). */
export const cancel = event('$/cancel', z.object({ id: z.union([z.int(), z.string().max(100)]) }));

type Answer<M extends Method> = z.input<M['result']> | Promise<z.input<M['result']>>;
/** Answers one method. `signal` fires when the caller gives up or goes away. */
export type Handler<M extends Method> = (params: ParamsOut<M>, signal: AbortSignal) => Answer<M>;

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
