import type { Sandbox } from '../../host/node/index.ts';

/**
 * Runs inside the sandbox: one command to the page by the debugging protocol. Text, since it runs elsewhere.
 * The method and its parameters are its arguments.
 */
const program = `
const [method, params] = process.argv.slice(1);
const pages = await (await fetch('http://127.0.0.1:9222/json')).json();
const socket = new WebSocket(pages.find(({ type }) => type === 'page').webSocketDebuggerUrl);
await new Promise((resolve) => { socket.onopen = resolve; });
socket.send(JSON.stringify({ id: 1, method, params: JSON.parse(params) }));
const answer = await new Promise((resolve) => {
  socket.onmessage = ({ data }) => { const message = JSON.parse(data); if (message.id === 1) resolve(message); };
});
console.log(JSON.stringify(answer));
process.exit(0);
`;

/** Sends one command to the browser's page, beside the bridge: for what a test must know or do on its own. */
export async function devtools(sandbox: Sandbox, method: string, params: object): Promise<unknown> {
  const argv = ['/opt/node/bin/node', '--input-type=module', '-e', program, method, JSON.stringify(params)];
  const command = { argv, cwd: '/', env: {}, timeoutMs: 30_000, maxOutputBytes: 1_000_000 };
  const { exitCode, stdout, stderr } = await sandbox.exec(command, { signal: AbortSignal.timeout(40_000) });
  if (exitCode !== 0) throw new Error(`${method}: ${stderr}`);
  const { result, error } = JSON.parse(stdout) as { result?: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Evaluates an expression in the page's own world and answers with its value. */
export async function evaluate(sandbox: Sandbox, expression: string): Promise<unknown> {
  const params = { expression, returnByValue: true, awaitPromise: true };
  const { result, exceptionDetails } = (await devtools(sandbox, 'Runtime.evaluate', params)) as {
    result: { value?: unknown };
    exceptionDetails?: { text: string };
  };
  if (exceptionDetails) throw new Error(`${expression.slice(0, 80)}: ${exceptionDetails.text}`);
  return result.value;
}
