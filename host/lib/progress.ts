import { SingleBar } from 'cli-progress';

/** Shows the progress of long work. */
export interface Progress {
  /**
   * @param name of the current stage, e.g. `Installing compilers`
   * @param fraction of the whole work that is done, 0 to 1; absent if unknown
   */
  stage(name: string, fraction?: number): void;
  /** The work has ended, well or badly. Idempotent. */
  done(): void;
}

export const silentProgress: Progress = { stage: () => {}, done: () => {} };

/** A bar on a terminal, a line per stage anywhere else. Nothing is drawn before the first stage. */
export function openProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  return out.isTTY ? barProgress(out) : lineProgress((line) => out.write(`${line}\n`));
}

/** A part of the work, whose own 0 to 1 is between `from` and `to` of the whole. */
export function scaleProgress(whole: Progress, from: number, to: number): Progress {
  return {
    stage: (name, fraction) =>
      whole.stage(name, fraction === undefined ? undefined : from + (to - from) * fraction),
    done: () => {},
  };
}

/** One line per stage, stamped with the time since the first one. */
export function lineProgress(write: (line: string) => void, now: () => number = Date.now): Progress {
  let start: number | undefined;
  let last = '';
  return {
    stage(name) {
      start ??= now();
      if (name === last) return;
      last = name;
      write(`[${elapsed(now() - start)}] ${name}`);
    },
    done: () => {},
  };
}

function barProgress(out: NodeJS.WriteStream): Progress {
  let bar: SingleBar | undefined;
  const begin = (name: string) => {
    const start = Date.now();
    const created = new SingleBar({
      stream: out,
      hideCursor: true,
      clearOnComplete: true,
      // Drawn again on a timer of its own: the clock continues while a stage lasts.
      forceRedraw: true,
      fps: 4,
      format: (options, params, payload: { stage: string }) => {
        const width = options.barsize ?? 30;
        const filled = Math.round(params.progress * width);
        const percent = String(Math.round(params.progress * 100)).padStart(3);
        return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${percent} %  ${elapsed(Date.now() - start)}  ${payload.stage}`;
      },
    });
    created.start(1, 0, { stage: name });
    return created;
  };
  return {
    stage(name, fraction) {
      bar ??= begin(name);
      if (fraction === undefined) bar.update({ stage: name });
      else bar.update(fraction, { stage: name });
    },
    done() {
      bar?.stop();
      bar = undefined;
    },
  };
}

/** `m:ss` */
function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
