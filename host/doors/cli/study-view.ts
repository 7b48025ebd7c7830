import { createLogUpdate } from 'log-update';
import { pause } from '../../../bridge/lib/index.ts';
import { clip, clipEnd, shorten } from '../../../bridge/text/index.ts';
import { isPassed, type PlannedAttempt, type StudyEvent } from '../../run/index.ts';
import { escapeControls } from './output.ts';
import { narrateEpisode } from './progress.ts';
import { clockText, studyCostText, StudyState } from './study-state.ts';
import { formatTable } from './tables.ts';

/** Shows a running study: a table on a terminal, else a line for each attempt. Dispose it before printing more. */
export interface StudyView extends AsyncDisposable {
  readonly onEvent: (event: StudyEvent) => void;
  readonly state: StudyState;
}

/** Prints each step of attempts that run one after the other. */
export function narrateStudy(out: NodeJS.WritableStream): StudyView {
  const state = new StudyState();
  const narrate = narrateEpisode(out);
  return {
    onEvent: (event) => {
      const line = state.add(event);
      if (event.kind === 'begin' && event.results.size > 0) out.write(`${line}\n`);
      if (event.kind === 'episode') narrate(event.event);
    },
    state,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

export function openStudyView(out: NodeJS.WriteStream): StudyView {
  const state = new StudyState();
  const stop = new AbortController();
  const update = out.isTTY ? createLogUpdate(out) : undefined;
  const draw = () => update?.(escapeControls(studyTable(state, { columns: out.columns, rows: out.rows })));
  const drawing = update ? redraw(draw, stop.signal) : Promise.resolve();
  return {
    onEvent: (event) => {
      const line = state.add(event);
      if (!update && line !== undefined) out.write(`${escapeControls(line)}\n`);
    },
    state,
    async [Symbol.asyncDispose]() {
      if (stop.signal.aborted) return;
      stop.abort();
      await drawing;
      if (!update) return;
      draw();
      update.done();
      // The next output is a table, too.
      out.write('\n');
    },
  };
}

/** Once a second, so that the clock runs during attempts. */
async function redraw(draw: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    draw();
    await pause(1000, signal).catch(() => undefined);
  }
}

/** Of a terminal, in characters. */
interface TerminalSize {
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
  return lines.map((line) => cutLine(line, columns)).join('\n');
}

function agentLines(state: StudyState, columns: number): string[] {
  const agents = Map.groupBy(state.attempts, ({ agent }) => agent.name);
  const counts = [...agents].map(([agent, own]) => countResults(state, agent, own));
  const isQueued = state.waiting.size > 0;
  const head = ['DONE', 'PASSED', 'NO SCORE', ...(isQueued ? ['WAITING'] : []), 'RUNNING', 'COST'];
  const [widest = ''] = formatTable([head, ...counts])
    .split('\n')
    .toSorted((a, b) => b.length - a.length);
  const room = Math.max(shortestName, columns - widest.length - 2);
  const names = [...agents.keys()].map((name) => cutMiddle(name, room));
  return formatTable([['AGENT', ...head], ...counts.map((row, i) => [names[i] ?? '', ...row])]).split('\n');
}

function countResults(state: StudyState, agent: string, own: readonly PlannedAttempt[]): (string | number)[] {
  const results = own.flatMap((attempt) => state.results.get(attempt) ?? []);
  return [
    `${results.length}/${own.length}`,
    results.filter(isPassed).length,
    results.filter(({ reward }) => reward === null).length,
    ...(state.waiting.size > 0 ? [own.filter((attempt) => state.waiting.has(attempt)).length] : []),
    own.filter((attempt) => state.running.has(attempt)).length,
    studyCostText(state.spent(agent)),
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
  const lines = formatTable([['TIME', 'STEPS', 'RUNNING'], ...shown]).split('\n');
  return ['', ...lines, ...(more > 0 ? [`… and ${more} more`] : [])];
}

function cutLine(line: string, width: number): string {
  return shorten(line, width);
}

/** Names of agents often differ in their ends. */
function cutMiddle(name: string, width: number): string {
  if (name.length <= width) return name;
  const end = Math.floor((width - 1) / 2);
  return `${clip(name, width - 1 - end)}…${clipEnd(name, end)}`;
}
