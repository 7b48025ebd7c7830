import { PwpError } from '../../../../bridge/lib/index.ts';

/** The program at the X server's socket does not keep to the protocol: the connection ends with this error. */
export function badServer(what: string): PwpError {
  return new PwpError('display-lost', `the X server broke the protocol: ${what}`);
}
