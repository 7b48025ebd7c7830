import { poll } from '../../bridge/lib/index.ts';
import type { Method, ParamsIn, ResultOf, Tool, ToolOutput } from '../../bridge/protocol/index.ts';
import type { ToolArguments } from '../../bridge/protocol/tools/tool.ts';
import { callTool, type ToolAnswer } from '../../host/ide/index.ts';
import type { Sandbox } from '../../host/node/index.ts';

/** Maximum time of a script, and for a result to appear beside other load, in milliseconds. */
const scriptMs = 60_000;
const waitMs = 30_000;

/** An IDE on a small workspace: its tools as agents call them, and other ways to see what they should answer. */
export class Desk {
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  /** Milliseconds of all calls of tools since it was last read. */
  #spentMs = 0;

  constructor(sandbox: Sandbox, signal: AbortSignal) {
    this.sandbox = sandbox;
    this.signal = signal;
  }

  /** A tool's result. */
  async call<T extends Tool>(tool: T, given: ToolArguments<T>): Promise<ToolOutput<T>> {
    const { result } = await this.answer(tool, given as Readonly<Record<string, unknown>>);
    return result as ToolOutput<T>;
  }

  /** A tool's whole answer: result, text, pictures and effect. */
  async answer(tool: Tool, given: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    const begin = performance.now();
    try {
      return await callTool(this.sandbox, { name: tool.name, arguments: given }, { signal: this.signal });
    } finally {
      this.#spentMs += performance.now() - begin;
    }
  }

  /** The time of the calls since the last reading, in milliseconds. */
  takeSpentMs(): number {
    const spent = this.#spentMs;
    this.#spentMs = 0;
    return spent;
  }

  /** VS Code's own state, without using the tools. */
  ask<M extends Method>(method: M, params: ParamsIn<M>): Promise<ResultOf<M>> {
    return this.sandbox.call(method, params, { signal: this.signal });
  }

  /** The output of a bash script in the workspace, outside of the IDE. Rejects if it fails. */
  async sh(script: string): Promise<string> {
    const { exitCode, stdout, stderr } = await this.sandbox.exec(
      {
        argv: ['bash', '-c', script],
        cwd: '/workspace',
        env: {
          PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin',
          HOME: '/root',
          PYTHONDONTWRITEBYTECODE: '1',
        },
        timeoutMs: scriptMs,
        maxOutputBytes: 4_000_000,
      },
      { signal: this.signal },
    );
    if (exitCode === 0) return stdout;
    throw new Error(`the script ended with ${exitCode}: ${script}\n${stdout}${stderr}`.slice(0, 2000));
  }

  /** The lines that bash prints. */
  async lines(script: string): Promise<string[]> {
    return (await this.sh(script)).split('\n').filter((line) => line !== '');
  }

  /** The JSON output of a Python program. */
  async python(program: string): Promise<unknown> {
    return JSON.parse(await this.sh(`python3 - <<'PROGRAM'\nimport json\n${program}\nPROGRAM`)) as unknown;
  }

  /** Waits for something that VS Code does a moment later. */
  until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const probe = async () =>
      (await holds())
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, saw: 'not yet' } as const);
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(waitMs)]);
    return poll(what, probe, { intervalMs: 100, signal });
  }
}
