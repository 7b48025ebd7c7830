import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordEvent } from '../../host/run/index.ts';
import { formatEvent } from '../../host/run/record/record-lines.ts';

export interface LargeStudy {
  readonly attempts: number;
  /** Of each attempt. */
  readonly steps: number;
}

const agents = ['one', 'two'];
const perTask = 5;

/**
 * Writes a study of two agents and five attempts each at every task. Each step calls a tool, whose answer has a kilobyte;
 * every seventh is refused. There are no pictures: the page asks for those it shows.
 */
export async function writeLargeStudy(folder: string, { attempts, steps }: LargeStudy): Promise<void> {
  const tasks = Array.from(
    { length: Math.ceil(attempts / agents.length / perTask) },
    (_, i) => `made/t${i + 1}`,
  );
  const named = (name: string) => ({ name, hash: '', set: {} });
  const lock = { format: 1, hash: '', version: '0', attempts: perTask, settings: {} };
  await mkdir(folder, { recursive: true });
  const all = { ...lock, tasks: tasks.map((id) => ({ id, hash: '' })), agents: agents.map(named) };
  await writeFile(join(folder, 'study.json'), JSON.stringify(all));
  const record = recordOf(steps);
  for (let i = 0; i < attempts; i += 1) {
    const [agent, number] = [agents[Math.floor(i / perTask) % agents.length] ?? '', (i % perTask) + 1];
    const task = tasks[Math.floor(i / perTask / agents.length)] ?? '';
    const path = join(folder, 'attempts', task.replace('/', '-'), agent, String(number));
    await mkdir(join(path, 'try-1'), { recursive: true });
    await writeFile(join(path, 'try-1', 'events.jsonl'), record);
    await writeFile(join(path, 'attempt.json'), JSON.stringify(attemptOf(task, agent, number, steps)));
  }
}

function attemptOf(task: string, agent: string, number: number, steps: number) {
  const reward = number % 3 === 0 ? 1 : 0;
  const ended = { end: 'scored', limit: null, reward, rewardTrustworthy: true, trust: null, why: null };
  const tokens = { promptTokens: 1000, completionTokens: 100 };
  const once = { folder: 'try-1', ...ended, ...tokens, costUsd: 0.1, startedAt: null, totalMs: 1000 };
  const times = { totalMs: 1000, startMs: 10, modelMs: 500, stepsMs: 400, gradeMs: 10 };
  return {
    ...{ task, agent, model: 'test:model', number, ...ended, steps, suppressed: null, ...tokens },
    ...{ cachedTokens: 0, costUsd: 0.1, times, record: 'try-1', tries: [once] },
  };
}

/** The lines of one record. */
export function recordOf(steps: number): string {
  const at = (ms: number) => ({ at: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(), ms });
  const seen = {
    ...{ number: 1, screen: 'frames/0000.png', marks: 'frames/0000-marks.json', annotated: null },
    ...{ width: 1920, height: 1080, pointer: { x: 0, y: 0 }, changed: null, markCount: 0, omittedMarks: 0 },
    ...{ focus: null, caret: null, workbench: true, title: 'a title' },
  };
  const timing = { actMs: 100, settleMs: 150, screenshotMs: 30, marksMs: 20, totalMs: 300 };
  const agent = { name: 'a', version: '1' };
  const reset = { sandbox: 's', image: 'i', instruction: 'x', startMs: 10, observation: seen };
  const step = (i: number): RecordEvent => ({
    ...{ ...at(20 + i * 300), event: 'step', step: i + 1 },
    turn: { llmCalls: 1, promptTokens: 1000, completionTokens: 50, modelMs: 500, message: `step ${i + 1}` },
    outcomes: [
      {
        action: { kind: 'tool', name: 'read_file', arguments: { path: `src/file-${i % 40}.py` } },
        effect: i % 7 === 6 ? 'refused' : 'confirmed',
        evidence: 'the tool answered',
        output: 'a line of a file, as it might be read\n'.repeat(27),
      },
    ],
    ...{
      skipped: [],
      settled: { ms: 150, reason: 'quiet', busy: [] },
      timing,
      services: [],
      observation: seen,
    },
  });
  const events: RecordEvent[] = [
    { ...at(0), event: 'start', record: 1, session: 's', task: 'made/t', versions: {}, agent },
    { ...at(10), event: 'reset', ...reset },
    ...Array.from({ length: steps }, (_, i) => step(i)),
    { ...at(20 + steps * 300), event: 'end', how: 'finished' },
  ];
  return events.map((event) => `${formatEvent(event)}\n`).join('');
}
