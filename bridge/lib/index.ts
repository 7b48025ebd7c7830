export { PwpError, causesOf, isTimeout, messageOf } from './errors.ts';
export { errorCodes, isErrorCode, type PwpErrorCode } from './error-codes.ts';
export { deadline, pause, raceSignal, type Deadline } from './deadline.ts';
export { neverAborted, type Cancellable } from './cancellable.ts';
export { BoundedOutput, readBounded } from './bounded-output.ts';
export { signalGroup } from './process-group.ts';
export { imageFacts, type ImageFacts } from './image-facts.ts';
export { guarded } from './guarded.ts';
export { addressOf, httpDoor, type HttpDoorOptions, type HttpListeners } from './http-door.ts';
export { isSameSecret } from './secret.ts';
export { poll, type Probe } from './poll.ts';
export { SerialQueue } from './serial-queue.ts';
export { Shared } from './shared.ts';
export { startChild, type Child, type ChildOptions, type Exit } from './child.ts';
export { FrameReader, encodeFrame } from './message-frames.ts';
export {
  TerminalText,
  clip,
  clipEnd,
  parseJson,
  plainLine,
  shorten,
  shownText,
  startOfEnd,
  toJson,
  wellFormed,
  withoutUnsafe,
  type SettledText,
} from '../text/index.ts';
