import { PwpError } from '../../../bridge/lib/index.ts';

/** Forms of OpenAI's computer tool, newest first. */
export const computerTools = ['computer', 'computer_use_preview'] as const;
export type ComputerTool = (typeof computerTools)[number];

/**
 * The form that a model takes, or null.
 * @param asked the form in the settings, or `none`; default: by the model's name
 * Errors: `usage`.
 */
export function computerToolOf(model: string, asked?: string): ComputerTool | null {
  if (asked === 'none') return null;
  const found = computerTools.find((name) => name === asked);
  if (found) return found;
  if (asked !== undefined) {
    throw new PwpError('usage', `OpenAI has no computer tool ${JSON.stringify(asked)}`, {
      help: `One of: ${computerTools.join(', ')}, none`,
    });
  }
  if (model.startsWith('computer-use-preview')) return 'computer_use_preview';
  return /^gpt-(5\.[4-9]|[6-9])/.test(model) ? 'computer' : null;
}
