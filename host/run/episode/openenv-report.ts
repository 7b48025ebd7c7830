import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Task } from '../../tasks/index.ts';
import type { Finding } from './task-proof.ts';

// The report on a package of OpenEnv's RFC 008 (https://github.com/meta-pytorch/OpenEnv, rfcs/008; schema 1, policy v1).

type Status = 'pass' | 'fail' | 'skip' | 'error';

interface OpenEnvCheck {
  readonly check_id: string;
  readonly status: Status;
  readonly measured: Readonly<Record<string, unknown>>;
  readonly evidence: readonly string[];
  readonly remediation: string | null;
  readonly duration_s: number;
}

interface OpenEnvReport {
  readonly target: string;
  readonly source_digest: string;
  readonly results: readonly OpenEnvCheck[];
  readonly verdict: 'pass' | 'warn' | 'fail';
  readonly [field: string]: unknown;
}

/** The limits of policy v1 for what a task declares. */
const longestEpisodeSeconds = 3600;
/** The defaults of `[environment]`. */
const usualResources = { cpus: 2, memory_mb: 4096, storage_mb: 10_240 };
/** Checks of the policy for which `pwp tasks check` has no measurement. */
const notMeasured = ['verifier_portability', 'resource_envelope', 'replayability'];

/**
 * What `pwp tasks check` found about a task, as a report of OpenEnv's format. A run without a score is an `error` there: it
 * proves neither. Checks that were not measured are `skip`, so that the verdict is `warn` at best.
 */
export async function makeOpenEnvReport(task: Task, findings: readonly Finding[]): Promise<OpenEnvReport> {
  const own = findings.filter((finding) => finding.task === task.id);
  const seconds = task.config.agent.timeout_sec;
  const results = [
    makeCheck('static.manifest', 'pass'),
    makeCheck('static.timeout_ceiling', seconds <= longestEpisodeSeconds ? 'pass' : 'fail', {
      measured: { episode_timeout_s: seconds },
      remediation: `Set timeout_sec of [agent] to ${longestEpisodeSeconds} at most.`,
    }),
    judgeSeeds(own),
    judgeRuns('semantic.oracle_max', own, isSolution, 'Add a solution that scores 1.'),
    judgeRuns('semantic.floor_gap', own, ({ run }) => run === 'null', 'Make tests that fail at first.'),
    judgeRuns('semantic.canary_floor', own, ({ run }) => run.startsWith('false '), 'Reject this solution.'),
    judgeRuns('semantic.no_solution_leakage', own, ({ run }) => run === 'leaks', 'Take it out of the image.'),
    judgeRepeats(own),
    ...notMeasured.map((name) =>
      makeCheck(`semantic.${name}`, 'skip', { evidence: ['pwp tasks check does not measure it'] }),
    ),
  ];
  return {
    report_schema_version: '1',
    target: task.path,
    source_digest: await digestFolder(task.path),
    signature: 'task.toml',
    manifest: describeManifest(task),
    policy_version: 'v1',
    lane: 'local',
    levels_run: [1, 3],
    results,
    verdict: judgeResults(results),
  };
}

function isSolution({ run }: Finding): boolean {
  return run.startsWith('solution ');
}

function makeCheck(
  id: string,
  status: Status,
  more: Partial<Pick<OpenEnvCheck, 'measured' | 'evidence' | 'remediation' | 'duration_s'>> = {},
): OpenEnvCheck {
  const { measured = {}, evidence = [], remediation = null, duration_s = 0 } = more;
  return {
    ...{ check_id: id, status, measured, evidence, duration_s },
    remediation: status === 'fail' ? remediation : null,
  };
}

/** One check for all runs of a kind. */
function judgeRuns(
  id: string,
  findings: readonly Finding[],
  isOfKind: (finding: Finding) => boolean,
  remediation: string,
): OpenEnvCheck {
  const runs = findings.filter(isOfKind);
  if (runs.length === 0)
    return makeCheck(id, id === 'semantic.canary_floor' ? 'skip' : 'fail', {
      evidence: ['there is no such run'],
      remediation,
    });
  const wrong = runs.filter(({ holds }) => !holds);
  const isUnknown = wrong.some(({ reward }) => reward === null);
  return makeCheck(id, wrong.length === 0 ? 'pass' : isUnknown ? 'error' : 'fail', {
    measured: { runs: runs.length, rewards: runs.map(({ reward }) => reward), expected: runs[0]?.expected },
    evidence: wrong.map(({ run, round, why }) => `${run}, round ${round}: ${why}`),
    remediation,
    duration_s: runs.reduce((sum, { ms }) => sum + ms, 0) / 1000,
  });
}

function judgeSeeds(findings: readonly Finding[]): OpenEnvCheck {
  const id = 'runtime.seed_control';
  if (findings.some(({ run }) => run === 'variant'))
    return judgeRuns(id, findings, ({ run }) => run === 'variant', 'Take all chance from the seed.');
  return makeCheck(id, 'pass', { evidence: ['the task is the same with every seed'] });
}

/** Whether each run of the IDE ended the same way in every round. */
function judgeRepeats(findings: readonly Finding[]): OpenEnvCheck {
  const id = 'semantic.verifier_determinism';
  const rounds = Math.max(0, ...findings.map(({ round }) => round));
  if (rounds < 2) return makeCheck(id, 'skip', { evidence: ['one round was played: give --rounds 2'] });
  const runs = Map.groupBy(findings, ({ run, display }) => JSON.stringify([run, display]));
  const varied = [...runs].filter(([, own]) => new Set(own.map(({ reward }) => reward)).size > 1);
  return makeCheck(id, varied.length === 0 ? 'pass' : 'fail', {
    measured: { rounds },
    evidence: varied.map(([run, own]) => `${run}: ${own.map(({ reward }) => reward).join(', ')}`),
    remediation: 'Make the tests and the initial state the same in every run.',
  });
}

function judgeResults(results: readonly OpenEnvCheck[]): OpenEnvReport['verdict'] {
  if (results.some(({ status }) => status === 'fail' || status === 'error')) return 'fail';
  return results.some(({ status }) => status === 'skip') ? 'warn' : 'pass';
}

function describeManifest({ id, seed, config }: Task): object {
  const { environment, metadata } = config;
  const { cpus, memory_mb, storage_mb } = { ...usualResources, ...environment };
  const noDeclarations = { set_state: false, llm_judged: false, rubric_tree: false, task_api: false };
  return {
    manifest_schema_version: '1',
    name: id,
    version: null,
    signature: 'task.toml',
    // Doing nothing has to score 0, and a solution 1: no tolerance is needed.
    reward: { range: [0, 1], oracle_tolerance: 0, floor_margin: 1, variance_tolerance: null },
    judge: null,
    resources: {
      ...{ cpu: cpus, memory_mb, disk_mb: storage_mb, episode_timeout_s: config.agent.timeout_sec },
      ...{ gpus: 0, gpu_types: [] },
    },
    task_distribution:
      seed === null ? null : { generator_seed: seed, dataset_version: null, generator_model: null },
    network: { mode: environment.network_mode, allowed_hosts: environment.allowed_hosts },
    capabilities: {
      ...{
        oracle: { form: 'script', location: 'solution' },
        verifier: { kind: 'script', entry: 'tests/test.sh' },
      },
      ...noDeclarations,
      ...{ canaries: null, declared_tools: [], declared_task_count: {} },
    },
    types: { tags: metadata.tags.length > 0 ? metadata.tags : [metadata.category] },
  };
}

/** Of the paths and contents of its files, as OpenEnv computes it; links, which it refuses, are left out. */
async function digestFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const hash = createHash('sha256');
  for (const path of paths.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))))
    hash
      .update(`${path}\0`)
      .update(await readFile(join(folder, path)))
      .update('\0');
  return hash.digest('hex');
}
