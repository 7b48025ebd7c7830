import type Anthropic from '@anthropic-ai/sdk';
import { objectOf } from '../arguments.ts';
import type { Block } from '../model.ts';

/** What a model said, from the Messages API's form. Blocks of kinds that mean nothing here are left out. */
export function toBlocks(content: readonly Anthropic.ContentBlock[]): Block[] {
  return content.flatMap((block): Block[] => {
    switch (block.type) {
      case 'text':
        return [{ kind: 'text', text: block.text }];
      case 'thinking':
        return [{ kind: 'thinking', text: block.thinking }];
      case 'redacted_thinking':
        return [{ kind: 'thinking', text: '' }];
      case 'tool_use':
        return [toCall(block)];
      default:
        return [];
    }
  });
}

/** A toolset's calls have the action as their name; those of the older tools have it in their input. */
function toCall(block: {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly toolset_name?: unknown;
}): Block {
  const { id, name, input } = block;
  const given = objectOf(input);
  if (block.toolset_name === 'computer')
    return { kind: 'computer', id, actions: [{ action: name, ...given.arguments }], safetyChecks: [] };
  if (name === 'computer')
    return { kind: 'computer', id, actions: [{ ...given.arguments }], safetyChecks: [] };
  return { kind: 'call', id, name, ...given };
}
