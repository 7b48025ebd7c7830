import * as z from 'zod';
import { tool } from './descriptor.ts';

const text = z.string().max(10_000);
const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]*\.[A-Za-z0-9][A-Za-z0-9-]*$/)
  .max(300);

const extension = z.object({
  id: text,
  name: text,
  version: text,
  description: text,
  builtin: z.boolean().describe('part of VS Code, or of this image'),
  active: z.boolean().describe('it has been started'),
});

/** Extensions, as far as VS Code lets one extension manage others. */
export const extensionTools = {
  listExtensions: tool({
    name: 'list_extensions',
    title: 'Extensions',
    description:
      'Lists the extensions that are installed and enabled. VS Code reports no others: disabled extensions, and those that wait for a reload, are missing.',
    family: 'ide',
    where: 'extension',
    readOnly: true,
    sources: [],
    input: z.strictObject({
      query: z.string().max(200).default('').describe('part of an id, name or description'),
      include_builtin: z.boolean().default(false).describe('include those of VS Code itself'),
    }),
    output: z.object({ extensions: z.array(extension).max(1000), truncated: z.boolean() }),
    text: ({ extensions }) =>
      [
        `${extensions.length} extensions`,
        ...extensions.map(
          (one) => `${one.id} ${one.version}${one.active ? ' (active)' : ''}${one.name && `: ${one.name}`}`,
        ),
      ].join('\n'),
  }),
  manageExtension: tool({
    name: 'manage_extension',
    title: 'Install or enable an extension',
    description:
      'Installs an extension from the gallery or a .vsix file of the workspace, enables a disabled one, or uninstalls one, and waits until the IDE confirms it. A running extension that was uninstalled stays until the window is reloaded. VS Code has no call to disable an extension: this is refused with not-supported; use the Extensions view.',
    family: 'ide',
    where: 'extension',
    readOnly: false,
    sources: [{ from: 'VS Code', name: 'install_extension' }],
    input: z.strictObject({
      action: z.enum(['install', 'enable', 'uninstall', 'disable']).describe('what to do'),
      id: id.optional().describe('publisher.name; not for a .vsix file'),
      vsix: z.string().min(1).max(4096).optional().describe('install: path of a .vsix file in the workspace'),
      timeout_ms: z
        .int()
        .min(1000)
        .max(300_000)
        .default(60_000)
        .describe('milliseconds until it is cancelled'),
    }),
    output: z.object({
      id: text.describe('empty for a .vsix file whose extension did not appear'),
      present: z.boolean().describe('the IDE lists it now'),
      changed: z.boolean(),
      note: text,
    }),
    text: ({ note }) => note,
    effect: ({ changed, note }) => ({ effect: changed ? 'confirmed' : 'no-effect', evidence: note }),
  }),
};
