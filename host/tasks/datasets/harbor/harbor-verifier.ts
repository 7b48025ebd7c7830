import { join } from 'node:path';
import { pathExists } from '../../../lib/index.ts';
import type { HarborPass } from './harbor-config.ts';
import { findBuiltImage, type HarborParts, readReadyImage } from './harbor-parts.ts';
import { mainService } from './harbor-schema.ts';

/** Where agents leave files for Harbor to keep; it brings them to tests that run apart. */
const publishedFolder = '/logs/artifacts';

/** The image in which tests run that do not run in the agent's, and whether it has them in `/tests`. */
export interface VerifierImage {
  readonly image: string;
  readonly hasTests: boolean;
}

/** By the rules by which Harbor finds it. Without an image for tests, they run in another container of the task's. */
export async function findVerifierImage(
  { path, image, config: { verifier } }: HarborParts,
  { step }: HarborPass,
): Promise<VerifierImage> {
  for (const [{ environment }, folder] of listVerifiers(verifier, step)) {
    const named = environment && readReadyImage(path, environment);
    const found = named ?? (await findBuiltImage(join(path, folder)));
    if (found !== undefined) return { image: found, hasTests: true };
  }
  return { image, hasTests: false };
}

function listVerifiers(verifier: HarborParts['config']['verifier'], step: HarborPass['step']) {
  const own = step ? [[step.verifier, join('steps', step.name, 'tests')] as const] : [];
  return [...own, [verifier, 'tests'] as const];
}

/** The files and folders that tests find that run apart. */
export function listArtifacts({ artifacts }: HarborPass): string[] {
  const own = artifacts.filter(({ service = mainService }) => service === mainService);
  return [...new Set([publishedFolder, ...own.map(({ source }) => source.replace(/(?<=.)\/+$/, ''))])];
}

/** Why tests that Harbor runs in a container of their own can't be run here as they are there. */
export async function explainVerifiers(
  { path, config: { verifier } }: HarborParts,
  { step, separate, artifacts }: HarborPass,
): Promise<string[]> {
  if (separate === undefined) return [];
  const folders = listVerifiers(verifier, step).map(([, folder]) => join(folder, 'docker-compose.yaml'));
  const composed = await Promise.all(folders.map((file) => pathExists(join(path, file))));
  return [
    ...folders
      .filter((_, index) => composed[index])
      .map((file) => `its tests have several containers (${file})`),
    ...artifacts
      .filter(({ exclude, source }) => exclude.length > 0 || !source.startsWith('/') || source === '/')
      .map(
        ({ source }) =>
          `its tests get a part of a folder, or one without an absolute path (artifacts: ${source})`,
      ),
  ];
}
