import type { Language, Node } from '../../node/index.ts';

// Apart from what uses it, so that the command line is read without loading a node.

export type NodeKind = Node['kind'];

/** The user's choice for this run of the program, from `--node` and `--with`. */
interface NodeChoice {
  /** Undefined: the kind that fits this machine. */
  readonly kind: NodeKind | undefined;
  /** Extra languages in the image. */
  readonly languages: readonly Language[];
}

let choice: NodeChoice = { kind: undefined, languages: [] };

export function chooseNode(kind: NodeKind | undefined, languages: readonly Language[]): void {
  choice = { kind, languages };
}

export function readNodeChoice(): NodeChoice {
  return choice;
}
