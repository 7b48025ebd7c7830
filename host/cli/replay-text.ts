import {
  differenceText,
  type FirstWrong,
  type ReplayedStep,
  type ReplayReport,
  type TriedStep,
} from '../replay/index.ts';
import { asTyped } from './program-name.ts';

/** A state that was reached again, and how it compares. */
export function replayedText({ step, by, actions, notes, differences, notCompared }: ReplayedStep): string {
  const what = {
    start: 'the initial state of the task',
    checkpoint: `the checkpoint after step ${step}`,
    agent: `${step}. ${actions.join(' ; ') || 'nothing to play'}`,
    people: `people: ${actions.join(' ; ') || 'nothing to play'}`,
  }[by];
  const apart = differences.map(differenceText);
  const missing = notCompared.length === 0 ? [] : [`not compared: ${notCompared.join(', ')}`];
  const verdict = apart.length === 0 ? ['as recorded'] : ['apart', ...apart];
  return [`  ${what}`, `     ${[...verdict, ...missing, ...notes].join('; ')}`].join('\n');
}

/** How far the replay got. */
export function endText({ to, reached, stopped, steps, end, notes }: ReplayReport): string {
  const ends = {
    same: `Step ${to} is reached: screen, editor and files are as recorded.`,
    'not-compared': `Step ${to} is reached. It is as recorded as far as it could be compared, which was not everything.`,
    apart:
      stopped === null
        ? `Step ${to} is reached, and its state is not the recorded one.`
        : `Step ${to} is not reached. Stopped after step ${reached}: ${stopped}.`,
  };
  const others = steps.slice(0, -1).filter(({ differences }) => differences.length > 0);
  const onTheWay = [...new Set(others.map(({ step }) => step))].join(', ');
  return [
    ...notes,
    ends[end],
    ...(onTheWay === '' ? [] : [`On the way these states differed: ${onTheWay}.`]),
  ].join('\n');
}

/** Commands for a person to use the sandbox. */
export function sandboxText(id: string): string {
  const commands = [
    `${id} is left running`,
    `  pwp pair ${id}`,
    `  pwp step ${id} 'xdotool key F1'`,
    `  pwp mcp --sandbox ${id}`,
    `  pwp down ${id}`,
  ];
  return asTyped(commands.join('\n'));
}

export function replayJson(report: ReplayReport, more: object): object {
  return { ...report, ...more };
}

export function triedText({ step, state, solvedBy, rewards }: TriedStep): string {
  const tried = Object.entries(rewards).map(([name, reward]) => `${name} ${reward ?? 'no score'}`);
  const where =
    state === 'same' ? '' : state === 'apart' ? ' (not the recorded state)' : ' (state not compared)';
  return `  from step ${step}${where}: ${solvedBy === null ? 'no solution succeeds' : `${solvedBy} succeeds`} (${tried.join(', ')})`;
}

export function firstWrongText({ step, why }: FirstWrong): string {
  return step === null ? `No first wrong step: ${why}.` : `First wrong step: ${step}. ${why}.`;
}
