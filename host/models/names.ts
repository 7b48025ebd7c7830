/** A name that every vendor takes back. A model may call a tool that does not exist, and the call is still answered. */
export function sentName(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unnamed';
}

/** Text for servers that refuse one without words. */
export function sentText(text: string): string {
  return text.trim() === '' ? '(blank)' : text;
}
