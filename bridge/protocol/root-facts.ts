import * as z from 'zod';

const text = z.string().max(500);

const foundProgram = z.strictObject({
  path: z.string().max(4096),
  version: text.describe('empty if it does not say'),
});

/** Programs of an image that tools and people use there. */
export const imageProgramNames = ['bash', 'sed', 'git', 'python', 'node', 'chromium'] as const;
export type ImageProgramName = (typeof imageProgramNames)[number];

/**
 * What the root of a sandbox has for tools and people. A program of ours finds it out in there, so an image decides what
 * it says.
 */
export const rootFacts = z.strictObject({
  system: text.describe('as /etc/os-release names it; empty if it names none'),
  libc: text.describe('such as "glibc 2.36"; empty without one'),
  shell: text.describe('the file that /bin/sh is, links followed; empty without one'),
  programs: z.record(z.enum(imageProgramNames), foundProgram.nullable()).describe('on the PATH of commands'),
  pytest: text.nullable().describe("the version of Python's module"),
  links: z.array(text).max(10).describe('links in the place of folders that tests are unpacked into'),
  environment: z.strictObject({
    active: text.nullable().describe('the folder of the environment of Python that is active in commands'),
    ms: z.number().nonnegative().describe('what start-up files took'),
    problems: z.array(text).max(10).describe('why some of them are left out'),
  }),
});
export type RootFacts = z.infer<typeof rootFacts>;
