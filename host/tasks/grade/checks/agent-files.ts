import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { defaultWorkspace } from '../../../../bridge/protocol/index.ts';
import { isJsonObject } from '../../../../bridge/text/index.ts';

/** A file's bytes, or why they can't be read. */
export type FileRead =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'missing'; readonly why: string }
  | { readonly kind: 'unreadable'; readonly why: string };

export type FileKind = 'file' | 'folder' | 'other' | 'missing';

/** The workspace of the agent's sandbox. The environment of tests has it unless it is the default one. */
export const agentWorkspace = process.env['PWP_WORKSPACE'] ?? defaultWorkspace;

/** The home of the agent's user. The environment of tests has it unless it is root's. */
const agentHome = process.env['PWP_AGENT_HOME'] ?? '/root';

/** The folders that were copied from the agent's sandbox: all that a check may read. */
const copiedFolders = [agentWorkspace, '/ide', agentHome] as const;

/**
 * The files that the agent left. All of them are made by the agent: a link may point at the tests, a file may be a pipe
 * that never ends or larger than memory. Reading them never throws and never leaves the copied folders.
 */
export class AgentFiles {
  readonly #root: string;

  /** @param root what replaces `/`: another folder in tests */
  constructor(root = '/') {
    this.#root = root;
  }

  /** The bytes of an ordinary file of at most `mostJsoncBytes`. */
  async read(path: string, maxBytes = 4 * 1024 * 1024): Promise<FileRead> {
    try {
      const real = await this.#resolve(path);
      if (real === undefined) return describeUnreadable(path, 'leads out of the folders that are graded');
      // A pipe would block without O_NONBLOCK.
      await using file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
      return await readBoundedFile(file, path, maxBytes);
    } catch (error) {
      return describeReadError(path, error);
    }
  }

  /** The kind of thing at a path; a link that leaves the copied folders is `other`. */
  async find(path: string): Promise<FileKind> {
    try {
      const real = await this.#resolve(path);
      if (real === undefined) return 'other';
      const info = await stat(real);
      return info.isFile() ? 'file' : info.isDirectory() ? 'folder' : 'other';
    } catch (error) {
      return isMissing(error) ? 'missing' : 'other';
    }
  }

  /** The path without links, or undefined if it is outside the copied folders. */
  async #resolve(path: string): Promise<string | undefined> {
    const [root, real] = await Promise.all([realpath(this.#root), realpath(join(this.#root, path))]);
    return copiedFolders.some((folder) => real.startsWith(`${join(root, folder)}/`)) ? real : undefined;
  }
}

async function readBoundedFile(file: FileHandle, path: string, maxBytes: number): Promise<FileRead> {
  const info = await file.stat();
  if (info.isDirectory()) return describeUnreadable(path, 'is a folder');
  if (!info.isFile()) return describeUnreadable(path, 'is not an ordinary file');
  if (info.size > maxBytes)
    return describeUnreadable(path, `has ${info.size} bytes, more than the ${maxBytes} that are read`);
  return { kind: 'read', bytes: await file.readFile() };
}

function describeReadError(path: string, error: unknown): FileRead {
  if (isMissing(error)) return { kind: 'missing', why: `${path} does not exist` };
  return describeUnreadable(
    path,
    `can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
  );
}

function describeUnreadable(path: string, problem: string): FileRead {
  return { kind: 'unreadable', why: `${path} ${problem}` };
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** A JSON object with comments, as VS Code keeps its settings; or why it can't be read. */
export type Jsonc =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'missing'; readonly why: string }
  | { readonly kind: 'malformed'; readonly why: string };

const mostJsoncBytes = 256 * 1024;
/** Deeper than any person nests, and far less deep than a stack can hold. */
const mostJsoncDepth = 100;

/** Any value of JSON with comments; `undefined` for an empty file. */
export type JsonValue =
  { readonly kind: 'value'; readonly value: unknown } | Exclude<Jsonc, { readonly kind: 'object' }>;

/** Reads an object of JSON with comments and trailing commas. An empty file is an empty object, as it is for VS Code. */
export async function readJsonc(files: AgentFiles, path: string): Promise<Jsonc> {
  const read = await readJsonValue(files, path);
  if (read.kind !== 'value') return read;
  if (read.value === undefined) return { kind: 'object', value: {} };
  return isJsonObject(read.value)
    ? { kind: 'object', value: read.value }
    : describeMalformed(path, 'does not hold a JSON object');
}

/** Reads any value of JSON with comments and trailing commas. */
export async function readJsonValue(files: AgentFiles, path: string): Promise<JsonValue> {
  const read = await files.read(path, mostJsoncBytes);
  if (read.kind === 'missing') return read;
  if (read.kind === 'unreadable') return { kind: 'malformed', why: read.why };
  const text = decodeUtf8(read.bytes);
  return text === undefined ? describeMalformed(path, 'is not text in UTF-8') : parseJsonc(path, text);
}

/** The text of UTF-8 bytes without a byte order mark; undefined for anything else, UTF-16 included. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
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
    return describeMalformed(path, 'is nested too deeply');
  }
  const [first] = errors;
  if (first)
    return describeMalformed(
      path,
      `is not valid JSON: ${printParseErrorCode(first.error)} in ${describePlace(text, first.offset)}`,
    );
  return isDeeperThan(value, mostJsoncDepth)
    ? describeMalformed(path, 'is nested too deeply')
    : { kind: 'value', value };
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeperThan(part, depth - 1));
}

function describePlace(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function describeMalformed(path: string, problem: string): Exclude<Jsonc, { readonly kind: 'object' }> {
  return { kind: 'malformed', why: `${path} ${problem}` };
}
