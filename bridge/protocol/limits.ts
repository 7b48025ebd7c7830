/** Bounds on everything that crosses a socket. A peer that exceeds one is disconnected or refused, never buffered. */
export const limits = {
  /** Bytes of one message. */
  messageBytes: 32 * 1024 * 1024,
  /** Bytes that wait for the other side to read them; a connection with more is ended. */
  queuedBytes: 128 * 1024 * 1024,
  /** Byte streams that one side of a connection has opened. */
  streams: 2048,
  /** Bytes of a byte stream in one message. */
  streamPieceBytes: 64 * 1024,
  /** Bytes of a byte stream, each way, that the other side has not read yet. */
  streamWindowBytes: 1024 * 1024,
  /** The same for all byte streams of a connection together, on top of `streamLeastWindowBytes` for each. */
  streamsWindowBytes: 64 * 1024 * 1024,
  streamLeastWindowBytes: 8 * 1024,
  /** Bytes of the reason why a byte stream broke. */
  streamReasonBytes: 1000,
  /** Bytes of all seeds of a connection that a node has not used yet. */
  seedsBytes: 1024 * 1024 * 1024,
  /** Bytes of all answers of a connection that have not been read yet. */
  answersBytes: 512 * 1024 * 1024,
  /** UTF-16 code units of a program's standard input. */
  inputText: 4 * 1024 * 1024,
  /** Bytes of each output stream of a shell command. */
  outputBytes: 1024 * 1024,
  /** Marks of one observation. */
  marks: 2000,
  /** Pieces of text in one answer of `dom.text`. */
  textPieces: 500,
  /** Bytes of a DOM tree in text form, and of all pieces of a text. */
  treeText: 256 * 1024,
  /** UTF-16 code units of an editor's text. */
  editorText: 2 * 1024 * 1024,
  /** UTF-16 code units of the output of one command of a terminal. */
  terminalText: 200_000,
  /** UTF-16 code units of the values of all settings in one answer, as JSON. */
  settingsText: 4 * 1024 * 1024,
  /** UTF-16 code units of a tool's result as JSON, without its images. */
  toolResult: 2 * 1024 * 1024,
  /** Pictures of one tool's answer. */
  toolImages: 10,
  /** Base64 characters of one picture of a tool's answer. */
  toolImage: 8 * 1024 * 1024,
  /** Steps that are kept for people who follow an agent. */
  agentSteps: 200,
  /** Requests pending on one connection. */
  pendingRequests: 256,
} as const;
