import assert from 'node:assert/strict';
import { RpcError, type Tool, toolErrorReason, type ToolOutput } from '../../bridge/protocol/index.ts';
import type { ToolErrorReason } from '../../bridge/protocol/tools/tool-errors.ts';
import type { ToolArguments } from '../../bridge/protocol/tools/tool.ts';
import { callTool, type ToolAnswer } from '../../host/ide/index.ts';
import type { OpenNode } from './each-node.ts';
import { Ide } from './ide-sandbox.ts';

/** Longest time for a tool on a busy machine, in milliseconds. */
const toolMs = 180_000;

/** An IDE with its tools, called as an agent calls them. */
export class ToolIde implements AsyncDisposable {
  readonly ide: Ide;

  private constructor(ide: Ide) {
    this.ide = ide;
  }

  /** @param workspace text of each file, by its path in the workspace */
  static async start(open: OpenNode, workspace: Readonly<Record<string, string>>): Promise<ToolIde> {
    return new ToolIde(await Ide.start(open, workspace));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.ide[Symbol.asyncDispose]();
  }

  /** Only the result. */
  async call<T extends Tool>(tool: T, given: ToolArguments<T>, signal = AbortSignal.timeout(toolMs)) {
    return (await this.answer(tool, given, signal)).result as ToolOutput<T>;
  }

  /** The whole answer: result, text, pictures and effect. */
  answer<T extends Tool>(
    tool: T,
    given: ToolArguments<T>,
    signal = AbortSignal.timeout(toolMs),
  ): Promise<ToolAnswer> {
    const call = { name: tool.name, arguments: given as Record<string, unknown> };
    return callTool(this.ide.sandbox, call, { signal });
  }

  /** Expects the call to fail with this reason, and returns its message. */
  async refused<T extends Tool>(
    reason: ToolErrorReason,
    tool: T,
    given: ToolArguments<T>,
    signal = AbortSignal.timeout(toolMs),
  ): Promise<string> {
    let message = '';
    await assert.rejects(this.answer(tool, given, signal), (error) => {
      assert.ok(error instanceof RpcError, String(error));
      assert.equal(toolErrorReason(error), reason, error.message);
      message = error.message;
      return true;
    });
    return message;
  }

  /** Runs bash in the workspace, from outside the IDE. */
  async bash(script: string): Promise<string> {
    const { exitCode, stdout, stderr } = await this.ide.sandbox.exec(
      {
        argv: ['bash', '-ec', script],
        cwd: '/workspace',
        env: { PATH: '/usr/bin:/bin' },
        timeoutMs: 20_000,
        maxOutputBytes: 1_000_000,
      },
      { signal: AbortSignal.timeout(30_000) },
    );
    assert.equal(exitCode, 0, stderr);
    return stdout;
  }

  /** A file's bytes as latin1 text, read from outside the sandbox. */
  async onDisk(path: string): Promise<string | null> {
    const bytes = await this.ide.sandbox.readFile(`/workspace/${path}`, 1_000_000);
    return bytes === null ? null : Buffer.from(bytes).toString('latin1');
  }
}
