import * as z from 'zod';

/** A path in a caller's arguments. */
export const pathIn = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes('\0'), 'a path must not contain a zero byte')
  .describe('path in the workspace: relative to its first folder, or absolute');

/** A path in a tool's result. */
export const pathOut = z
  .string()
  .max(8192)
  .describe("relative to the workspace's first folder, with `/`; absolute if it is in another folder");

/** 1 for the first line. */
export const lineNumber = z.int().positive().max(100_000_000);

/** Identifies a text: the same text has the same version, saved or not. */
export const version = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .describe('identifies the text: pass it as expected_version to be sure that the text is unchanged');

/** The file must not have changed since it was read. */
export const expectedVersion = version
  .optional()
  .describe('the version of the file when it was read: if it differs now, the call fails with stale-version');

/** 1 for the first character of a line. */
export const column = z
  .int()
  .positive()
  .max(10_000_000)
  .describe('1 for the first character of the line, in UTF-16 code units');
