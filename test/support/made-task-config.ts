import type { RawTaskConfig } from '../../host/tasks/format/task-config.ts';

/**
 * The configuration of a task that a test makes in memory.
 * @param pwp fields of its table `[pwp]`, besides its features
 */
export function madeTaskConfig(pwp: Partial<RawTaskConfig['pwp']> = {}): RawTaskConfig {
  return {
    version: '1.0',
    metadata: { author_name: 'a', author_email: 'a@example.com', difficulty: 'easy', category: 'general' },
    agent: { timeout_sec: 60 },
    verifier: { timeout_sec: 60 },
    pwp: { features: ['editing'], ...pwp },
  };
}
