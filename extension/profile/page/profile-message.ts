/** A bar, in the order of callers before what they called. */
export interface FlameBar {
  readonly name: string;
  /** `file:line`, or empty. */
  readonly place: string;
  /** 1 for the outermost calls. */
  readonly depth: number;
  /** From the left, in the profile's unit. */
  readonly start: number;
  readonly self: number;
  readonly total: number;
}

export interface FunctionRow {
  readonly name: string;
  readonly place: string;
  readonly self: number;
  readonly total: number;
}

/** The content of the page. */
export type ProfileView =
  | {
      readonly kind: 'profile';
      readonly file: string;
      readonly unit: string;
      readonly total: number;
      readonly bars: readonly FlameBar[];
      /** Bars too thin to be sent. */
      readonly omitted: number;
      readonly functions: readonly FunctionRow[];
    }
  | { readonly kind: 'problem'; readonly message: string };

export type ProfileShown = Extract<ProfileView, { kind: 'profile' }>;

/** Messages of the page. */
export interface PageReady {
  readonly kind: 'ready';
}
