import { coreTools } from './core.ts';
import { definitionOf } from './definition.ts';
import type { Tool } from './descriptor.ts';
import { tools } from './registry.ts';

/** The name of a tool of the registry in VS Code's chats, where the tools of all extensions are in one list. */
export function languageModelToolName(name: string): string {
  return `pwp_${name}`;
}

/**
 * The tools that run in the extension, as `contributes.languageModelTools` of its package.json
 * (https://code.visualstudio.com/api/extension-guides/ai/tools).
 */
export function languageModelTools(): readonly object[] {
  return tools
    .filter(({ where }) => where === 'extension')
    .map((tool) => {
      const { name, title, description, family, readOnly, input } = definitionOf(tool);
      return {
        name: languageModelToolName(name),
        toolReferenceName: languageModelToolName(name),
        displayName: title,
        modelDescription: description,
        userDescription: firstSentence(description),
        canBeReferencedInPrompt: true,
        when: offeredWhen(tool),
        icon: readOnly ? '$(search)' : '$(tools)',
        tags: ['pwp', family, ...(readOnly ? ['read-only'] : [])],
        inputSchema: input,
      };
    });
}

/** The values of the setting `pwp.chatTools` with which chats are offered a tool. */
export function choicesWith(name: string): readonly string[] {
  return coreTools.includes(name) ? ['core', 'all'] : ['all'];
}

/** In Restricted Mode, chats only have tools that read. */
function offeredWhen({ name, readOnly, runsCode }: Tool): string {
  const trusted = readOnly && !runsCode ? '' : 'isWorkspaceTrusted && ';
  return `${trusted}config.pwp.chatTools =~ /^(${choicesWith(name).join('|')})$/`;
}

/** The whole sentence, including the parts after a colon or a semicolon. */
export function firstSentence(description: string): string {
  return description.split(/(?<=\.)\s(?=\p{Lu})/u, 1)[0] ?? '';
}
