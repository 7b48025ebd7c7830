import { ide } from '../../bridge/protocol/index.ts';
import type { Desk } from './desk.ts';

/** The state that a call must not change if it was refused, or only reads. */
export type State = readonly string[];

/** Folders that running programs fill, and files that git writes even for queries. */
const passing = ['__pycache__', '.pytest_cache', '.git'];

/** Files with their contents, links and folders; the user's settings; commits and branches. */
const script = `
  find . ${passing.map((name) => `-name ${name} -prune -o`).join(' ')} -type f -print0 | sort -z | xargs -0 -r sha256sum
  find . ${passing.map((name) => `-name ${name} -prune -o`).join(' ')} -type l -printf '%p -> %l\\n' -o -type d -print | sort
  for file in settings.json keybindings.json; do sha256sum /ide/data/User/$file 2>/dev/null; done
  git for-each-ref; ls /tmp/outside 2>/dev/null; true`;

/** The disk, and VS Code's state: tabs, unsaved texts, breakpoints, debug sessions. */
export async function readState(desk: Desk): Promise<State> {
  const [disk, { groups }, { breakpoints }, { sessions }] = await Promise.all([
    desk.lines(script),
    desk.ask(ide.tabs, {}),
    desk.ask(ide.breakpoints, {}),
    desk.ask(ide.debug, {}),
  ]);
  return [
    ...disk,
    ...groups.flatMap(({ tabs }) =>
      tabs.map(({ label, dirty }) => `tab ${label}${dirty ? ' with unsaved text' : ''}`),
    ),
    ...breakpoints.map(
      ({ uri, line, condition, enabled }) => `breakpoint ${uri}:${line} ${condition ?? ''} ${enabled}`,
    ),
    ...sessions.map(({ name, state }) => `debugged: ${name} ${state}`),
  ];
}

/** The parts that only one of two states has; empty if they are the same. */
export function differences(before: State, after: State): string[] {
  const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
  const come = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
  return [...gone, ...come];
}
