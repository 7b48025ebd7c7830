import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import type { Action } from '../../../env/index.ts';

const pixel = z.int().nonnegative().max(32_767);

/** Two numbers as an array, not as a tuple: several model interfaces refuse a tuple's schema. */
export const coordinate = z.array(pixel).length(2).describe('[x, y] in screen pixels');

export const mark = z
  .int()
  .positive()
  .describe(
    'number of a mark of the newest observation: from computer_marks, or from a screenshot with marks',
  );

/** The first target of the pointer: a mark, a position, or, without either, none. */
export const place = { mark: mark.optional(), coordinate: coordinate.optional() };

export const heldKeys = z
  .string()
  .max(100)
  .optional()
  .describe('keys to hold down meanwhile, e.g. ctrl or ctrl+shift');

export const seconds = z.number().nonnegative().max(60);

interface Place {
  readonly mark?: number | undefined;
  readonly coordinate?: readonly number[] | undefined;
}

/** A vendor's computer action at a position. For a mark, the pointer first moves to its current place. */
export function at(
  { mark: id, coordinate: xy }: Place,
  call: Readonly<Record<string, unknown>>,
): readonly Action[] {
  if (id !== undefined && xy !== undefined)
    throw new PwpError('bad-action', 'give either a mark or a coordinate, not both');
  if (id === undefined) return [computer({ ...call, ...(xy && { coordinate: xy }) })];
  return [{ kind: 'mark', verb: 'hover', mark: id }, computer(call)];
}

/** A vendor's computer action. */
export function computer(call: Readonly<Record<string, unknown>>): Action {
  return { kind: 'computer', call };
}
