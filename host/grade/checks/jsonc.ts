import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { AgentFiles } from './agent-files.ts';

/** A JSON object with comments, as VS Code keeps its settings; or why it can't be read. */
export type Jsonc =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'missing'; readonly why: string }
  | { readonly kind: 'malformed'; readonly why: string };

const maxBytes = 256 * 1024;
/** Deeper than any person nests, and far less deep than a stack can hold. */
const maxDepth = 100;

/** Any value of JSON with comments; `undefined` for an empty file. */
export type JsonValue =
  { readonly kind: 'value'; readonly value: unknown } | Exclude<Jsonc, { readonly kind: 'object' }>;

/** Reads an object of JSON with comments and trailing commas. An empty file is an empty object, as it is for VS Code. */
export async function readJsonc(files: AgentFiles, path: string): Promise<Jsonc> {
  const read = await readJsonValue(files, path);
  if (read.kind !== 'value') return read;
  if (read.value === undefined) return { kind: 'object', value: {} };
  return isObject(read.value)
    ? { kind: 'object', value: read.value }
    : malformed(path, 'does not hold a JSON object');
}

/** Reads any value of JSON with comments and trailing commas. */
export async function readJsonValue(files: AgentFiles, path: string): Promise<JsonValue> {
  const read = await files.read(path, maxBytes);
  if (read.kind === 'missing') return read;
  if (read.kind === 'unreadable') return { kind: 'malformed', why: read.why };
  const text = decode(read.bytes);
  return text === undefined ? malformed(path, 'is not text in UTF-8') : parseJsonc(path, text);
}

/** The text of UTF-8 bytes without a byte order mark; undefined for anything else, UTF-16 included. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function parseJsonc(path: string, text: string): JsonValue {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    // Brackets nested so deep that the parser's own recursion ends.
    return malformed(path, 'is nested too deeply');
  }
  const [first] = errors;
  if (first)
    return malformed(
      path,
      `is not valid JSON: ${printParseErrorCode(first.error)} in ${place(text, first.offset)}`,
    );
  return isDeeper(value, maxDepth) ? malformed(path, 'is nested too deeply') : { kind: 'value', value };
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function malformed(path: string, problem: string): Exclude<Jsonc, { readonly kind: 'object' }> {
  return { kind: 'malformed', why: `${path} ${problem}` };
}

/** An object of JSON: no array, no null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
