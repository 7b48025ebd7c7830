export { PwpError, isTimeout, messageOf } from './errors.ts';
export { errorCodes, isErrorCode, type PwpErrorCode } from './error-codes.ts';
export { deadline, pause, raceSignal, type Deadline } from './deadline.ts';
export { neverAborted, type Cancellable } from './cancellable.ts';
export { poll, type Probe } from './poll.ts';
export { SerialQueue } from './serial-queue.ts';
export { Shared } from './shared.ts';
export { startChild, type Child, type ChildOptions, type Exit } from './child.ts';
