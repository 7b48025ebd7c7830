/** The extension's answers in a window. */
export interface Restricted {
  readonly trusted: boolean;
  /** By tool or method: `ok`, or the reason. */
  readonly answers: Readonly<Record<string, string>>;
  /** The texts of the dialogs that were open. */
  readonly dialogs: readonly string[];
}

/** Before and after the user trusted the folder. */
export interface RestrictedReport {
  readonly before: Restricted;
  readonly after: Restricted;
}
