import { PwpError } from '../../../../bridge/lib/index.ts';

/** An X server's description of itself at the start of a connection. */
interface ServerGreeting {
  /** The first number that this connection may give to something it makes; the others are this and bits of the mask. */
  readonly resourceBase: number;
  readonly resourceMask: number;
}

/** The part of a greeting that has its length. */
export const greetingHeadBytes = 8;
const acceptedReply = 1;
const fixedBytes = 40;
const formatBytes = 8;
const screenBytes = 40;
const depthBytes = 8;
const visualBytes = 24;
const lowestKeycode = 8;

/** Bytes of a greeting, from its head. Errors: `display-lost` for a refusal and for one that is too long. */
export function readGreetingLength(head: Buffer, { greetingBytes }: DisplayLimits): number {
  if (head.readUInt8(0) !== acceptedReply) throw displayProtocolError('it refused the connection');
  const length = greetingHeadBytes + head.readUInt16LE(6) * 4;
  if (length > greetingBytes) throw displayProtocolError(`its greeting has ${length} bytes`);
  if (length < fixedBytes + screenBytes) throw displayProtocolError(`its greeting has only ${length} bytes`);
  return length;
}

/**
 * Checks a whole greeting, so that what reads it next can't run past its end, wait for parts that never come, or loop.
 * Errors: `display-lost`.
 */
export function checkGreeting(bytes: Buffer, limits: DisplayLimits): ServerGreeting {
  const resourceMask = bytes.readUInt32LE(16);
  if (resourceMask === 0) throw displayProtocolError('it leaves no numbers for what is made');
  const [first, last] = [bytes.readUInt8(34), bytes.readUInt8(35)];
  if (first < lowestKeycode || last < first)
    throw displayProtocolError(`its keycodes are ${first} to ${last}`);
  if (bytes.readUInt8(28) !== 1) throw displayProtocolError(`it has ${bytes.readUInt8(28)} screens`);
  const formats = fixedBytes + padToWord(bytes.readUInt16LE(24));
  const screen = formats + bytes.readUInt8(29) * formatBytes;
  checkFormats(bytes, formats, screen);
  if (screen + screenBytes > bytes.length) throw displayProtocolError('its greeting is cut off');
  checkSize(bytes, screen, limits);
  const end = findEndOfDepths(bytes, screen + screenBytes, bytes.readUInt8(screen + 39));
  if (end !== bytes.length) throw displayProtocolError('its greeting is not as long as it says');
  return { resourceBase: bytes.readUInt32LE(12), resourceMask };
}

function checkFormats(bytes: Buffer, start: number, end: number): void {
  if (end > bytes.length) throw displayProtocolError('its greeting is cut off');
  const depths = new Set<number>();
  for (let at = start; at < end; at += formatBytes) depths.add(bytes.readUInt8(at));
  if (depths.size * formatBytes !== end - start)
    throw displayProtocolError('its greeting names a format twice');
}

function checkSize(bytes: Buffer, screen: number, { pixels }: DisplayLimits): void {
  const [width, height] = [bytes.readUInt16LE(screen + 20), bytes.readUInt16LE(screen + 22)];
  if (width > 0 && height > 0 && width * height <= pixels) return;
  throw displayProtocolError(`its screen has ${width}x${height} pixels`);
}

/** Where the depths of a screen end, each with its visuals. */
function findEndOfDepths(bytes: Buffer, start: number, count: number): number {
  let at = start;
  for (let i = 0; i < count; i += 1) {
    if (at + depthBytes > bytes.length) throw displayProtocolError('its greeting is cut off');
    const visuals = bytes.readUInt16LE(at + 2);
    const end = at + depthBytes + visuals * visualBytes;
    if (end > bytes.length) throw displayProtocolError('its greeting is cut off');
    const ids = new Set<number>();
    for (let each = at + depthBytes; each < end; each += visualBytes) ids.add(bytes.readUInt32LE(each));
    if (ids.size !== visuals) throw displayProtocolError('its greeting names a visual twice');
    at = end;
  }
  return at;
}

function padToWord(length: number): number {
  return Math.ceil(length / 4) * 4;
}

/** Bounds on what an X server may do. The program at its socket may be another one, started by code inside the wall. */
export interface DisplayLimits {
  /** Milliseconds until it has greeted and all that a connection begins with is answered. */
  readonly greetMs: number;
  /** Milliseconds until a request is answered. */
  readonly answerMs: number;
  /** Bytes of its greeting. */
  readonly greetingBytes: number;
  /** Bytes of one reply: the picture of the pointer is the longest. */
  readonly replyBytes: number;
  /** Events, replies and errors in one second. */
  readonly packetsPerSecond: number;
  /** Bytes of requests that it has not read yet. */
  readonly unreadBytes: number;
  /** Pixels of its screen. */
  readonly pixels: number;
}

export const displayLimits: DisplayLimits = {
  greetMs: 30_000,
  answerMs: 30_000,
  greetingBytes: 64 * 1024,
  replyBytes: 1024 * 1024,
  packetsPerSecond: 20_000,
  unreadBytes: 4 * 1024 * 1024,
  pixels: 7680 * 4320,
};

/** The program at the X server's socket does not keep to the protocol: the connection ends with this error. */
export function displayProtocolError(what: string): PwpError {
  return new PwpError('display-lost', `the X server broke the protocol: ${what}`);
}
