import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { ide } from '../../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { fileUri, uris } from './uris.ts';

/** The maximum number of open files to list. */
const most = 100;
/** URI of the workspace; files are listed by their paths in it. */
const workspace = 'file:///workspace/';

export const fixedResources: readonly Resource[] = [
  {
    uri: uris.screen,
    name: 'screen',
    title: 'The screen',
    description: 'The screen of the IDE now, as PNG in screen pixels.',
    mimeType: 'image/png',
  },
  {
    uri: uris.state,
    name: 'state',
    title: 'State of the IDE',
    description:
      'Tabs, editor, problems, settings that differ from the default, source control, terminals, debugger, tests and extensions, as JSON.',
    mimeType: 'application/json',
  },
  {
    uri: uris.record,
    name: 'record',
    title: 'Record',
    description:
      'The last steps and tool calls in this IDE, the oldest first, by whom, and what came of each, as JSON.',
    mimeType: 'application/json',
  },
];

export const fileTemplate: ResourceTemplate = {
  uriTemplate: 'pwp://file/{+path}',
  name: 'file',
  title: 'A file of the workspace',
  description: 'Its text as it is in the IDE, with unsaved changes.',
  mimeType: 'text/plain',
};

/** The files that are open in editors, each once, in the order of their tabs. */
export async function openFiles(sandbox: Sandbox, signal: AbortSignal): Promise<Resource[]> {
  const { groups } = await sandbox.call(ide.tabs, {}, { signal });
  const opened = groups
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ kind, uri }) => (kind === 'text' && uri?.startsWith(workspace) ? [uri] : []));
  return [...new Set(opened)].slice(0, most).map((uri) => {
    const path = decodeURIComponent(uri.slice(workspace.length));
    return { uri: fileUri(path), name: path, description: 'Open in an editor.', mimeType: 'text/plain' };
  });
}

/** Equal for lists that look the same to a client. */
export function keyOf(resources: readonly Resource[]): string {
  return JSON.stringify(resources.map(({ uri }) => uri));
}
