import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { reasonOf, wordsOf } from '../errors.ts';
import type { Sdk } from '../sdk.ts';
import type { SharedIde } from '../shared-ide.ts';
import { fileTemplate, fixedResources, keyOf, openFiles } from './list.ts';
import { readResource } from './read.ts';
import { watchOpenFiles } from './watch.ts';

/** The protocol's "resource not found", for which its SDK has no name. */
export const notFound = -32_002;

/** The parts of an IDE that one client is shown: its screen, state, record, and open files. */
export class ClientResources implements Disposable {
  readonly #ide: SharedIde;
  readonly #ended = new AbortController();
  /** The open files in the client's last list; undefined until it has asked. */
  #listed: string | undefined;

  constructor(ide: SharedIde) {
    this.#ide = ide;
  }

  serve({ server }: McpServer, sdk: Sdk): void {
    const onChange = () => server.sendResourceListChanged();
    server.setRequestHandler(sdk.ListResourcesRequestSchema, (_, { signal }) => this.#list(onChange, signal));
    server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: [fileTemplate],
    }));
    server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params: { uri } }, { signal }) =>
      this.#read(uri, sdk, signal),
    );
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
  }

  /** While the IDE is starting, no file is open. From now on the client is notified of changes. */
  async #list(onChange: () => Promise<void>, signal: AbortSignal): Promise<ListResourcesResult> {
    const first = this.#listed === undefined;
    const open = this.#ide.ready ? await this.#openFiles(signal) : [];
    this.#listed = keyOf(open);
    if (first) void this.#watch(onChange);
    return { resources: [...fixedResources, ...open] };
  }

  /** Empty while the IDE can't be asked, e.g. because its window is being reloaded. */
  async #openFiles(signal: AbortSignal) {
    try {
      return await openFiles(await this.#ide.sandbox(signal), signal);
    } catch {
      signal.throwIfAborted();
      return [];
    }
  }

  /** Ends with the connection. An IDE that never starts has no files. */
  async #watch(onChange: () => Promise<void>): Promise<void> {
    const { signal } = this.#ended;
    const sandbox = await this.#ide.sandbox(signal).catch(() => undefined);
    if (sandbox) await watchOpenFiles(sandbox, () => this.#listed ?? '', onChange, signal);
  }

  async #read(uri: string, { McpError, ErrorCode }: Sdk, signal: AbortSignal): Promise<ReadResourceResult> {
    const read = readResource(uri);
    if (!read) throw new McpError(notFound, `there is no resource ${uri}`, { uri });
    try {
      return await read(await this.#ide.sandbox(signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error);
      const code = reason === 'not-found' ? notFound : ErrorCode.InternalError;
      throw new McpError(code, `${reason}: ${wordsOf(error)}`, { uri });
    }
  }
}
