import * as z from 'zod';

/** A byte stream of the connection, by the id that the side which opened it gave it. */
export const stream = z.int().positive().describe('id of a byte stream that the sender of this has opened');

/** How many bytes of the request's stream something has; things follow one another there in the order of their fields. */
export const byteCount = z.int().nonnegative().describe('bytes in the stream');
