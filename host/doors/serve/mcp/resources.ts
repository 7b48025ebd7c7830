import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type {
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import { pause } from '../../../../bridge/lib/index.ts';
import { ide } from '../../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { fileUri, readResource, resourceUris } from './resource-contents.ts';
import { explainFailure, readFailureReason } from './results.ts';
import type { SharedIde } from './shared-ide.ts';
import type { Sdk } from './transport.ts';

/** The protocol's "resource not found", for which its SDK has no name. */
export const resourceNotFound = -32_002;

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
    this.#listed = joinUris(open);
    if (first) void this.#watch(onChange);
    return { resources: [...fixedResources, ...open] };
  }

  /** Empty while the IDE can't be asked, e.g. because its window is being reloaded. */
  async #openFiles(signal: AbortSignal) {
    try {
      return await listOpenFiles(await this.#ide.sandbox(signal), signal);
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
    if (!read) throw new McpError(resourceNotFound, `there is no resource ${uri}`, { uri });
    try {
      return await read(await this.#ide.sandbox(signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      const reason = readFailureReason(error);
      const code = reason === 'not-found' ? resourceNotFound : ErrorCode.InternalError;
      throw new McpError(code, `${reason}: ${explainFailure(error)}`, { uri });
    }
  }
}

/** The maximum number of open files to list. */
const mostOpenFiles = 100;

export const fixedResources: readonly Resource[] = [
  {
    uri: resourceUris.screen,
    name: 'screen',
    title: 'The screen',
    description: 'The screen of the IDE now, as PNG in screen pixels.',
    mimeType: 'image/png',
  },
  {
    uri: resourceUris.state,
    name: 'state',
    title: 'State of the IDE',
    description:
      'Tabs, editor, problems, settings that differ from the default, source control, terminals, debugger, tests and extensions, as JSON.',
    mimeType: 'application/json',
  },
  {
    uri: resourceUris.record,
    name: 'record',
    title: 'Record',
    description:
      'The last steps and tool calls in this IDE, the oldest first, by whom, and what came of each, as JSON.',
    mimeType: 'application/json',
  },
];

const fileTemplate: ResourceTemplate = {
  uriTemplate: 'pwp://file/{+path}',
  name: 'file',
  title: 'A file of the workspace',
  description: 'Its text as it is in the IDE, with unsaved changes.',
  mimeType: 'text/plain',
};

/** The files that are open in editors, each once, in the order of their tabs. */
async function listOpenFiles(sandbox: Sandbox, signal: AbortSignal): Promise<Resource[]> {
  const { groups } = await sandbox.call(ide.tabs, {}, { signal });
  // Files are listed by their paths in it.
  const workspaceUri = `file://${sandbox.workspace}/`;
  const opened = groups
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ kind, uri }) => (kind === 'text' && uri?.startsWith(workspaceUri) ? [uri] : []));
  return [...new Set(opened)].slice(0, mostOpenFiles).map((uri) => {
    const path = decodeURIComponent(uri.slice(workspaceUri.length));
    return { uri: fileUri(path), name: path, description: 'Open in an editor.', mimeType: 'text/plain' };
  });
}

/** Equal for lists that look the same to a client. */
function joinUris(resources: readonly Resource[]): string {
  return JSON.stringify(resources.map(({ uri }) => uri));
}

/** Milliseconds that one call waits for a change, before it is repeated. */
const filesWaitMs = 60_000;
/** Milliseconds between two tries while the IDE can't be asked, e.g. because it is being restarted. */
const filesRetryMs = 1000;

/**
 * Reports changes of the open files, until the signal fires.
 * @param listed the open files in the client's last list
 */
async function watchOpenFiles(
  sandbox: Sandbox,
  listed: () => string,
  onChange: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let after: string | undefined;
  let reported: string | undefined;
  while (!signal.aborted) {
    try {
      const { cursor, changed } = await sandbox.call(ide.changes, { after, waitMs: filesWaitMs }, { signal });
      after = cursor;
      if (!changed.includes('tabs')) continue;
      const now = joinUris(await listOpenFiles(sandbox, signal));
      if (now === listed() || now === reported) continue;
      reported = now;
      await onChange();
    } catch {
      if (!signal.aborted) await pause(filesRetryMs, signal).catch(() => undefined);
    }
  }
}
