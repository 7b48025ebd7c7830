/**
 * Where inotify watches of programs inside may be, below the root: from overlays CRIU can't open them by handle. It
 * looks there in this order until it has found all, so large folders come last.
 */
const watched = ['workspace', 'root', 'ide', 'home', 'etc', 'tmp', 'run', 'opt', 'var', 'usr'];

/** Options for CRIU beside runc's own, in the form of https://criu.org/Configuration_files. */
export const criuConfig = [
  'force-irmap',
  ...watched.map((folder) => `irmap-scan-path /${folder}`),
  'tcp-established',
  'file-locks',
  // Files that are open but removed go into the image or get a name for the time of the dump.
  'link-remap',
  'ghost-limit 536870912',
  // Nothing outside is connected while a sandbox is dumped; packets on its own loopback can wait.
  'network-lock skip',
  // Errors and warnings: all the rest is 100 000 lines.
  'verbosity 2',
  '',
].join('\n');
