import { spawn } from 'node:child_process';
import type { AgentFiles } from './agent-files.ts';
import { failed, passed, show, type Check } from './check.ts';

/** Reads two programs and reports the first difference at the top level. Nothing of them is run. */
const program = `
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

const timeoutMs = 20_000;
const maxBytes = 1024 * 1024;

/** A Python file means the same as this text: comments and layout don't count, everything else does. */
export async function samePython(files: AgentFiles, path: string, expected: string): Promise<Check> {
  const read = await files.read(path, maxBytes);
  if (read.kind !== 'read') return failed(path, read.why);
  let found: string;
  try {
    found = new TextDecoder('utf-8', { fatal: true }).decode(read.bytes);
  } catch {
    return failed(path, 'is not text in UTF-8');
  }
  const answer = await compare(JSON.stringify([found, expected]));
  if (answer === 'same') return passed(path, 'means what is expected');
  return failed(path, answer === '' ? `can't be read as Python` : answer);
}

/** Python without its site, user or working folder's modules: none of the agent's. */
function compare(input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', ['-I', '-S', '-c', program], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    // One that ended before it has read all says so by what it printed.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', () => resolve(show(output.trim()).slice(1, -1)));
    child.stdin.end(input);
  });
}
