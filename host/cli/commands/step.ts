import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { Session, annotate, readActions, type Observation, type StepInfo } from '../../env/index.ts';
import { withNode } from '../context.ts';
import { print } from '../output.ts';

interface PictureOptions {
  readonly screenshot?: string;
  readonly marks?: string;
  readonly json?: true;
}

export function addStep(program: Command): void {
  pictures(program.command('step'))
    .description('act in a running sandbox, wait until the IDE is at rest, and tell what happened')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument(
      '<action...>',
      "xdotool lines, marks, computer actions as JSON, in order: 'xdotool key ctrl+s', 'click [12]'",
    )
    .action(step);
}

export function addObserve(program: Command): void {
  pictures(program.command('observe'))
    .description('look at a running sandbox: screen, marks, focus')
    .argument('<sandbox>', 'id of a running sandbox')
    .action(observe);
}

function pictures(command: Command): Command {
  return command
    .option('--screenshot <file>', 'write the screen as PNG')
    .option('--marks <file>', 'write the screen with its marks drawn in as PNG')
    .option('--json', 'print as JSON');
}

async function step(id: string, actions: string[], options: PictureOptions): Promise<void> {
  await withNode(async ({ node, signal }) => {
    await using sandbox = await node.open(id, signal);
    using session = new Session(sandbox);
    const { observation, info } = await session.step(readActions(actions), signal);
    await writePictures(observation, options);
    print(stepJson(observation, info), options.json ?? false, () => stepText(observation, info));
    if (info.outcomes.some(({ effect }) => effect === 'refused')) process.exitCode = 1;
  });
}

async function observe(id: string, options: PictureOptions): Promise<void> {
  await withNode(async ({ node, signal }) => {
    await using sandbox = await node.open(id, signal);
    using session = new Session(sandbox);
    const observation = await session.observe(signal);
    await writePictures(observation, options);
    print(observationJson(observation), options.json ?? false, () => observationText(observation));
  });
}

async function writePictures({ screen, marks }: Observation, options: PictureOptions): Promise<void> {
  if (options.screenshot !== undefined) await writeFile(options.screenshot, screen.png);
  if (options.marks !== undefined) await writeFile(options.marks, await annotate(screen.png, marks));
}

/** Everything but the picture itself, which is written to a file where asked for. */
export function observationJson({ screen, ...rest }: Observation): object {
  const { width, height, pointer, changed } = screen;
  return { ...rest, screen: { width, height, pointer, changed } };
}

function stepJson(observation: Observation, info: StepInfo): object {
  return { info, observation: observationJson(observation) };
}

function stepText(observation: Observation, info: StepInfo): string {
  const outcomes = info.outcomes.map(({ effect, evidence, output }) =>
    [`${effect}: ${evidence}`, output].filter((line) => line !== undefined).join('\n'),
  );
  const skipped = info.skipped.length === 0 ? [] : [`not tried: ${info.skipped.length} later actions`];
  const { ms, reason, busy } = info.settled;
  const rest = reason === 'quiet' ? '' : `, still busy: ${busy.join(', ')}`;
  return [
    ...outcomes,
    ...skipped,
    `settled after ${Math.round(ms)} ms (${reason}${rest})`,
    headline(observation),
  ].join('\n');
}

function observationText(observation: Observation): string {
  return `${headline(observation)}\n${marksText(observation)}`;
}

function headline({ number, focus, marks, title, dialog }: Observation): string {
  if (dialog) return `observation ${number}: the browser asks (${dialog.type}): ${dialog.message}`;
  return `observation ${number}: "${title}", focus on ${focus ? `${focus.role} "${focus.name}"` : 'nothing'}, ${marks.length} marks`;
}

/** The marks, and what is not among them. */
export function marksText({ marks, omittedMarks, unread = [] }: Observation): string {
  return [
    ...marks.map(markLine),
    ...(omittedMarks > 0 ? [`… and ${omittedMarks} more: narrow with --within, --role, --text`] : []),
    ...unread.map(({ what, why }) => `not read: ${what}: ${why}`),
  ].join('\n');
}

/** One mark a line: id, role, name, box, value, states. */
function markLine({ id, role, name, value, state, box }: Observation['marks'][number]): string {
  const at = `${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}x${Math.round(box.height)}`;
  const held = value === undefined ? [] : [`= ${JSON.stringify(value)}`];
  return [`[${id}]`, role, JSON.stringify(name), at, ...held, ...Object.keys(state)].join(' ');
}
