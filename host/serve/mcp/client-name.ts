/** A client's name for itself, as one line of bounded length: it appears in records, questions and terminals. */
export function clientName(info: { readonly name: string; readonly version: string } | undefined): string {
  return `${info?.name ?? 'unnamed'} ${info?.version ?? ''}`
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()
    .slice(0, 100);
}
