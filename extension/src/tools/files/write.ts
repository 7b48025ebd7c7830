import { lstat } from 'node:fs/promises';
import type { fileTools, ToolInput, ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../bridge/rpc/index.ts';
import { applyReplacements, differenceOf, endOfLineOf, splitLines } from '../../lib/index.ts';
import { changeFile, makeFile } from '../edit/index.ts';
import { pathText, place, type Place } from '../place/index.ts';
import { openDocument } from '../text/index.ts';
import { lineReplacements } from './line-edits.ts';
import { textReplacements } from './replace-text.ts';

type Files = typeof fileTools;
type Written = ToolOutput<Files['writeFile']>;

export async function editFile(
  input: ToolInput<Files['editFile']>,
  { signal }: ToolContext,
): Promise<Written> {
  const where = await place(input.path);
  const options = optionsOf(input, signal);
  const isNew = input.create && options.expected === undefined && !(await isThere(where));
  if (isNew) return makeFile(where, applyReplacements('', lineReplacements('', input.edits)), options);
  return changeFile(where, options, (text) => lineReplacements(text, input.edits));
}

export async function searchReplace(
  input: ToolInput<Files['searchReplace']>,
  { signal }: ToolContext,
): Promise<Written> {
  const where = await place(input.path);
  const { old_string: old, new_string: instead, replace_all: all } = input;
  return changeFile(where, optionsOf(input, signal), (text) =>
    textReplacements(text, { old, instead, all, name: pathText(where.path) }),
  );
}

export async function writeFile(
  input: ToolInput<Files['writeFile']>,
  { signal }: ToolContext,
): Promise<Written> {
  const where = await place(input.path);
  const options = optionsOf(input, signal);
  if (options.expected === undefined && !(await isThere(where)))
    return makeFile(where, input.content, options);
  return changeFile(where, options, (text) => {
    const difference = differenceOf(text, asIn(text, input.content));
    return difference ? [difference] : [];
  });
}

export async function createFile(
  input: ToolInput<Files['createFile']>,
  { signal }: ToolContext,
): Promise<Written> {
  const where = await place(input.path);
  return makeFile(where, input.content, optionsOf(input, signal));
}

function optionsOf(
  { wait_ms: waitMs, expected_version: expected }: { wait_ms: number; expected_version?: string | undefined },
  signal: AbortSignal,
) {
  return { expected, waitMs, signal };
}

/** Whether the file exists on disk, or in an editor that was not saved since its file was removed. */
async function isThere(where: Place): Promise<boolean> {
  return (
    openDocument(where)?.isDirty === true || (await lstat(where.real).catch(() => undefined)) !== undefined
  );
}

/** A text with the file's line ends, if all of its own are `\n`. */
function asIn(before: string, content: string): string {
  return endOfLineOf(splitLines(before)) === '\r\n' ? content.replaceAll(/\r?\n/g, '\r\n') : content;
}
