import { createLogUpdate } from 'log-update';
import { pause } from '../../bridge/lib/index.ts';
import type { StudyEvent } from '../study/index.ts';
import { printable } from './printable.ts';
import { StudyState } from './study-state.ts';
import { studyTable } from './study-table.ts';

/** Shows a running study: a table on a terminal, else a line for each attempt. Dispose it before printing more. */
export interface StudyView extends AsyncDisposable {
  readonly onEvent: (event: StudyEvent) => void;
  readonly planned: number;
  /** Attempts that are over. */
  readonly done: number;
}

export function openStudyView(out: NodeJS.WriteStream): StudyView {
  const state = new StudyState();
  const stop = new AbortController();
  const update = out.isTTY ? createLogUpdate(out) : undefined;
  const draw = () => update?.(printable(studyTable(state, { columns: out.columns, rows: out.rows })));
  const drawing = update ? redraw(draw, stop.signal) : Promise.resolve();
  return {
    onEvent: (event) => {
      const line = state.add(event);
      if (!update && line !== undefined) out.write(`${printable(line)}\n`);
    },
    get planned() {
      return state.planned;
    },
    get done() {
      return state.done;
    },
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
