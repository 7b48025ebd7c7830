import type { AgentFiles } from './agent-files.ts';
import { failed, passed, show, type Check } from './check.ts';

/** Bytes; an answer is a line, not a book. */
const longest = 4096;

/** A text file with an answer: its words, or why they can't be read. */
async function answerOf(files: AgentFiles, path: string): Promise<{ text: string } | { why: string }> {
  const read = await files.read(path, longest);
  if (read.kind !== 'read') return { why: read.why };
  const text = read.bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  return text === '' ? { why: `${path} is empty` } : { text };
}

/** An answer file holds this function's name and nothing else. */
export async function answerNames(files: AgentFiles, path: string, name: string): Promise<Check> {
  const answer = await answerOf(files, path);
  if ('why' in answer) return failed(path, answer.why);
  if (functionName(answer.text) === functionName(name)) return passed(path, `names ${name}`);
  return failed(path, `expected ${show(name)}, found ${show(answer.text)}`);
}

/** An answer file holds one number, with or without a percent sign, that is not farther off than the share of it. */
export async function answerNumber(
  files: AgentFiles,
  path: string,
  expected: number,
  share = 0.02,
): Promise<Check> {
  const answer = await answerOf(files, path);
  if ('why' in answer) return failed(path, answer.why);
  const match = /^(-?\d+(?:\.\d+)?)\s*%?$/.exec(answer.text);
  if (!match) return failed(path, `expected one number, found ${show(answer.text)}`);
  const off = Math.abs(Number(match[1]) - expected);
  if (off <= Math.abs(expected) * share) return passed(path, `has ${match[1]}, near enough to ${expected}`);
  return failed(path, `expected ${expected} within ${share * 100} %, found ${match[1]}`);
}

/** An answer file holds a function's name and a whole number, in this order. */
export async function answerNamesAndCounts(
  files: AgentFiles,
  path: string,
  name: string,
  count: number,
): Promise<Check> {
  const answer = await answerOf(files, path);
  if ('why' in answer) return failed(path, answer.why);
  const match = /^(\S.*?)[\s,:]+(\d+)$/s.exec(answer.text);
  if (!match) return failed(path, `expected a name and a whole number, found ${show(answer.text)}`);
  if (functionName(match[1] ?? '') === functionName(name) && Number(match[2]) === count)
    return passed(path, `has ${name} and ${count}`);
  return failed(path, `expected ${show(`${name} ${count}`)}, found ${show(answer.text)}`);
}

/** A qualified name as written in any of the usual ways: `Cache::get()`, `` `Cache#get` ``, `Cache.get (cache.py:12)`. */
export function functionName(text: string): string {
  return text
    .trim()
    .replace(/^[`'"]+|[`'".]+$/g, '')
    .replace(/\s+\(\S+:\d+\)$/, '')
    .replace(/\(\)$/, '')
    .replaceAll(/::|#/g, '.')
    .trim();
}
