import type { Box, dom, DomProbe, Focus, Mark, ParamsOut, Point, ResultOf } from '../../protocol/index.ts';

/** A rectangle by its edges, in pixels of the top document's viewport. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The document's place in the top document's viewport, and its visible part. Null for the top document. */
export type FramePlace = { readonly dx: number; readonly dy: number; readonly clip: Rect } | null;

/** Which marks are requested. Fields that are null or absent don't narrow. */
export interface ReadingQuery {
  /** CSS selector: only what is inside a match of it. */
  readonly within?: string | undefined;
  readonly role?: string | undefined;
  /** Part of the name or the value; case is ignored. */
  readonly text?: string | undefined;
}

export interface ReadingRequest extends ReadingQuery {
  readonly limit: number;
  /** New elements are numbered from here on, so that no id returns after a reload. The bridge gives marks shorter ones. */
  readonly nextId: number;
  readonly place: FramePlace;
  /** Milliseconds of its own time after which the reading stops, wherever it is. */
  readonly budgetMs: number;
  /** The marks are not for clicking: those of the previous reading stay valid. */
  readonly glance: boolean;
  /** Only some of the marks are requested: those of the previous reading stay valid, too. */
  readonly part: boolean;
}

/** A shown frame of another origin, which has to be asked itself. */
export interface ForeignFrame {
  /** The same as long as the frame's element lives. */
  readonly key: number;
  readonly name: string;
  readonly place: NonNullable<FramePlace>;
  /** It has the keyboard. */
  readonly focused: boolean;
  /** The query's selector matches something around it, so everything in it is requested. */
  readonly inside: boolean;
}

/** The result of one reading of the page; the bridge adds the observation's number. */
export interface Reading {
  /** The document is VS Code's workbench, and has the keyboard. */
  readonly workbench: boolean;
  readonly url: string;
  readonly title: string;
  readonly focus: Focus | null;
  readonly caret: Box | null;
  readonly marks: readonly Mark[];
  readonly omitted: number;
  /**
   * Why a part of the page was not read: it has too many elements, or there was no time. Null if all was read.
   */
  readonly cut: 'many' | 'late' | null;
  /** How much slower the reading was than on a free machine, as a factor. */
  readonly slowdown: number;
  /** The lowest id that no mark has had yet. */
  readonly nextId: number;
  readonly frames: readonly ForeignFrame[];
}

/** The mark's place now, or why it can't be clicked. */
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
  /** When the document was loaded, in milliseconds since 1970. */
  readonly loadedAt: number;
}

/** The part of a probe that only the page can report. */
export type PageProbe = Omit<DomProbe, 'dialog'>;

export interface PageActivity {
  /** As in {@link Reading}. */
  readonly workbench: boolean;
  readonly quietMs: number;
  readonly pauseMs: number;
  /** Busy indicators that are visible, and for how long already. */
  readonly busy: readonly { readonly what: string; readonly ageMs: number }[];
}

export type TreeRequest = ParamsOut<typeof dom.tree>;
export type TreeText = ResultOf<typeof dom.tree>;
export type TextRequest = ParamsOut<typeof dom.text>;

/** Text that no mark says. */
export interface StaticText {
  readonly pieces: readonly { readonly text: string; readonly box: Box }[];
  /** Pieces beyond the limits. */
  readonly omitted: number;
  /** The page has more text than was looked at. */
  readonly truncated: boolean;
  /** Shown frames of other origins, whose text is not read. */
  readonly frames: number;
}

/** The element at a point; its id is 0 if it is not a mark. */
export type PageUnder = Omit<Mark, 'id'> & { readonly id: number };

/** A mark as it is drawn into the page; its box in the page's own pixels. */
export interface DrawnMark {
  readonly id: number;
  /** Of its colour, in degrees. */
  readonly hue: number;
  readonly box: Box;
}

/** Functions of the in-page script that the bridge calls. Plain data in and out: it crosses the debugging protocol. */
export interface PageApi {
  observe(request: ReadingRequest): Reading;
  locate(id: number, place: FramePlace): Located;
  /** The shown frames of other origins, as they are now. */
  frames(place: FramePlace): ForeignFrame[];
  /** The element of a frame of another origin, for the debugging protocol to name. */
  frame(key: number): HTMLIFrameElement | undefined;
  /** For each of these points of the screen, whether it shows the frame and not something that covers it. */
  shows(key: number, points: readonly Point[]): boolean[];
  /** Null when nothing matches the selector, or the element of that number is gone. */
  tree(request: TreeRequest): TreeText | null;
  /** Null when nothing matches the selector. */
  text(request: TextRequest): StaticText | null;
  /** The element that a click at a point of the screen would reach; null outside of the page. */
  under(point: Point): PageUnder | null;
  activity(): PageActivity;
  /** Resolves when the page has handled the input that it has received. */
  probe(points: readonly Point[]): Promise<PageProbe>;
  state(): PageState;
  /** The box of the first visible match of a CSS selector; null if nothing visible matches. */
  boxOf(selector: string): Box | null;
  /** Draws marks over the page, in place of earlier ones; returns how many. */
  overlay(marks: readonly DrawnMark[]): number;
}
