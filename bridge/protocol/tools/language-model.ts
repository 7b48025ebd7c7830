import { definitionOf } from './definition.ts';
import { tools } from './registry.ts';

/** The name under which VS Code's chats know a tool of the registry: those of all extensions are in one list there. */
export function languageModelToolName(name: string): string {
  return `pwp_${name}`;
}

/**
 * The tools that run in the extension as `contributes.languageModelTools` of its package.json has them
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
        userDescription: description.split(/(?<=[.:;])\s/, 1)[0],
        canBeReferencedInPrompt: true,
        icon: readOnly ? '$(search)' : '$(tools)',
        tags: ['pwp', family, ...(readOnly ? ['read-only'] : [])],
        inputSchema: input,
      };
    });
}
