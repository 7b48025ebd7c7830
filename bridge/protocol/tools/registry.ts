import { dataTools } from './data-tools.ts';
import { debugTools } from './debug-tools.ts';
import { fileTools } from './file-tools.ts';
import { historyTools } from './history-tools.ts';
import { ideTools } from './ide-tools.ts';
import { profileTools } from './profile-tools.ts';
import { refactorTools } from './refactor-tools.ts';
import { runTools } from './run-tools.ts';
import { searchTools } from './search-tools.ts';
import { describeTool } from './tool-call.ts';
import type { Tool } from './tool.ts';
import { viewTools } from './view-tools.ts';

const toolsByFamily: readonly Readonly<Record<string, Tool>>[] = [
  fileTools,
  searchTools,
  refactorTools,
  runTools,
  debugTools,
  historyTools,
  viewTools,
  dataTools,
  profileTools,
  ideTools,
];

/** Every tool, family by family. */
export const tools: readonly Tool[] = toolsByFamily.flatMap((family) => Object.values(family));

const toolsByName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));

/** The tool of this name, or undefined. */
export function findTool(name: string): Tool | undefined {
  return toolsByName.get(name);
}

/**
 * The tools that most work needs. MCP clients get only these by default, since the description of each listed tool costs
 * tokens in every conversation.
 */
export const coreTools: readonly string[] = [
  'read_file',
  'list_dir',
  'search_replace',
  'write_file',
  'grep_search',
  'file_search',
  'document_symbols',
  'go_to_definition',
  'find_references',
  'rename_symbol',
  'shell',
  'run_terminal_cmd',
  'read_terminal',
  'run_tests',
  'open_file',
  'get_errors',
  'get_settings',
  'set_setting',
  'list_commands',
  'run_command',
];

/** The name of a tool of the registry in VS Code's chats, where the tools of all extensions are in one list. */
export function nameLanguageModelTool(name: string): string {
  return `pwp_${name}`;
}

/**
 * The tools that run in the extension, as `contributes.languageModelTools` of its package.json
 * (https://code.visualstudio.com/api/extension-guides/ai/tools).
 */
export function describeLanguageModelTools(): readonly object[] {
  return tools
    .filter(({ where }) => where === 'extension')
    .map((tool) => {
      const { name, title, description, family, readOnly, input } = describeTool(tool);
      return {
        name: nameLanguageModelTool(name),
        toolReferenceName: nameLanguageModelTool(name),
        displayName: title,
        modelDescription: description,
        userDescription: readFirstSentence(description),
        canBeReferencedInPrompt: true,
        when: writeWhenClause(tool),
        icon: readOnly ? '$(search)' : '$(tools)',
        tags: ['pwp', family, ...(readOnly ? ['read-only'] : [])],
        inputSchema: input,
      };
    });
}

/** The values of the setting `pwp.chatTools` with which chats are offered a tool. */
export function listChatToolChoices(name: string): readonly string[] {
  return coreTools.includes(name) ? ['core', 'all'] : ['all'];
}

/** In Restricted Mode, chats only have tools that read. */
function writeWhenClause({ name, readOnly, runsCode }: Tool): string {
  const trusted = readOnly && !runsCode ? '' : 'isWorkspaceTrusted && ';
  return `${trusted}config.pwp.chatTools =~ /^(${listChatToolChoices(name).join('|')})$/`;
}

/** The whole sentence, including the parts after a colon or a semicolon. */
export function readFirstSentence(description: string): string {
  return description.split(/(?<=\.)\s(?=\p{Lu})/u, 1)[0] ?? '';
}
