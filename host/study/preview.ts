import { assertPlayable } from './agents.ts';
import { estimateStudy, type AgentEstimate } from './estimate.ts';
import { readAttempt } from './folder.ts';
import { planAttempts } from './plan.ts';
import type { StudyOptions } from './study.ts';

/** A preview of a study's next run. */
export interface StudyPreview {
  /** The total number of attempts. */
  readonly planned: number;
  /** The number of finished ones. */
  readonly done: number;
  readonly estimates: readonly AgentEstimate[];
}

/** Reads the folder, and changes nothing. */
export async function previewStudy({
  folder,
  config,
  tasks,
  agents,
}: Pick<StudyOptions, 'folder' | 'config' | 'tasks' | 'agents'>): Promise<StudyPreview> {
  await assertPlayable(tasks, agents);
  const plan = planAttempts(tasks, agents, config.attempts);
  const results = await Promise.all(plan.map((attempt) => readAttempt(folder, attempt)));
  const done = results.filter((result) => result !== null);
  const open = plan.filter((_, index) => results[index] === null);
  return { planned: plan.length, done: done.length, estimates: estimateStudy(config, open, done) };
}
