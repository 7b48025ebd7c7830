import { join } from 'node:path';
import { pathExists } from '../../../lib/index.ts';
import { type HarborPass, listPasses } from './harbor-config.ts';
import { type HarborParts, isInFolder, readTextEntry } from './harbor-parts.ts';
import { mainService } from './harbor-schema.ts';

/** Folders of the system and of this program: nothing of a task's is brought back from them. */
const systemFolder =
  /^\/(?:bin|boot|desk|desk-profile|dev|etc|ide|lib|lib32|lib64|logs|opt|proc|root|run|sbin|solution|sys|tests|tmp|usr|var|workspace)$/;
/** Where agents leave files for Harbor to keep; it brings them to tests that run apart. */
const publishedFolder = '/logs/artifacts';
const homeFolder = '/root';

/**
 * Folders outside of /workspace and /root in which tests find what the agent left: those that the task's texts name, e.g.
 * /output. Of a task whose tests run apart only those that Harbor brings there.
 */
export function findGradedFolders(parts: HarborParts): string[] {
  const { instruction, built, suites, config } = parts;
  const passes = listPasses(config);
  const texts = [
    instruction,
    built.setup,
    ...passes.flatMap(({ collect }) => collect.map(({ command }) => command)),
    ...suites.flat().flatMap(readTextEntry),
  ];
  const isApart = passes.every(({ separate }) => separate !== undefined);
  const all = listNamedFolders(parts, texts);
  const found = isApart
    ? all.filter((path) => passes.some(({ artifacts }) => isArtifact(path, artifacts)))
    : all;
  const published = texts.some((text) => text.includes(publishedFolder)) ? [publishedFolder] : [];
  return [...published, ...found].slice(0, 20);
}

function listNamedFolders({ places }: HarborParts, texts: readonly string[]): string[] {
  const named = texts.flatMap((text) => text.match(/(?<![\w.~:/-])\/[A-Za-z0-9_][A-Za-z0-9._-]*/g) ?? []);
  const own = `/${places.workdir.split('/')[1] ?? ''}`;
  const folders = new Set(named.map((path) => path.replace(/[.-]+$/, '')));
  return [...folders].filter((path) => !systemFolder.test(path) && path !== own).sort();
}

/** Whether tests find the home of the image, not that of the agent: Harbor brings artifacts alone to tests that run apart. */
export function hasFreshHome({ config }: HarborParts): boolean {
  return listPasses(config).every(
    ({ separate, artifacts }) => separate !== undefined && !isArtifact(homeFolder, artifacts),
  );
}

/** Whether Harbor brings all of a folder to tests that run apart. */
function isArtifact(folder: string, artifacts: HarborPass['artifacts']): boolean {
  const whole = artifacts.filter(
    ({ service = mainService, exclude }) => service === mainService && exclude.length === 0,
  );
  return whole.some(({ source }) => isInFolder(folder, source.replace(/\/+$/, '')));
}

/** Why tests that Harbor runs in a container of their own can't be run here as they are there. */
export async function explainVerifiers(parts: HarborParts): Promise<string[]> {
  const reasons = await Promise.all(
    listPasses(parts.config).map(async (pass) => {
      if (pass.separate === undefined) return [];
      const image = await findVerifierImage(parts, pass);
      if (image !== undefined) return [`its tests run in an image of their own (${image})`];
      const hidden = listHiddenFolders(parts, pass);
      return hidden.length === 0
        ? []
        : [
            `its tests run in a fresh copy of its image, where ${hidden.join(' and ')} is as the image has it: it is no artifact (verifier.environment_mode)`,
          ];
    }),
  );
  return reasons.flat();
}

/** The image that is made for tests alone; undefined if they run in another container of the task's image. */
async function findVerifierImage(
  { path, config: { verifier } }: HarborParts,
  { step }: HarborPass,
): Promise<string | undefined> {
  const candidates = [
    ...(step ? [[step.verifier, join('steps', step.name, 'tests'), 'steps.verifier'] as const] : []),
    [verifier, 'tests', 'verifier'] as const,
  ];
  for (const [{ environment }, folder, table] of candidates) {
    if ((environment?.docker_image ?? '') !== '') return `${table}.environment.docker_image`;
    for (const name of ['Dockerfile', 'docker-compose.yaml'])
      if (await pathExists(join(path, folder, name))) return join(folder, name);
  }
  return undefined;
}

/**
 * Folders that are not the agent's where Harbor runs the tests, and that can't be made here as the image has them: what its
 * commands write, and the workspace and home as a whole.
 */
function listHiddenFolders(parts: HarborParts, { artifacts }: HarborPass): string[] {
  const { built, places, suites } = parts;
  const tested = new Set(listNamedFolders(parts, suites.flat().flatMap(readTextEntry)));
  const written = listNamedFolders(parts, [built.setup]).filter((path) => tested.has(path));
  const needsHome =
    isInFolder(places.workdir, homeFolder) || homePattern.test(built.setup) || !hasFreshHome(parts);
  const judged = [places.workdir, ...written, ...(needsHome ? [homeFolder] : [])];
  return judged.filter((folder) => !isArtifact(folder, artifacts));
}

const homePattern = /(?<![\w./-])(?:\/root\b|~\/|\$HOME\b|\$\{HOME\b)/;
