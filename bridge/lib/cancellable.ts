/** The last parameter of every function that takes time. */
export interface Cancellable {
  /** Ends the operation early, which then rejects with the signal's reason. Default: nothing ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** The signal of an operation that is never cancelled. */
export const neverAborted: AbortSignal = new AbortController().signal;
