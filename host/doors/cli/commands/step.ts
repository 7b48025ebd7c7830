import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  annotate,
  type AnswerPicture,
  encodeWav,
  hearSound,
  makeSilence,
  type Observation,
  observationText,
  Session,
  type StepInfo,
  stepText,
} from '../../../ide/index.ts';
import type { Sandbox } from '../../../node/index.ts';
import { withNodeHolding } from '../context.ts';
import { countStep, readStepCount } from '../copied-folder.ts';
import { print } from '../output.ts';

interface StepFlags extends PictureFiles {
  readonly force?: true;
}

interface PictureFiles {
  readonly screenshot?: string;
  readonly marks?: string;
  readonly json?: true;
}

export function addStepCommand(program: Command): void {
  addPictureOptions(program.command('step'))
    .description('act in a running sandbox, wait until the IDE is at rest, and report what happened')
    .argument('<sandbox>', 'id of a running sandbox')
    .argument(
      '<action...>',
      "xdotool lines, marks, computer actions as JSON, in order: 'xdotool key ctrl+s', 'click [12]'",
    )
    .option('--force', 'continue the batch even if text did not land or a click did not focus its target')
    .action(takeStep);
}

export function addObserveCommand(program: Command): void {
  addPictureOptions(program.command('observe'))
    .description('look at a running sandbox: screen, marks, focus')
    .argument('<sandbox>', 'id of a running sandbox')
    .option('--audio <file>', 'write the sound of the last 30 seconds as WAV; needs a sandbox with sound')
    .action(observeSandbox);
}

function addPictureOptions(command: Command): Command {
  return command
    .option('--screenshot <file>', 'write the screen as PNG')
    .option('--marks <file>', 'write the screen with its marks drawn in as PNG')
    .option('--json', 'print as JSON');
}

async function takeStep(id: string, actions: string[], options: StepFlags): Promise<void> {
  await withNodeHolding(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    using session = new Session(sandbox, { by: 'person', steps: await readStepCount(id) });
    const { observation, info } = await session.step(actions, { force: options.force ?? false, signal });
    await countStep(id);
    await writePictures(observation, options);
    print({ id, ...stepJson(observation, info) }, options.json ?? false, () => stepText(observation, info));
    if (info.outcomes.some(({ effect }) => effect === 'refused')) process.exitCode = 1;
    await session.reported({ signal });
  });
}

interface ObserveFlags extends PictureFiles {
  readonly audio?: string;
}

async function observeSandbox(id: string, options: ObserveFlags): Promise<void> {
  await withNodeHolding(id, async ({ node, signal }) => {
    await using sandbox = await node.open(id, { signal });
    using session = new Session(sandbox);
    if (options.audio !== undefined) await writeSound(sandbox, options.audio, signal);
    const observation = await session.observe({ signal });
    await writePictures(observation, options);
    print({ id, ...observationJson(observation) }, options.json ?? false, () => observationText(observation));
  });
}

async function writePictures({ screen, marks }: Observation, options: PictureFiles): Promise<void> {
  if (options.screenshot !== undefined) await writeFile(options.screenshot, screen.bytes);
  if (options.marks !== undefined) await writeFile(options.marks, (await annotate(screen, marks)).bytes);
}

/** Silence is written as such. */
async function writeSound(sandbox: Sandbox, file: string, signal: AbortSignal): Promise<void> {
  const { from, to, pcm } = await hearSound(sandbox, { signal });
  await writeFile(file, encodeWav(pcm.byteLength > 0 ? pcm : makeSilence(to - from)));
}

/** Everything but the picture itself, which is written to a file where requested. */
export function observationJson({ screen, ...rest }: Observation): object {
  const { width, height, pointer, changed } = screen;
  return { ...rest, screen: { width, height, pointer, changed } };
}

function stepJson(observation: Observation, info: StepInfo): object {
  const outcomes = info.outcomes.map(({ images, ...rest }) => ({
    ...rest,
    ...(images && { images: images.map(pictureJson) }),
  }));
  return { info: { ...info, outcomes }, observation: observationJson(observation) };
}

/** With its bytes as text: no one reads a number for each byte. */
function pictureJson({ bytes, ...rest }: AnswerPicture): object {
  return { ...rest, base64: Buffer.from(bytes).toString('base64') };
}
