/** All that a terminal may take for a command: control characters but for tab and newline, and what turns text around. */
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text for a terminal that may come from inside a sandbox: what could steer the terminal is shown as `\x1b`. */
export function printable(text: string): string {
  return text.replaceAll(unsafe, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** The same JSON, with what could steer a terminal written as JSON writes characters by their numbers. */
export function escapedJson(json: string): string {
  return json.replaceAll(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
