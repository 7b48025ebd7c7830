import type { Box, DomProbe, Focus, Mark, Point } from '../../protocol/index.ts';

/** What one reading of the page gives; the bridge adds the observation's number. */
export interface Reading {
  readonly url: string;
  readonly title: string;
  readonly focus: Focus | null;
  readonly caret: Box | null;
  readonly marks: readonly Mark[];
  readonly omitted: number;
  /** The lowest id that no mark has had yet. */
  readonly nextId: number;
}

/** Where a mark is now, or why it can't be clicked. */
export type Located = { readonly point: Point; readonly box: Box } | { readonly gone: string };

export interface PageState {
  /** The document is VS Code's workbench. */
  readonly workbench: boolean;
  /** The workbench has restored its editors and views, and drawn them. */
  readonly restored: boolean;
  /** Keys go to this document, and it is shown. */
  readonly focused: boolean;
  /** Size of the viewport in screen pixels. */
  readonly width: number;
  readonly height: number;
}

/** What only the page knows of a probe. */
export type PageProbe = Pick<DomProbe, 'focus' | 'surface' | 'terminal' | 'selected' | 'scroll' | 'changes'>;

export interface PageActivity {
  readonly quietMs: number;
  readonly busy: readonly string[];
}

export interface TreeText {
  readonly text: string;
  readonly truncated: boolean;
  readonly elements: number;
}

/** What the script inside the page offers to the bridge. Plain data in and out: it crosses the debugging protocol. */
export interface PageApi {
  /** @param nextId new marks are numbered from here on, so that no id returns after a reload */
  observe(limit: number, nextId: number): Reading;
  locate(id: number): Located;
  /** Null when nothing matches the selector. */
  tree(within: string, depth: number, maxChars: number): TreeText | null;
  activity(): PageActivity;
  /** Resolves when the page has dealt with the input that it has got. */
  probe(points: readonly Point[]): Promise<PageProbe>;
  state(): PageState;
}
