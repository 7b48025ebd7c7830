import { join } from 'node:path';
import type { Environment } from '../env/index.ts';
import { recordFiles, startVideo, type EpisodeRecord } from '../record/index.ts';

/** Films an episode's screen into its record until it is disposed. Errors: `ffmpeg-missing`. */
export async function filmEpisode(env: Environment, record: EpisodeRecord): Promise<AsyncDisposable> {
  const video = await startVideo({
    path: join(record.folder, recordFiles.video),
    take: (options, signal) => env.picture({ ...options, signal }),
    ...(env.hasSound && { sound: (options) => env.sound(options) }),
  });
  return { [Symbol.asyncDispose]: async () => record.video(await video.finish()) };
}
