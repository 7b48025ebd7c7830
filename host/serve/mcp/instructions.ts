import { addToolsName } from './add-tools.ts';

const all = `One live VS Code in a sandbox, on a copy of a workspace. People may watch and use the same window.
- Prefer the tools for files, search, refactoring, tests and so on: they are faster and safer than mouse and keyboard. Paths are relative to the workspace's first folder. Lines and columns count from 1.
- The computer_* tools use screen, mouse and keyboard. Read the marks (computer_marks) and click them by number. A mark that is gone is refused. Each tool waits until the IDE is at rest, returns its effect (confirmed, partial, no-effect, unverifiable, refused) and the marks that are new, changed or gone, and adds a picture if you ask for one.
- While a person has control, all calls are refused (control-held); wait, or ask_person. Afterwards look first (look-first): the observation says what they changed.
- A failed call says why and what to do. It has changed nothing unless it says so.`;

const adding = `
- These are the tools that most work needs. There are more: ${addToolsName} adds a family to your list, e.g. debug or refactor. A client that does not read its list again can start the server with --all, --families or --tools.`;

/**
 * The server's instructions for a client's model.
 * @param more whether there are tools that the client may add
 */
export function instructions(more: boolean): string {
  return more ? all + adding : all;
}

const ofWindow = `A person's own VS Code window, with their files: what you change is changed. You don't see the screen, and have neither mouse nor keyboard.
- Paths are relative to the workspace's first folder. Lines and columns count from 1. The edits of files go through the editors: nothing that is not saved is lost.
- Tools that change something or run code may ask the person first. The call waits for the answer; not-allowed means that they refused: ask them in the chat before you try again.
- agents-paused and agents-stopped: the person has interrupted you in their window.
- A failed call says why and what to do. It has changed nothing unless it says so.`;

/** As {@link instructions}, for a person's own window. */
export function windowInstructions(more: boolean): string {
  return more ? ofWindow + adding : ofWindow;
}
