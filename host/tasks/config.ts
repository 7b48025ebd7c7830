import { parse } from 'smol-toml';
import { messageOf } from '../../bridge/lib/index.ts';
import { problemsOf } from '../lib/index.ts';
import { badTask } from './bad-task.ts';
import { taskConfig, type TaskConfig } from './schema.ts';

/**
 * Reads the text of a task.toml.
 * Errors: `bad-task` with file, every wrong field, what was expected and what was found.
 */
export function readConfig(file: string, text: string): TaskConfig {
  return readConfigOf(file, parseToml(file, text));
}

/** As {@link readConfig}, for text that is already parsed. */
export function readConfigOf(file: string, raw: unknown): TaskConfig {
  const checked = taskConfig.safeParse(raw);
  if (checked.success) return checked.data;
  throw badTask(file, problemsOf(checked.error, raw).join('; '));
}

function parseToml(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw badTask(file, `not TOML: ${messageOf(cause).trim()}`, cause);
  }
}
