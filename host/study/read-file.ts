import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { isDataset } from '../datasets/index.ts';
import { problemsOf } from '../lib/index.ts';
import { studyFile, type StudyAgent, type StudyFile } from './config.ts';

/**
 * Reads a study's TOML file. Paths in it are relative to its own folder.
 * Errors: `no-such-file`; `bad-study` with each wrong field, what was expected and what was found.
 */
export async function readStudyFile(path: string): Promise<StudyFile> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new PwpError('no-such-file', `can't read the study ${path}`, { cause });
  });
  return withPaths(checkStudy(parseToml(path, text), path), dirname(resolve(path)));
}

/** Errors: `bad-study`. @param where named in the error */
export function checkStudy(raw: unknown, where: string): StudyFile {
  const checked = studyFile.safeParse(raw);
  if (checked.success) return checked.data;
  throw new PwpError('bad-study', `${where}: ${problemsOf(checked.error, raw).join('; ')}`, {
    help: 'docs/experiments.md lists the fields.',
  });
}

function parseToml(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new PwpError('bad-study', `${path} is not TOML: ${messageOf(cause).trim()}`, { cause });
  }
}

function withPaths(study: StudyFile, folder: string): StudyFile {
  return {
    ...study,
    tasks: study.tasks.map((task) => (isDataset(task) ? task : resolve(folder, task))),
    ...(study.data !== undefined && { data: resolve(folder, study.data) }),
    agents: study.agents.map((agent) => withAgentPaths(agent, folder)),
    ...(study.out !== undefined && { out: resolve(folder, study.out) }),
  };
}

/** Resolves a model's script and a file of tools: paths begin with a dot or a slash, as in a shell. */
function withAgentPaths(agent: StudyAgent, folder: string): StudyAgent {
  const { model, tools } = agent;
  const script = model?.startsWith('scripted:') ? model.slice('scripted:'.length) : undefined;
  return {
    ...agent,
    ...(script !== undefined && { model: `scripted:${resolve(folder, script)}` }),
    ...(tools !== undefined && /[./]/.test(tools) && { tools: resolve(folder, tools) }),
  };
}
