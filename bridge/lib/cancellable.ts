/** The last parameter of everything that takes time. */
export interface Cancellable {
  /** Ends the operation early, which then rejects with the signal's reason. Default: nothing ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** The signal of an operation that nobody cancels. */
export const neverAborted: AbortSignal = new AbortController().signal;
