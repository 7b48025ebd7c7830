import type { EventOf } from '../../record/index.ts';
import type { Call } from '../calls.ts';
import { features, featuresOf, type Feature } from './features.ts';
import { zeros } from './zeros.ts';

/** The parts of the IDE that an episode tried to use. */
export interface FeatureFigures {
  /** Steps that tried to use it; a step may use any number of parts. */
  readonly byFeature: Readonly<Record<Feature, number>>;
}

export class FeatureTally {
  readonly #byFeature = zeros(features);

  add({ observation }: EventOf<'step'>, calls: readonly Call[]): void {
    for (const feature of featuresOf(calls, observation)) this.#byFeature[feature] += 1;
  }

  get figures(): FeatureFigures {
    return { byFeature: { ...this.#byFeature } };
  }
}
