import type Docker from 'dockerode';

/** An engine's message about work that takes a while. */
export interface WorkLine {
  /** Output of a build. */
  readonly stream?: string;
  /** Why it failed. */
  readonly error?: string;
}

/**
 * Reads an engine's progress messages until it has finished. Rejects with the failure in them: the status of the
 * response was sent when the work began, and the engine's client ignores what comes later.
 */
export async function followWork(
  engine: Docker,
  stream: NodeJS.ReadableStream,
  onLine: (line: WorkLine) => void = () => {},
): Promise<void> {
  let failure: string | undefined;
  const read = (line: WorkLine) => {
    failure ??= line.error;
    onLine(line);
  };
  await new Promise<void>((resolve, reject) =>
    engine.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()), read),
  );
  if (failure !== undefined) throw new Error(failure);
}
