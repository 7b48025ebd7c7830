/** A name that every vendor takes back. A model may call what no tool is named, and the call is answered all the same. */
export function sentName(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}

/** Text for servers that refuse one without words. */
export function sentText(text: string): string {
  return text.trim() === '' ? '(blank)' : text;
}
