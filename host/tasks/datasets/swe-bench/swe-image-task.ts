import { imagePrograms, PwpError, SingleFlight } from '../../../../bridge/lib/index.ts';
import { clipEnd } from '../../../../bridge/text/index.ts';
import {
  type ArchiveEntry,
  type ImageTask,
  type JudgedPatch,
  makeTask,
  makeTextEntry,
  type Task,
  type TaskImage,
} from '../../format/index.ts';
import { ensureOwnersPackage, sweBenchPackage } from '../owners/index.ts';
import { type DatasetAbout, makeRecordConfig, makeTaskId } from '../records/index.ts';
import { leaveNotes, makePatchScript } from '../repository/index.ts';
import { evalCommands, requireEvalRecord } from './eval-commands.ts';
import { type ImageVerdict, judgeInImage } from './judge-in-image.ts';
import { isResolved, listStatuses, scoreOwnersVerdict } from './owners-score.ts';
import type { SweRecord } from './swe-bench-sets.ts';

export interface SweImageParts extends Pick<Task, 'instruction'> {
  readonly about: DatasetAbout;
  /** Where its data is. */
  readonly data: string;
  readonly record: SweRecord;
  readonly home: readonly ArchiveEntry[];
}

/** As the owners' images have it, and their scripts expect it. */
const workspacePath = '/testbed';

/**
 * A record in its own image: the agent works in the repository there, and a patch is judged by the record's script and the
 * owners' code.
 */
export function makeSweImageTask({ about, data, record, instruction, home }: SweImageParts): ImageTask {
  const played = makeTask({
    ...{ id: makeTaskId(about, record.instance_id), path: data, instruction, home },
    workspace: [],
    // Not brought into a sandbox: the task is another one with another record.
    tests: [makeTextEntry('record.json', JSON.stringify(record))],
    config: makeRecordConfig(about, { agentSeconds: 3600 }),
    solutions: [{ name: 'gold', text: makePatchScript(record.patch) }],
    falseSolutions: [leaveNotes],
  });
  const gold = new GoldVerdicts(record);
  return {
    ...played,
    workspacePath,
    checkImage: (image) => checkRecordImage(record, image),
    judge: async (patch, image): Promise<JudgedPatch> => {
      const { verdict, log } = await judgePatch(record, patch, image);
      const known = isResolved(verdict) || record.patch.trim() === '' ? undefined : await gold.of(image);
      return {
        ...scoreOwnersVerdict(verdict, known?.verdict),
        log: `${clipEnd(log, mostLog)}\n${listStatuses(verdict)}`,
      };
    },
  };
}

/** UTF-16 code units of a log that are kept. */
const mostLog = 400_000;

async function judgePatch(record: SweRecord, patch: string, image: TaskImage): Promise<ImageVerdict> {
  const { signal } = image;
  const whole = requireEvalRecord(record);
  await using sandbox = await image.start(evalCommands(whole, patch).files);
  return await judgeInImage(whole, patch, { sandbox, env: {}, signal });
}

/** The verdicts on a record's own patch, one for each image: the tests of a record take minutes. */
class GoldVerdicts {
  readonly #record: SweRecord;
  readonly #byImage = new Map<string, SingleFlight<ImageVerdict>>();

  constructor(record: SweRecord) {
    this.#record = record;
  }

  of(image: TaskImage): Promise<ImageVerdict> {
    const work = (signal: AbortSignal) => judgePatch(this.#record, this.#record.patch, { ...image, signal });
    const flight = this.#byImage.get(image.key) ?? new SingleFlight(work);
    this.#byImage.set(image.key, flight);
    return flight.get(image.signal);
  }
}

/** Also makes sure that a score is possible before an agent costs anything. */
async function checkRecordImage(record: SweRecord, image: TaskImage): Promise<void> {
  const { signal } = image;
  const { instance_id: id } = requireEvalRecord(record);
  const problem = await findRepositoryProblem(record, image);
  if (problem !== undefined)
    throw new PwpError('unsupported', `${id} can't be played in the image ${image.name}: ${problem}`, {
      help: 'Name its own image: --image swebench/sweb.eval.x86_64.owner_1776_name-1. Fetch an old one again: pwp images pull.',
    });
  await ensureOwnersPackage(sweBenchPackage, { signal });
}

async function findRepositoryProblem(record: SweRecord, image: TaskImage): Promise<string | undefined> {
  await using sandbox = await image.start([]);
  const { exitCode, stdout, stderr } = await sandbox.exec(
    {
      argv: [imagePrograms.bash, '-c', checkScript, 'check', record.base_commit],
      cwd: '/',
      env: { HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...trustAllFolders },
      timeoutMs: 300_000,
      maxOutputBytes: 10_000,
    },
    { signal: image.signal },
  );
  if (exitCode === 0) return undefined;
  return stdout.trim() || stderr.trim() || `Git ended with ${exitCode}`;
}

const trustAllFolders = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
};

/**
 * Whether the repository is at the base commit, and has no commit that the agent could read the solution from: a newer one
 * that is not what the image's owners put on top of the base commit. Says why not.
 */
const checkScript = `git() { ${imagePrograms.git} "$@"; }
base=$1
cd ${workspacePath} 2>&1 || exit 1
git cat-file -e "$base^{commit}" || { echo "${workspacePath} is no repository with the commit $base"; exit 1; }
on_top=$(git rev-list --count "$base..HEAD") && git merge-base --is-ancestor "$base" HEAD && [ "$on_top" -le 1 ] ||
  { echo "${workspacePath} is not at the commit $base"; exit 1; }
commits() {
  git cat-file --batch-all-objects --unordered --batch-check='%(objecttype) %(objectname)' |
    while read -r type id; do [ "$type" = commit ] && echo "$id"; done
  echo ^HEAD
}
newer=$(commits | git rev-list --stdin --max-count=1 --since=$(($(git show -s --format=%ct "$base") + 1)) --no-commit-header --format='%h %s') || exit 1
[ -z "$newer" ] || { echo "its repository has commits that are newer than $base, which may have the solution: $newer"; exit 1; }
`;
