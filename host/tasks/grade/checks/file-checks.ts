import { spawn } from 'node:child_process';
import type { AgentFiles, FileKind } from './agent-files.ts';
import { type Check, failed, passed, showValue } from './check-result.ts';

/** A file holds exactly these bytes; says where the first difference is. */
export async function bytesEqual(files: AgentFiles, path: string, expected: Uint8Array): Promise<Check> {
  const read = await files.read(path, Math.max(2 * expected.byteLength, 1024 * 1024));
  if (read.kind !== 'read') return failed(path, read.why);
  if (Buffer.compare(read.bytes, expected) === 0)
    return passed(path, `has the ${expected.byteLength} bytes expected`);
  return failed(path, describeDifference(read.bytes, Buffer.from(expected)));
}

/** Something of this kind is still at a path: what was to be hidden was not deleted. */
export async function stillThere(files: AgentFiles, path: string, kind: FileKind): Promise<Check> {
  const found = await files.find(path);
  return found === kind ? passed(path, `is a ${kind}`) : failed(path, `expected a ${kind}, found ${found}`);
}

/** Every occurrence of two words replaced by the other at once. */
export function swapWords(text: string, first: string, second: string): string {
  return text
    .split(first)
    .map((part) => part.replaceAll(second, first))
    .join(second);
}

function describeDifference(found: Buffer, expected: Buffer): string {
  if (found.includes('\r\n') && !expected.includes('\r\n')) return 'has lines that end in CR LF';
  // Latin 1 keeps every byte apart; what is shown is read as UTF-8.
  const [foundLines, expectedLines] = [found, expected].map((bytes) => bytes.toString('latin1').split('\n'));
  const lines = Math.max(foundLines?.length ?? 0, expectedLines?.length ?? 0);
  const at = Array.from({ length: lines }).findIndex(
    (_, index) => foundLines?.[index] !== expectedLines?.[index],
  );
  return `line ${at + 1}: expected ${showFileLine(expectedLines?.[at])}, found ${showFileLine(foundLines?.[at])}`;
}

function showFileLine(line: string | undefined): string {
  return line === undefined ? 'the end of the file' : showValue(Buffer.from(line, 'latin1').toString('utf8'));
}

/** Bytes; an answer is a line, not a book. */
const mostAnswerBytes = 4096;

/** A text file with an answer: its words, or why they can't be read. */
async function readAnswer(files: AgentFiles, path: string): Promise<{ text: string } | { why: string }> {
  const read = await files.read(path, mostAnswerBytes);
  if (read.kind !== 'read') return { why: read.why };
  const text = read.bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  return text === '' ? { why: `${path} is empty` } : { text };
}

/** An answer file holds this function's name and nothing else. */
export async function answerNames(files: AgentFiles, path: string, name: string): Promise<Check> {
  const answer = await readAnswer(files, path);
  if ('why' in answer) return failed(path, answer.why);
  if (functionName(answer.text) === functionName(name)) return passed(path, `names ${name}`);
  return failed(path, `expected ${showValue(name)}, found ${showValue(answer.text)}`);
}

/** An answer file holds one number, with or without a percent sign, that is not farther off than the share of it. */
export async function answerNumber(
  files: AgentFiles,
  path: string,
  expected: number,
  share = 0.02,
): Promise<Check> {
  const answer = await readAnswer(files, path);
  if ('why' in answer) return failed(path, answer.why);
  const match = /^(-?\d+(?:\.\d+)?)\s*%?$/.exec(answer.text);
  if (!match) return failed(path, `expected one number, found ${showValue(answer.text)}`);
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
  const answer = await readAnswer(files, path);
  if ('why' in answer) return failed(path, answer.why);
  const match = /^(\S.*?)[\s,:]+(\d+)$/s.exec(answer.text);
  if (!match) return failed(path, `expected a name and a whole number, found ${showValue(answer.text)}`);
  if (functionName(match[1] ?? '') === functionName(name) && Number(match[2]) === count)
    return passed(path, `has ${name} and ${count}`);
  return failed(path, `expected ${showValue(`${name} ${count}`)}, found ${showValue(answer.text)}`);
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

/** Reads two programs and reports the first difference at the top level. Nothing of them is run. */
const comparisonProgram = `
import ast, json, sys
found, expected = json.load(sys.stdin)
try:
    trees = [ast.parse(text).body for text in (found, expected)]
    dumps = [[ast.dump(node) for node in tree] for tree in trees]
    def name(tree, index):
        if index >= len(tree): return "the end of the file"
        node = tree[index]
        return getattr(node, "name", None) or f"the code in line {node.lineno}"
    if dumps[0] == dumps[1]:
        print("same")
    else:
        length = max(map(len, dumps))
        at = next(i for i in range(length) if [d[i:i + 1] for d in dumps][0] != [d[i:i + 1] for d in dumps][1])
        print(f"{name(trees[0], at)} differs from what is expected: {name(trees[1], at)}")
except SyntaxError as error:
    print(f"is not Python: {error.msg} in line {error.lineno}")
except (ValueError, RecursionError, MemoryError) as error:
    print(f"can't be read as Python: {type(error).__name__}")
`;

const comparisonTimeoutMs = 20_000;
const mostProgramBytes = 1024 * 1024;

/** A Python file means the same as this text: comments and layout don't count, everything else does. */
export async function samePython(files: AgentFiles, path: string, expected: string): Promise<Check> {
  const read = await files.read(path, mostProgramBytes);
  if (read.kind !== 'read') return failed(path, read.why);
  let found: string;
  try {
    found = new TextDecoder('utf-8', { fatal: true }).decode(read.bytes);
  } catch {
    return failed(path, 'is not text in UTF-8');
  }
  const answer = await comparePrograms(JSON.stringify([found, expected]));
  if (answer === 'same') return passed(path, 'means what is expected');
  return failed(path, answer === '' ? `can't be read as Python` : answer);
}

/** Python without its site, user or working folder's modules: none of the agent's. */
function comparePrograms(input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', ['-I', '-S', '-c', comparisonProgram], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: comparisonTimeoutMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    // One that ended before it has read all says so by what it printed.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', () => resolve(showValue(output.trim()).slice(1, -1)));
    child.stdin.end(input);
  });
}
