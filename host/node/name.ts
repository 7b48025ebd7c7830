/** How long a sandbox's name may be: it is part of paths of Unix sockets, whose length is limited. */
const most = 32;

/** A name that a sandbox may carry, made of any text: what can't be in one becomes dashes, and the end is cut. */
export function sandboxName(text: string): string {
  const name = text
    .replaceAll(/[^a-z0-9-]+/gi, '-')
    .replace(/^-+/, '')
    .slice(0, most)
    .replace(/-+$/, '');
  return name === '' ? 'sandbox' : name;
}
