import * as z from 'zod';

/**
 * One method of the protocol as data: its name on the wire and the schemas of its parameters and its result.
 * Both peers validate with the same descriptor, so a handler may trust its types.
 */
export interface Method<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly params: P;
  readonly result: R;
}

/** One event: a notification that a server sends without a request. */
export interface Event<P extends z.ZodType = z.ZodType> {
  readonly event: string;
  readonly params: P;
}

/** A caller's parameters: fields with a default may be left out. */
export type ParamsIn<M extends { params: z.ZodType }> = z.input<M['params']>;
/** A handler's parameters, with defaults filled in. */
export type ParamsOut<M extends { params: z.ZodType }> = z.output<M['params']>;
/** The result that a handler returns and the caller receives. */
export type ResultOf<M extends Method> = z.output<M['result']>;

export function defineMethod<P extends z.ZodType, R extends z.ZodType>(
  name: string,
  params: P,
  result: R,
): Method<P, R> {
  return { name, params, result };
}

export function defineEvent<P extends z.ZodType>(name: string, params: P): Event<P> {
  return { event: name, params };
}

/** A byte stream of the connection, by the id that the side which opened it gave it. */
export const streamId = z.int().positive().describe('id of a byte stream that the sender of this has opened');

/** Bytes of a field in the request's stream; fields follow one another there in their order. */
export const byteCount = z.int().nonnegative().describe('bytes in the stream');
