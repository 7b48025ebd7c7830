import * as z from 'zod';

/** A byte stream of the connection, by the id that the side which opened it gave it. */
export const stream = z.int().positive().describe('id of a byte stream that the sender of this has opened');

/** Bytes of a field in the request's stream; fields follow one another there in their order. */
export const byteCount = z.int().nonnegative().describe('bytes in the stream');
