/** What a client's model reads about the server as a whole. */
export const instructions = `One live VS Code in a sandbox, on a copy of a workspace; people may watch and use the same window.
- Prefer the tools for files, search, refactoring, tests and so on: they are quicker and safer than mouse and keyboard. Paths are relative to the workspace's first folder. Lines and columns count from 1.
- The computer_* tools use screen, mouse and keyboard. Read the marks (computer_marks) and click those by number; a mark of an older observation is refused: read anew. Each answers with its effect (confirmed, partial, no-effect, unverifiable, refused), waits until the IDE is at rest, and brings a picture where you ask for one.
- A failed call says why and what to do, and has left things as they were unless it says otherwise.`;
