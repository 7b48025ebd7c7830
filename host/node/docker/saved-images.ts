import type Docker from 'dockerode';
import { raceSignal } from '../../../bridge/lib/index.ts';
import type { EngineImages } from '../root-image/index.ts';
import { askEngine, hasHttpStatus } from './engine.ts';

/** The images of an engine, for the roots of agents. */
export function openEngineImages(engine: Docker): EngineImages {
  return {
    async find(name, signal) {
      try {
        const asked = askEngine(`image ${name}`, () => engine.getImage(name).inspect(), { signal });
        const { Id: id, Size: bytes } = await asked;
        return { id, bytes };
      } catch (error) {
        if (hasHttpStatus(error, 404)) return null;
        throw error;
      }
    },
    save: (name, signal) => raceSignal(engine.getImage(name).get(), signal),
  };
}
