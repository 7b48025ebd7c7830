/** How a client calls itself, as one line of bounded length: it goes into records and questions, and onto terminals. */
export function clientName(info: { readonly name: string; readonly version: string } | undefined): string {
  return `${info?.name ?? 'unnamed'} ${info?.version ?? ''}`
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()
    .slice(0, 100);
}
