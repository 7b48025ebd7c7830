import type Anthropic from '@anthropic-ai/sdk';

/** Header for {@link lettingGo}. */
export const bindingBeta = 'thinking-binding-controls-2026-08-01';

/**
 * Whether each thinking block of a model is bound to all that was said before it: sent back after older pictures or turns
 * were left out, it is refused. So it is from Claude Fable 5.1 on.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
 */
export function bindsThinking(model: string): boolean {
  const [, major, minor] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?:-|$)/.exec(model) ?? [];
  return Number(major ?? 0) * 100 + Number(minor ?? 0) > 500;
}

/** The same thinking; the server drops blocks that are bound to a conversation that has changed since. */
export function lettingGo(
  thinking: Anthropic.ThinkingConfigParam | undefined,
): Anthropic.Beta.BetaThinkingConfigParam {
  const block_binding = { prefix_mismatch_behavior: 'drop_block' } as const;
  return thinking?.type === 'enabled' ? { ...thinking, block_binding } : { type: 'adaptive', block_binding };
}
