import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { readState } from '../../../env/index.ts';
import { reasonOf, wordsOf } from '../errors.ts';
import { fixedResources, notFound, stateContents, uris } from '../resources/index.ts';
import type { Sdk } from '../sdk.ts';
import type { WindowLink } from './link.ts';

/** The state of the window is the only resource that a client can read without a tool. */
export function serveWindowResources({ server }: McpServer, sdk: Sdk, link: WindowLink): void {
  const resources = fixedResources.filter(({ uri }) => uri === uris.state);
  server.setRequestHandler(sdk.ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(sdk.ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    if (uri !== uris.state) throw new sdk.McpError(notFound, `there is no resource ${uri}`, { uri });
    try {
      const state = await readState((method, params) => link.request(method, params, { signal }));
      return { contents: stateContents(uri, state) };
    } catch (error) {
      signal.throwIfAborted();
      throw new sdk.McpError(sdk.ErrorCode.InternalError, `${reasonOf(error)}: ${wordsOf(error)}`, { uri });
    }
  });
}
