import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import type { Session, ToolAnswer, ToolCall } from '../../env/index.ts';
import type { Sandbox } from '../../node/index.ts';

/** The context of a call of a registry tool. */
export interface RegistryContext {
  /** Calls such a tool, and shows the call to the people who watch. */
  readonly callTool: (call: ToolCall) => Promise<ToolAnswer>;
}

/** The context of a call in a sandbox. */
export interface CallContext extends RegistryContext {
  readonly sandbox: Sandbox;
  /** The client's own steps and observations: marks are those that it was shown. */
  readonly session: Session;
  /** Fires when the client cancels or goes, or the server ends. */
  readonly signal: AbortSignal;
}

/** One tool as clients of the protocol see it. */
export interface ServedTool<C = CallContext> {
  readonly definition: McpTool;
  /** It uses mouse, keyboard and screen, which one call has at a time. */
  readonly exclusive: boolean;
  /** Rejects as the underlying call does. */
  call(given: Readonly<Record<string, unknown>>, context: C): Promise<CallToolResult>;
}
