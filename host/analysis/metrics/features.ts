import { share, sum } from '../numbers/index.ts';
import { byAgent, byFamily, features, type AttemptRow, type Feature } from '../rows/index.ts';
import { figuresOf } from './pixels.ts';

/** The parts of the IDE that an agent tried to use at the tasks of one family, as shares of its steps. */
export interface FeatureRow {
  readonly agent: string;
  readonly family: string;
  readonly steps: number;
  readonly byFeature: Readonly<Record<Feature, number | null>>;
}

export function featureRows(rows: readonly AttemptRow[]): FeatureRow[] {
  return byAgent(rows).flatMap(([agent, own]) =>
    byFamily(own).map(([family, ofFamily]) => {
      const figures = figuresOf(ofFamily);
      const steps = sum(figures.map((one) => one.steps));
      const shareOf = (feature: Feature) => share(sum(figures.map((one) => one.byFeature[feature])), steps);
      const byFeature = Object.fromEntries(
        features.map((feature) => [feature, shareOf(feature)]),
      ) as FeatureRow['byFeature'];
      return { agent, family, steps, byFeature };
    }),
  );
}
