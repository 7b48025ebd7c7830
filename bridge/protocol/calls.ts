import * as z from 'zod';
import { byteCount, defineEvent, defineMethod, streamId } from './descriptor.ts';

/**
 * What a call carries beside JSON:
 * - `plain`: nothing
 * - `sends`: bytes among its arguments; the last of them may be read while it is used
 * - `answers`: bytes in its result, and long texts
 * - `reads`: bytes that a function of the caller reads as they come: the last argument before the options
 * - `reports`: values that a function of the caller gets until the caller disposes the result
 */
type CallKind = 'plain' | 'sends' | 'answers' | 'reads' | 'reports';

/**
 * A method of an object at the other end of a connection, as data: `name(...args, { ...options, signal })`. The name is
 * its key in a {@link CallGroup}. Both sides validate by the same descriptor.
 */
export interface Call<
  Kind extends CallKind = CallKind,
  Args extends readonly unknown[] = readonly unknown[],
  Options = unknown,
  Result = unknown,
  Methods extends CallGroup | null = CallGroup | null,
> {
  readonly kind: Kind;
  /** How many arguments there are before the options. */
  readonly arity: number;
  readonly args: z.ZodType<Args>;
  /** Callers may have more: what is not named here stays with them, as with a method of this process. */
  readonly options: z.ZodType<Options>;
  /** Of `reports`, each value. */
  readonly result: z.ZodType<Result>;
  /** If it returns an object that stays at the other end: its methods. `result` has the properties that don't change. */
  readonly methods: Methods;
}

/** The methods of an object, and of the objects that are its properties. */
export interface CallGroup {
  readonly [name: string]: Call | CallGroup;
}

interface CallParts<S, O, R, M> {
  readonly args?: S;
  readonly options?: O;
  readonly result?: R;
  readonly methods?: M;
}

type Values<S extends readonly z.ZodType[]> = { readonly [I in keyof S]: z.output<S[I]> };

const empty: z.ZodType<object> = z.object({});

/** Nothing is null in JSON. */
const nothing = z.codec(z.null(), z.custom<void>(), { decode: () => undefined, encode: () => null });

function defineCalls<Kind extends CallKind>(kind: Kind) {
  return <
    const S extends readonly z.ZodType[] = [],
    O extends z.ZodType = typeof empty,
    R extends z.ZodType = typeof nothing,
    M extends CallGroup | null = null,
  >({ args, options, result, methods }: CallParts<S, O, R, M> = {}) =>
    ({
      kind,
      arity: args?.length ?? 0,
      args: z.tuple((args ?? []) as []),
      options: options ?? empty,
      result: result ?? nothing,
      methods: methods ?? null,
    }) as unknown as Call<Kind, Values<S>, z.output<O>, z.output<R>, M>;
}

export const plainCall = defineCalls('plain');
export const sendingCall = defineCalls('sends');
export const answeringCall = defineCalls('answers');
export const readingCall = defineCalls('reads');
export const reportingCall = defineCalls('reports');

/** What is begun by a call and ends when the caller disposes it. */
export const begun = { result: empty, methods: {} } as const;

/** Bytes of an argument or a result. */
export const wholeBytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'not bytes');
/** Bytes of an argument that are read while they are used. */
export const chunksOfBytes = z.custom<AsyncIterable<Uint8Array>>(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  'not chunks of bytes',
);

/** What was taken out of JSON and is in the stream instead, in this order. Null stands in its place. */
const bytePart = z.object({
  at: z
    .array(z.union([z.string().max(100), z.int().nonnegative()]))
    .max(20)
    .readonly()
    .describe('keys that lead there'),
  bytes: byteCount.nullable().describe('null for the last one: all that follows, up to the end'),
  text: z.boolean().optional().describe('it is a text, in UTF-8'),
});
export type BytePart = z.output<typeof bytePart>;
const byteParts = z.array(bytePart).max(2000).optional();

/** The object that a connection begins with. */
export const rootObject = 0;
const objectNumber = z.int().nonnegative();

/**
 * Calls of the objects at the other end of a connection. The caller numbers the objects that calls return, so it can
 * release one whose answer it no longer waits for.
 */
export const remoteObjects = {
  call: defineMethod(
    'object.call',
    z.object({
      of: objectNumber,
      method: z.string().max(100).describe('its key; `a.b` for the method `b` of the property `a`'),
      args: z.array(z.unknown()).max(20),
      options: z.unknown(),
      as: objectNumber.optional().describe('the number of what the call returns'),
      stream: streamId.optional().describe('carries the bytes of the arguments or of the result'),
      parts: byteParts,
    }),
    z.object({ result: z.unknown(), parts: byteParts }),
  ),
  /** Disposes an object; what is not there is ignored. All that is left ends with the connection. */
  release: defineMethod('object.release', z.object({ of: objectNumber }), z.object({})),
  /** A value for a function of the caller. */
  report: defineEvent('object.report', z.object({ of: objectNumber, value: z.unknown() })),
};
