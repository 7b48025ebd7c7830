import { succeeded, type Call } from '../calls.ts';
import { editOf, fileOf } from '../edits.ts';

/** The files that an episode read by tools. Commands of a shell read, too, but are not counted, since they don't show it. */
export interface ReadFigures {
  /** Calls that read or search files. */
  readonly reads: number;
  /** Unique files that were read. */
  readonly filesRead: number;
  /** Files read before the first tried edit; null without one. */
  readonly filesReadBeforeEdit: number | null;
  /** Calls before the first tried edit; null without one. */
  readonly callsBeforeEdit: number | null;
  /** Whether some of them used mouse and keyboard: files that these showed are not counted. */
  readonly lookedBeforeEdit: boolean;
  /** How often the file that was read most often was read again. */
  readonly mostRereads: number;
  /** The number of files in the workspace, if a call has reported it. */
  readonly filesInWorkspace: number | null;
}

export class ReadTally {
  readonly #byFile = new Map<string, number>();
  #reads = 0;
  #calls = 0;
  #looked = false;
  #before: Pick<ReadFigures, 'filesReadBeforeEdit' | 'callsBeforeEdit' | 'lookedBeforeEdit'> | null = null;
  #filesInWorkspace: number | null = null;

  add(calls: readonly Call[]): void {
    for (const call of calls.filter(({ outcome }) => outcome !== null)) {
      if (editOf(call)) this.#before ??= this.#untilNow();
      if (call.outcome?.action.kind !== 'tool') this.#looked = true;
      this.#calls += 1;
      if (isRead(call)) this.#read(call);
    }
  }

  get figures(): ReadFigures {
    const none = { filesReadBeforeEdit: null, callsBeforeEdit: null, lookedBeforeEdit: false };
    const most = [...this.#byFile.values()].reduce((all, times) => Math.max(all, times), 1);
    return {
      ...{ reads: this.#reads, filesRead: this.#byFile.size, ...(this.#before ?? none) },
      ...{ mostRereads: most - 1, filesInWorkspace: this.#filesInWorkspace },
    };
  }

  #untilNow() {
    const filesReadBeforeEdit = this.#byFile.size;
    return { filesReadBeforeEdit, callsBeforeEdit: this.#calls, lookedBeforeEdit: this.#looked };
  }

  #read(call: Call): void {
    this.#reads += 1;
    const [name, file] = [call.tool?.tool.name, fileOf(call)];
    if (name === 'repository_structure') {
      const files = /: (\d+) files? in /.exec(call.outcome?.output ?? '')?.[1];
      if (files !== undefined) this.#filesInWorkspace = Math.max(this.#filesInWorkspace ?? 0, Number(files));
    }
    if (name === 'read_file' && file !== null && succeeded(call))
      this.#byFile.set(file, (this.#byFile.get(file) ?? 0) + 1);
  }
}

/** A call that reads files, or searches them. */
function isRead({ tool }: Call): boolean {
  if (!tool?.tool.readOnly) return false;
  return tool.tool.family === 'files' || tool.tool.family === 'search';
}
