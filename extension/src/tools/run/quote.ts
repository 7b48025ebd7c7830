/**
 * A command as one line that an interactive bash runs unchanged. Commands go through `eval` if they have characters that
 * readline would act on (tabs, line ends), if history expansion would change them, or if the shell would wait for a
 * second line.
 */
export function typedLine(command: string): string {
  return isPlain(command) ? command.trim() : `eval ${ansiQuoted(command)}`;
}

function isPlain(command: string): boolean {
  const text = command.trim();
  if (text === '' || text.startsWith('#') || text.endsWith('\\')) return false;
  if (/[\u0000-\u001f\u007f!`]|<</.test(text)) return false;
  // Shell integration does not report a subshell.
  if (/^[({]/.test(text)) return false;
  if (/\b(?:if|for|while|until|case|select|function)\b/.test(text)) return false;
  if (/(?:&&|\|\|?)$/.test(text)) return false;
  return (
    ['"', "'"].every((quote) => count(text, quote) % 2 === 0) && balanced(text, '()') && balanced(text, '{}')
  );
}

function balanced(text: string, [open = '', close = '']: string): boolean {
  return count(text, open) === count(text, close);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** In bash's `$'…'`, which may contain anything. */
function ansiQuoted(text: string): string {
  const escaped = text.replaceAll(/[\u0000-\u001f\u007f\\'!]/g, (character) => {
    if (character === '\n') return String.raw`\n`;
    if (character === '\\' || character === "'") return `\\${character}`;
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped}'`;
}
