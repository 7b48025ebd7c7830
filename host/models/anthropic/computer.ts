/** Forms of Anthropic's computer tool, newest first; each with the beta header that it wants, or none. */
export const computerTools = {
  computer_toolset_20260801: null,
  computer_20251124: 'computer-use-2025-11-24',
  computer_20250124: 'computer-use-2025-01-24',
  computer_20241022: 'computer-use-2024-10-22',
} as const;

export type ComputerTool = keyof typeof computerTools;

/** Models that take no newer form. */
const olderModels: readonly (readonly [RegExp, ComputerTool])[] = [
  [/^claude-3-5-/, 'computer_20241022'],
  [/^claude-(3-7|sonnet-4-(0|5|2025)|opus-4-(0|1|2025)|haiku-4-5)/, 'computer_20250124'],
  [/^claude-(opus-4-[5-8]|sonnet-4-6)/, 'computer_20251124'],
];

/** The newest form that a model takes, by its name; the newest of all for one that is not known. */
export function computerToolOf(model: string): ComputerTool {
  return olderModels.find(([names]) => names.test(model))?.[1] ?? 'computer_toolset_20260801';
}

export function isComputerTool(name: string): name is ComputerTool {
  return Object.hasOwn(computerTools, name);
}
