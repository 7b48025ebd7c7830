/**
 * A script that writes a text to a file of the workspace. The text is encoded: it may have lines that no shell should
 * read, and those that the agent is given anyway are not taken for a leak.
 */
export function writesEncoded(path: string, text: string): string {
  return `${decodes(text)} > '/workspace/${path}'\n`;
}

/** A pipe's beginning: it writes the text to its standard output. Lines are short enough for any shell. */
export function decodes(text: string): string {
  const lines = Buffer.from(text)
    .toString('base64')
    .replaceAll(/.{1,1000}/g, '$&\n');
  return `printf '%s' '\n${lines}' | base64 -d`;
}
