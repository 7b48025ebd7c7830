/** What the extension answered in a window. */
export interface Restricted {
  readonly trusted: boolean;
  /** By tool or method: `ok`, or why not. */
  readonly answers: Readonly<Record<string, string>>;
  /** The texts of dialogs that stood open then. */
  readonly dialogs: readonly string[];
}

/** Before its user trusted the folder, and after. */
export interface RestrictedReport {
  readonly before: Restricted;
  readonly after: Restricted;
}
