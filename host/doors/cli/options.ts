import { type Command, InvalidArgumentError, Option } from 'commander';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import {
  defaultDisplay,
  type Display,
  type Language,
  languageNames,
  resolveLanguages,
} from '../../node/index.ts';
import type { Suppress } from '../../run/index.ts';
import { requireHost } from '../serve/index.ts';
import type { NodeKind } from './node-choice.ts';

export interface DisplayOption {
  readonly display: Display;
  readonly audio?: true;
}

/** `--audio`: what VS Code plays can be heard. */
export function audioOption(): Option {
  return new Option('--audio', 'with a sound server, so that what VS Code plays can be heard');
}

export function readDisplay({ display, audio }: DisplayOption): Display {
  return audio ? { ...display, audio } : display;
}

/** `--display 1920x1080`: the screen's size in pixels. */
export function displayOption(usual = defaultDisplay): Option {
  return new Option('--display <size>', 'screen size in pixels')
    .default(usual, `${usual.width}x${usual.height}`)
    .argParser(parseDisplay);
}

export interface OwnDisplayOption {
  readonly display?: Display;
  readonly audio?: true;
}

/** The differences from a task's own display; empty without options. */
export function readOwnDisplay(
  { display, audio }: OwnDisplayOption,
  own: Display = defaultDisplay,
): { readonly display?: Display } {
  if (display === undefined && !audio) return {};
  return { display: { ...(display ?? own), ...(audio && { audio }) } };
}

/** `--display` for tasks, which have displays of their own. */
export function ownDisplayOption(): Option {
  return new Option('--display <size>', "screen size in pixels; default: the task's own").argParser(
    parseDisplay,
  );
}

/** `--display` given any number of times. */
export function displaysOption(): Option {
  // Not `<size...>`, which would take the folders that follow for sizes.
  return new Option(
    '--display <size>',
    "screen size in pixels; repeat it for several; default: the task's own",
  ).argParser((text: string, before: Display[] | undefined) => [...(before ?? []), parseDisplay(text)]);
}

/** As in `1280x800`, in pixels. */
export function parseDisplay(text: string): Display {
  const [, width, height] = /^(\d{3,4})x(\d{3,4})$/.exec(text) ?? [];
  if (width === undefined || height === undefined) throw new InvalidArgumentError('expected e.g. 1280x800');
  return { width: Number(width), height: Number(height) };
}

/** The maximum number of steps of an episode: every command has the option by this name. */
export interface StepsOption {
  readonly maxSteps?: number;
}

/**
 * `-l, --max-steps`.
 * @param usual what it is without the option, in words
 */
export function addStepsOption(command: Command, of: string, usual: string): Command {
  return (
    command
      .option('-l, --max-steps <n>', `maximum number of steps of ${of}; default: ${usual}`, parseCount)
      // Its name in earlier versions.
      .addOption(new Option('--limit <n>').hideHelp().argParser(parseCount))
      .hook('preAction', (_, action) => {
        const former: unknown = action.getOptionValue('limit');
        if (former !== undefined && action.getOptionValue('maxSteps') === undefined)
          action.setOptionValue('maxSteps', former);
      })
  );
}

export interface LanguagesOption {
  readonly with?: readonly Language[];
}

/** `--with cpp,go`, or `PWP_WITH`: extra languages of the image. */
export function languagesOption(): Option {
  const names = languageNames.join(', ');
  return new Option('--with <languages>', `extra languages to install (comma-separated): ${names}`)
    .env('PWP_WITH')
    .argParser(parseLanguagesOption);
}

function parseLanguagesOption(text: string): readonly Language[] {
  const names = text.split(',').map((name) => name.trim());
  try {
    return resolveLanguages(names.filter((name) => name !== ''));
  } catch (error) {
    if (!(error instanceof PwpError)) throw error;
    throw new InvalidArgumentError(`${error.message}. ${error.help ?? ''}`);
  }
}

/** The number of an action, or `random`. */
export function parseSuppress(text: string): Suppress {
  return text === 'random' ? text : parseCount(text);
}

export const suppressHelp =
  'silently skip this mouse or keyboard action (from 1), or a random one of the first five, to see whether the agent notices';

export const checkpointEveryHelp = 'take a checkpoint every n steps, for pwp replay';

export interface AllowHostOption {
  readonly allowHost?: readonly string[];
}

/** `--allow-host` given any number of times: names by which clients reach a server behind a proxy or the like. */
export function allowHostOption(): Option {
  return new Option(
    '--allow-host <name>',
    'also answer to this host name, e.g. host.docker.internal or a proxy; repeat it for several',
  ).argParser((name: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    parseHostName(name),
  ]);
}

function parseHostName(name: string): string {
  try {
    return requireHost(name);
  } catch (error) {
    throw new InvalidArgumentError(describeError(error));
  }
}

/** A whole number from 1. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1');
  return Number(text);
}

/** US dollars, with or without their sign. */
export function parseDollars(text: string): number {
  const value = Number(text.replace(/^\$|usd$/i, ''));
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('expected dollars, e.g. 2.50');
  return value;
}

/** The help of `--task`. */
export const taskHelp =
  'task folders, folders that contain them, ids of `pwp tasks list`, datasets of `pwp datasets list`, or pwp-bench-lite';

export interface SeedOption {
  readonly seed: number;
}

/** `--seed 7`: which variant of the tasks. */
export function seedOption(): Option {
  return new Option('--seed <n>', 'variant of the task, if it has several')
    .default(0)
    .argParser(parseWholeNumber);
}

/** A whole number from 0. */
export function parseWholeNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('expected a whole number from 0');
  return Number(text);
}

/** A TCP port; 0 for a free one. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('expected a port from 0 to 65535');
  return Number(text);
}

export interface ColdOption {
  readonly cold?: boolean;
}

/** `--cold`: no golden checkpoints. */
export function coldOption(): Option {
  return new Option('--cold', 'boot the IDE for each episode instead of restoring a golden checkpoint');
}

export interface NodeOption {
  readonly node?: NodeKind;
}

/** `--node docker`, or `PWP_NODE`: where sandboxes run. */
export function nodeOption(): Option {
  return new Option('--node <kind>', 'where sandboxes run; by default chosen for this machine')
    .choices(['local', 'docker'])
    .env('PWP_NODE');
}

/** The choice of a dataset's records. */
export interface SelectionOptions {
  readonly data?: string;
  readonly ids?: string[];
  readonly sample?: number;
  readonly sampleSeed?: number;
}

/** `--data`, `--ids`, `--sample`, `--sample-seed`. */
export function addSelectionOptions(command: Command): Command {
  return command
    .option('--data <path>', 'files of a dataset, or a folder that has a folder for each dataset')
    .option('--ids <id...>', 'records of a dataset, as it names them; default: all')
    .option('--sample <n>', 'number of records to draw from each dataset', parseCount)
    .option('--sample-seed <n>', 'seed of the draw; default: 0', parseWholeNumber);
}
