import type { EpisodeEvent } from '../agents/index.ts';
import { passedWord, type RecordedCheck } from '../record/index.ts';
import { printable } from './printable.ts';
import { actionText, settledText, type ActionOutcome, type ResetInfo } from '../env/index.ts';

/** Prints an episode as it happens, one line per event. */
export function narrate(out: NodeJS.WritableStream): (event: EpisodeEvent) => void {
  // Evidence, checks and errors contain text from inside the sandbox.
  return (event) => out.write(`${printable(lineOf(event))}\n`);
}

function lineOf(event: EpisodeEvent): string {
  switch (event.kind) {
    case 'reset':
      return `\n${event.info.task}: ${event.info.instruction.trim()}\n  ${startText(event.info)}`;
    case 'step': {
      const { step, outcomes, settled, timing } = event.info;
      const acts = outcomes.map(({ action }) => actionText(action)).join(' ; ');
      const judged = outcomes.map(effectText).join(' ; ');
      return `  ${step}. ${acts}\n     ${judged} (${settledText(settled)}; step ${Math.round(timing.totalMs)} ms)`;
    }
    case 'grade':
      return [`  score ${event.grade.reward}`, ...event.grade.checks.map(checkText)].join('\n');
    case 'error':
      return `  no score: ${event.message}`;
  }
}

function startText({ startMs, from, notes }: ResetInfo): string {
  const how = {
    cold: 'booted',
    golden: 'restored from a golden checkpoint',
    fork: 'forked',
    joined: 'it ran already',
  }[from];
  return [`IDE ready after ${seconds(startMs)} (${how})`, ...notes].join('\n  ');
}

function effectText({ effect, evidence }: ActionOutcome): string {
  return `${effect}: ${evidence}`;
}

function checkText({ name, passed, why }: RecordedCheck): string {
  return `    ${passedWord(passed)} ${name}: ${why}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
