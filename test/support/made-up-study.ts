import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EpisodeEnding,
  readRecord,
  type RecordedOutcome,
  type RecordEvent,
  recordFiles,
} from '../../host/run/index.ts';
import { jsonText } from '../../host/run/record/record-folder.ts';
import { formatEvent } from '../../host/run/record/record-lines.ts';
import { summarizeAttempt, summarizeTry } from '../../host/run/study/attempt-result.ts';
import { agents, type Course, coursesOf, type MadeUpAgent, type MadeUpAttempt } from './made-up-courses.ts';

/**
 * A study with known answers: three agents at 40 tasks, five attempts each. In each of the four families the tasks
 * 0 to 9 are passed in this many of the five attempts, the first ones:
 *
 * | agent | 0 1 2 | 3 4 | 5 | 6 7 | 8 | 9 |
 * |-------|-------|-----|---|-----|---|---|
 * | ace   | 5     | 5   | 2 | 2   | 0 | 0 |
 * | mid   | 5     | 1   | 1 | 0   | 0 | 0 |
 * | dud   | 0     | 0   | 0 | 0   | 0 | 0, in the family delta 5 |
 *
 * Each task has five tests. Of these, a failed attempt of ace fails one, of mid two, of dud all. Failure modes are
 * planted in attempts of ace at the tasks 8, suppressed actions in those of mid at gamma/t9. Of dud's attempts at
 * alpha/t0, the fourth has a suspect score of 1 and the fifth has no score; at beta/t0 the fifth never began. The third
 * attempt of mid at beta/t7 had an earlier try, which cost 7 cents.
 */
export const families = ['alpha', 'beta', 'gamma', 'delta'] as const;
const tasks = Array.from({ length: 10 }, (_, i) => i);
const numbers = [1, 2, 3, 4, 5];

/** How many of the five attempts pass. */
function passesOf({ agent, family, task }: MadeUpAttempt): number {
  if (agent === 'ace') return task < 5 ? 5 : task < 8 ? 2 : 0;
  if (agent === 'mid') return task < 3 ? 5 : task < 6 ? 1 : 0;
  return family === 'delta' && task === 9 ? 5 : 0;
}

export function madeUpAttempts(): MadeUpAttempt[] {
  return families.flatMap((family) =>
    tasks.flatMap((task) =>
      agents.flatMap((agent) => numbers.map((number) => ({ agent, family, task, number }))),
    ),
  );
}

export interface MadeUpOptions {
  /** Changes each name that others may choose in a study: of agents, tasks, tests, models, files, tools. */
  readonly dress?: (name: string) => string;
  /** Which attempts are over. Default: all. */
  readonly isOver?: (attempt: MadeUpAttempt) => boolean;
}

export async function writeMadeUpStudy(
  folder: string,
  { dress = (name) => name, isOver = () => true }: MadeUpOptions = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const named = (name: string) => ({ name: dress(name), hash: '', set: {} });
  const ids = families.flatMap((family) =>
    tasks.map((task) => ({ id: taskName(family, task, dress), hash: '' })),
  );
  const lock = { format: 1, hash: '', version: '0', attempts: 5, settings: {}, tasks: ids };
  await writeFile(join(folder, 'study.json'), jsonText({ ...lock, agents: agents.map(named) }));
  for (const attempt of madeUpAttempts().filter(isOver)) await writeAttempt(folder, attempt, dress);
}

export function attemptFolder({ family, task, agent, number }: MadeUpAttempt): string {
  return join('attempts', `${family}-t${task}`, agent, String(number));
}

const failed = { folder: 'try-1', result: null, failure: 'the node was lost' };

async function writeAttempt(folder: string, attempt: MadeUpAttempt, dress: (name: string) => string) {
  const path = join(folder, attemptFolder(attempt));
  const before = isSecondTry(attempt) ? [{ ...summarizeTry(failed), costUsd: 0.07 }] : [];
  const record = join(path, before.length === 0 ? 'try-1' : 'try-2');
  await mkdir(record, { recursive: true });
  const lines = (isBegun(attempt) ? eventsOf(attempt, dress) : unbegun(attempt, dress)).map(
    (event) => `${formatEvent(event)}\n`,
  );
  await writeFile(join(record, recordFiles.events), lines.join(''));
  const tried = { folder: record.slice(-5), result: (await readRecord(record)).result, failure: null };
  const { agent, family, task, number } = attempt;
  const names = {
    task: taskName(family, task, dress),
    agent: dress(agent),
    model: modelOf(agent, dress),
    number,
  };
  await writeFile(
    join(path, 'attempt.json'),
    jsonText(summarizeAttempt(names, [...before, summarizeTry(tried)], tried)),
  );
}

/** Its sandbox never started. */
function unbegun(attempt: MadeUpAttempt, dress: (name: string) => string): RecordEvent[] {
  const [start] = eventsOf(attempt, dress);
  const end = { ...at(times.other), event: 'end' as const, how: 'infrastructure-error' as const };
  return start ? [start, end] : [end];
}

function isBegun({ agent, family, task, number }: MadeUpAttempt): boolean {
  return !(agent === 'dud' && family === 'beta' && task === 0 && number === 5);
}

function isSecondTry({ agent, family, task, number }: MadeUpAttempt): boolean {
  return agent === 'mid' && family === 'beta' && task === 7 && number === 3;
}

function taskName(family: string, task: number, dress: (name: string) => string): string {
  return `${dress(family)}/${dress(`t${task}`)}`;
}

function modelOf(agent: MadeUpAgent, dress: (name: string) => string): string | null {
  return agent === 'dud' ? null : `test:${dress(agent)}`;
}

/** Milliseconds of each turn of the model, and of each step. */
const times = { start: 1000, model: 2000, step: 300, grade: 500, other: 700 };

function eventsOf(attempt: MadeUpAttempt, dress: (name: string) => string): RecordEvent[] {
  const { agent, family, task, number } = attempt;
  const isPassed = number <= passesOf(attempt);
  const special = agent === 'dud' && family === 'alpha' && task === 0 ? number : 0;
  const [isSuspect, isBroken] = [special === 4, special === 5];
  const course = coursesOf(attempt);
  const stepsEnd = times.start + course.steps.length * (times.model + times.step) + times.other;
  const end = isBroken ? stepsEnd : stepsEnd + times.grade;
  const grade = gradeOf(agent, isPassed || isSuspect, isSuspect, dress);
  const how: EpisodeEnding = isBroken
    ? 'infrastructure-error'
    : (course.how ?? (isPassed ? 'finished' : 'token-limit'));
  const model = modelOf(agent, dress);
  return [
    {
      ...{ ...at(0), event: 'start', record: 1, session: `${family}-${task}-${agent}-${number}` },
      ...{ task: taskName(family, task, dress), versions: {} },
      agent: { name: dress(agent), version: '1', ...(model !== null && { model }) },
    },
    {
      ...{ ...at(times.start), event: 'reset', sandbox: 's', image: 'i', instruction: 'x' },
      ...{ startMs: times.start, observation: observation(0) },
    },
    ...stepsOf(course, model !== null, dress),
    ...(isBroken ? [] : [{ ...at(end), ...grade }]),
    { ...at(end), event: 'end', how },
  ];
}

function stepsOf({ steps }: Course, asks: boolean, dress: (name: string) => string): RecordEvent[] {
  const { model, start, step } = times;
  const turn = { llmCalls: 1, promptTokens: 100, completionTokens: 10, cachedTokens: 0, costUsd: 0.01 };
  return steps.map(({ outcome, skipped = [], screen, isCapped = false }, i) => ({
    ...{ ...at(start + (i + 1) * (model + step)), event: 'step', step: i + 1 },
    ...{ turn: asks ? { ...turn, modelMs: model, message: dress('a message') } : {} },
    ...{
      outcomes: [dressed(outcome, dress)],
      skipped: [...skipped],
      services: [],
      observation: observation(screen),
    },
    settled: isCapped
      ? { ms: 150, reason: 'cap', busy: [dress('a timer')] }
      : { ms: 150, reason: 'quiet', busy: [] },
    timing: { actMs: 100, settleMs: 150, screenshotMs: 30, marksMs: 20, totalMs: step },
  }));
}

/** The shell under another name is an unknown tool. */
function dressed(outcome: RecordedOutcome, dress: (name: string) => string): RecordedOutcome {
  const { action } = outcome;
  if (action.kind !== 'tool' || action.name !== 'shell') return outcome;
  return { ...outcome, action: { ...action, name: dress(action.name) } };
}

const failing: Readonly<Record<MadeUpAgent, number>> = { ace: 1, mid: 2, dud: 5 };

function gradeOf(agent: MadeUpAgent, isFull: boolean, isSuspect: boolean, dress: (name: string) => string) {
  const checks = numbers.map((number) => ({
    ...{ name: dress(`test ${number}`), why: dress('a reason') },
    passed: isFull || number > failing[agent],
  }));
  const unwritten = isSuspect ? { unwritten: 'the IDE did not answer' } : {};
  const event = 'grade' as const;
  return { event, reward: isFull ? 1 : 0, checks, log: '', durationMs: times.grade, ...unwritten };
}

function observation(screen: number): Extract<RecordEvent, { event: 'reset' }>['observation'] {
  const name = `frames/${String(screen).padStart(4, '0')}`;
  return {
    ...{ number: screen + 1, screen: `${name}.png`, marks: `${name}-marks.json`, annotated: null },
    ...{ width: 1920, height: 1080, pointer: { x: 0, y: 0 }, changed: null, markCount: 0, omittedMarks: 0 },
    ...{ focus: null, caret: null, workbench: true, title: 'a title' },
  };
}

function at(ms: number): { at: string; ms: number } {
  return { at: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(), ms };
}
