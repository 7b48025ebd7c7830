import type { Sandbox } from '../../host/node/index.ts';

/** What the browser's own reading of a page costs. */
export interface TreeCost {
  /** Milliseconds of each reading, until it is parsed. */
  readonly times: readonly number[];
  readonly bytes: number;
}

/** Runs inside the sandbox, where the bridge is: reads the page so many times and prints how long it took. */
const program = `
const [rounds, method, params] = process.argv.slice(1);
const pages = await (await fetch('http://127.0.0.1:9222/json')).json();
const socket = new WebSocket(pages.find(({ type }) => type === 'page').webSocketDebuggerUrl);
await new Promise((resolve) => { socket.onopen = resolve; });
let [bytes, times] = [0, []];
const ask = (id, method, params) => new Promise((resolve) => {
  socket.onmessage = ({ data }) => { bytes = data.length; resolve(JSON.parse(data)); };
  socket.send(JSON.stringify({ id, method, params }));
});
for (let i = 0; i <= Number(rounds); i++) {
  const start = performance.now();
  await ask(i + 1, method, JSON.parse(params));
  if (i > 0) times.push(performance.now() - start);
}
console.log(JSON.stringify({ times, bytes }));
process.exit(0);
`;

/** Reads a page as the debugging protocol offers it: a whole tree, with no test of what covers what. */
export async function treeCost(
  sandbox: Sandbox,
  rounds: number,
  [method, params]: readonly [method: string, params: object],
  signal: AbortSignal,
): Promise<TreeCost> {
  const words = ['--input-type=module', '-e', program, String(rounds), method, JSON.stringify(params)];
  const command = { argv: ['/opt/node/bin/node', ...words], cwd: '/', env: {} };
  const result = await sandbox.exec({ ...command, timeoutMs: 120_000, maxOutputBytes: 100_000 }, { signal });
  if (result.exitCode !== 0) throw new Error(`${method}: ${result.stderr}`);
  return JSON.parse(result.stdout) as TreeCost;
}
