import { InvalidArgumentError, Option } from 'commander';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { readSize } from '../../lib/index.ts';
import {
  defaultDisplay,
  type Display,
  type Language,
  languageNames,
  resolveLanguages,
} from '../../node/index.ts';
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
  const size = readSize(text);
  if (!size) throw new InvalidArgumentError('expected e.g. 1280x800');
  return size;
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

/** A whole number from 0. */
export function parseWholeNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('expected a whole number from 0');
  return Number(text);
}

/** As in `30m`, in milliseconds. */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})(s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(count) * ({ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 0);
  if (!(ms > 0 && ms <= 20 * 86_400_000)) throw new InvalidArgumentError('expected e.g. 90s, 30m or 8h');
  return ms;
}

/** As in `30d`, in milliseconds. */
export function parseDays(text: string): number {
  const [, days = '0'] = /^([1-9]\d{0,3})d$/.exec(text) ?? [];
  if (days === '0') throw new InvalidArgumentError('expected days, e.g. 30d');
  return Number(days) * 86_400_000;
}

/** A TCP port; 0 for a free one. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('expected a port from 0 to 65535');
  return Number(text);
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
