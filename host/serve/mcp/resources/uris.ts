/** The resources that always exist. */
export const uris = {
  screen: 'pwp://screen',
  state: 'pwp://state',
  record: 'pwp://record',
} as const;

const filePrefix = 'pwp://file/';

/** A file of the workspace as a resource. */
export function fileUri(path: string): string {
  return filePrefix + path.split('/').map(encodeURIComponent).join('/');
}

/** The path of such a resource; undefined for other URIs. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith(filePrefix)) return undefined;
  try {
    return decodeURIComponent(uri.slice(filePrefix.length));
  } catch {
    return undefined;
  }
}
