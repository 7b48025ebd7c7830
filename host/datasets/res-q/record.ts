import * as z from 'zod';

/** As the owners' harness has it. */
export const resqRecord = z.looseObject({
  id: z.string().min(1),
  repo_url: z
    .string()
    .regex(/^(?:https?|git|ssh):\/\/[^/]+\/[\w.-]+\/[\w.-]+\/?$/, 'expected the address of a repository'),
  instruction: z.string().min(1),
  base_commit: z.string().regex(/^[0-9a-f]{7,64}$/, 'expected a commit'),
  test_script: z.string().min(1),
  testbed_environment: z.string().describe('e.g. python3.11'),
  requirements_txt: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  solution_patch: z.string().min(1),
  language: z.string(),
});

export type ResqRecord = z.output<typeof resqRecord>;

/** `owner/name` of its repository. */
export function repositoryOf({ repo_url: url }: ResqRecord): string {
  const [, owner = '', name = ''] = /([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(url) ?? [];
  return `${owner}/${name}`;
}
