/** What of a patch `git apply` takes. */
export interface TextPatch {
  readonly text: string;
  /** Paths of the files that it lacks: binary ones, and those that were too large to be compared. */
  readonly leftOut: readonly string[];
}

/** A patch as `renderPatch` makes it, without the files that it only names. */
export function dropBinaryParts(patch: string): TextPatch {
  const parts = splitPatch(patch);
  return {
    text: parts.filter((part) => !isBinaryPart(part)).join(''),
    leftOut: parts.filter(isBinaryPart).map(readPatchPath),
  };
}

/** One part for each file: lines of a file's content never begin like this, since each has a sign in front. */
function splitPatch(patch: string): string[] {
  return patch.split(/(?<=^|\n)(?=diff --git )/).filter((part) => part !== '');
}

/** Splits at Git's line ends only, not at others that JavaScript knows, which an agent's text may contain. */
function isBinaryPart(part: string): boolean {
  return /\nBinary files [^\n]* differ\n/.test(part);
}

function readPatchPath(part: string): string {
  return /^diff --git (?:"?a\/)(.*?)"? "?b\//.exec(part)?.[1] ?? part.split('\n', 1)[0] ?? '';
}
