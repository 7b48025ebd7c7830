import { dom } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../../host/node/index.ts';

/** Sends one command to the browser's page: for what a test must read or do itself. */
export async function devtools(
  sandbox: Sandbox,
  method: string,
  params: Record<string, unknown>,
): Promise<unknown> {
  const signal = AbortSignal.timeout(40_000);
  return (await sandbox.call(dom.command, { method, params }, { signal })).result;
}

/** Evaluates an expression in the page's own world and returns its value. */
export async function evaluate(sandbox: Sandbox, expression: string): Promise<unknown> {
  const params = { expression, returnByValue: true, awaitPromise: true };
  const { result, exceptionDetails } = (await devtools(sandbox, 'Runtime.evaluate', params)) as {
    result: { value?: unknown };
    exceptionDetails?: { text: string };
  };
  if (exceptionDetails) throw new Error(`${expression.slice(0, 80)}: ${exceptionDetails.text}`);
  return result.value;
}
