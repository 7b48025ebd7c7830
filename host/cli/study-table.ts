import { clip, clipEnd, shorten } from '../../bridge/lib/index.ts';
import { isPassed, type PlannedAttempt } from '../study/index.ts';
import { table } from './table.ts';
import type { StudyState } from './study-state.ts';
import { clockText, moneyText } from './study-words.ts';

/** Of a terminal, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** An agent's name is not cut shorter than this. */
const shortestName = 12;

/**
 * A running study as a table that fits a terminal: agents, running attempts and sums. Long lines are cut, since a line
 * that wraps would take the place of two.
 */
export function studyTable(state: StudyState, { columns, rows }: TerminalSize): string {
  if (!state.hasBegun) return 'Reading tasks and attempts …';
  const agents = agentLines(state, columns);
  const sums = ['', state.sumText(), ...(state.last === undefined ? [] : [`last: ${state.last}`])];
  // The cursor needs its own line.
  const room = rows - 1 - agents.length - sums.length;
  const lines = [...agents, ...runningLines(state, room), ...sums];
  return lines.map((line) => cut(line, columns)).join('\n');
}

function agentLines(state: StudyState, columns: number): string[] {
  const agents = Map.groupBy(state.attempts, ({ agent }) => agent.name);
  const counts = [...agents].map(([agent, own]) => countsOf(state, agent, own));
  const head = ['DONE', 'PASSED', 'NO SCORE', 'RUNNING', 'COST'];
  const [widest = ''] = table([head, ...counts])
    .split('\n')
    .toSorted((a, b) => b.length - a.length);
  const room = Math.max(shortestName, columns - widest.length - 2);
  const names = [...agents.keys()].map((name) => cutInside(name, room));
  return table([['AGENT', ...head], ...counts.map((row, i) => [names[i] ?? '', ...row])]).split('\n');
}

function countsOf(state: StudyState, agent: string, own: readonly PlannedAttempt[]): (string | number)[] {
  const results = own.flatMap((attempt) => state.results.get(attempt) ?? []);
  return [
    `${results.length}/${own.length}`,
    results.filter(isPassed).length,
    results.filter(({ reward }) => reward === null).length,
    own.filter((attempt) => state.running.has(attempt)).length,
    moneyText(state.spent(agent)),
  ];
}

/** @param room the number of lines that fit */
function runningLines(state: StudyState, room: number): string[] {
  const running = [...state.running].map(([{ task, agent, number }, { since, steps }]) => [
    clockText(state.now() - since),
    steps ?? 'starting',
    `${task.id} · ${agent.name} · ${number}`,
  ]);
  if (running.length === 0) return [];
  // An empty line and the head; if they don't fit, the count of each agent has to do.
  const most = room - 2;
  if (most < 1) return [];
  const shown = running.length <= most ? running : running.slice(0, most - 1);
  const more = running.length - shown.length;
  const lines = table([['TIME', 'STEPS', 'RUNNING'], ...shown]).split('\n');
  return ['', ...lines, ...(more > 0 ? [`… and ${more} more`] : [])];
}

function cut(line: string, width: number): string {
  return shorten(line, width);
}

/** Names of agents often differ in their ends. */
function cutInside(name: string, width: number): string {
  if (name.length <= width) return name;
  const end = Math.floor((width - 1) / 2);
  return `${clip(name, width - 1 - end)}…${clipEnd(name, end)}`;
}
