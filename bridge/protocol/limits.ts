/** Bounds on all that crosses a socket. A peer that exceeds one is disconnected or refused, never buffered. */
export const limits = {
  /** Bytes of one message. */
  messageBytes: 32 * 1024 * 1024,
  /** Bytes that wait for the other side to read them; a connection with more is ended. */
  queuedBytes: 128 * 1024 * 1024,
  /** Bytes of one file's content in one message. */
  fileBytes: 16 * 1024 * 1024,
  /** Bytes of one piece of an upload. */
  uploadBytes: 8 * 1024 * 1024,
  /** Bytes of all uploads that one connection has begun and not used. */
  uploadsBytes: 1024 * 1024 * 1024,
  /** Bytes that are answered at once; more are fetched in pieces of `uploadBytes`. */
  inlineBytes: 1024 * 1024,
  /** Bytes of all answers that one connection has not fetched yet. */
  downloadsBytes: 512 * 1024 * 1024,
  /** Bytes of one message of a tunnelled connection. */
  tunnelPieceBytes: 64 * 1024,
  /** Bytes of a tunnelled connection, each way, that the other side has not read yet. */
  tunnelWindowBytes: 256 * 1024,
  /** Bytes of each output stream of a shell command. */
  outputBytes: 1024 * 1024,
  /** Marks of one observation. */
  marks: 2000,
  /** Bytes of a DOM tree in text form. */
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
