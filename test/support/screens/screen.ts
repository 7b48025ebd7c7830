import { shell } from '../../../bridge/protocol/index.ts';
import type { Ide } from '../ide-sandbox.ts';
import { makeRepository } from './workspace.ts';

/** Role and name of an element that a person would click. */
export type Target = readonly [role: string, name: RegExp];

/** One state of the IDE and the elements that a person would click there. */
export interface Screen {
  open(ide: Ide): Promise<void>;
  close?(ide: Ide): Promise<void>;
  /** Elements to click, in addition to the {@link frame}. */
  readonly shown: readonly Target[];
  /** A dialog or a menu that covers the frame, or most of it. */
  readonly modal?: true;
  /** An editor within the editor lies at its centre: what is drawn there is not the outer one. */
  readonly nested?: true;
}

/** The elements around every screen that is not modal. */
export const frame: readonly Target[] = [
  ['menuitem', /^Application Menu/],
  ['tab', /^Explorer/],
  ['tab', /^Search/],
  ['tab', /^Source Control/],
  ['tab', /^Run and Debug/],
  ['tab', /^Extensions/],
  ['button', /^Accounts/],
  ['button', /^Manage/],
  ['button', /^Customize Layout/],
  ['button', /^Toggle Primary Side Bar/],
  ['button', /^Toggle Panel/],
  ['button', /^Notifications/],
  ['button', /Checkout Branch/],
];

/** Makes a repository of the workspace. */
export async function prepare(ide: Ide): Promise<void> {
  await ide.sandbox.call(shell.run, { command: makeRepository }, { signal: AbortSignal.timeout(20_000) });
}

/** Runs a command of the palette. */
export async function command(ide: Ide, name: string): Promise<void> {
  await ide.key('F1');
  await ide.type(name);
  await ide.find('option', new RegExp(name.split(': ').at(-1) ?? name));
  await ide.observeStill();
  await ide.key('Return');
}

export async function openFile(ide: Ide, name: string): Promise<void> {
  await ide.key('ctrl+p');
  await ide.type(name);
  await ide.find('option', new RegExp(`^${name.split('/').at(-1) ?? name}`));
  await ide.observeStill();
  await ide.key('Return');
}

/** Opens a file and puts the caret into a line. */
export async function openAt(ide: Ide, name: string, line: number): Promise<void> {
  await openFile(ide, name);
  await ide.find('tab', new RegExp(`^${name.split('/').at(-1) ?? name}`));
  await ide.observeStill();
  await ide.key('ctrl+g');
  await ide.type(`${line}\n`);
  await ide.find('button', new RegExp(`^Ln ${line}, Col`));
}

export const escape = (ide: Ide): Promise<void> => ide.key('Escape');
