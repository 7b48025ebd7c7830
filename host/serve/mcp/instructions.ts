import { addToolsName } from './add-tools.ts';

const all = `One live VS Code in a sandbox, on a copy of a workspace. People may watch and use the same window.
- Prefer the tools for files, search, refactoring, tests and so on: they are faster and safer than mouse and keyboard. Paths are relative to the workspace's first folder. Lines and columns count from 1.
- The computer_* tools use screen, mouse and keyboard. Read the marks (computer_marks) and click them by number. A mark that is gone is refused. Each tool waits until the IDE is at rest, returns its effect (confirmed, partial, no-effect, unverifiable, refused) and the marks that are new, changed or gone, and adds a picture if you ask for one.
- While a person has control, all calls are refused (control-held); wait, or ask_person. Afterwards look first (look-first): the observation says what they changed.
- A failed call says why and what to do. It has changed nothing unless it says so.`;

const adding = `
- These are the tools that most work needs. There are more: ${addToolsName} adds a family to your list, e.g. debug, refactor or data. A client that does not read its list again can start the server with --all, --families or --tools.`;

/**
 * What a client's model reads about the server as a whole.
 * @param more whether there are tools that the client may add
 */
export function instructions(more: boolean): string {
  return more ? all + adding : all;
}
