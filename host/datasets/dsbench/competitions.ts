/** How a competition's predictions are measured: by one column of the file. */
export interface Competition {
  readonly metric: string;
  readonly column: string;
}

/** By metric: the competitions whose owners' scripts compute it from one column, as `column: names`. */
const byMetric: Readonly<Record<string, readonly string[]>> = {
  'roc-auc': [
    'ACTION: amazon-employee-access-challenge',
    'target: cat-in-the-dat cat-in-the-dat-ii dont-overfit-ii instant-gratification playground-series-s3e12',
    'target: santander-customer-transaction-prediction tabular-playground-series-mar-2021',
    'target: tabular-playground-series-may-2022 tabular-playground-series-nov-2021',
    'HasDetections: microsoft-malware-prediction',
    'Machine failure: playground-series-s3e17',
    'smoking: playground-series-s3e24',
    'stroke: playground-series-s3e2',
    'Attrition: playground-series-s3e3',
    'Class: playground-series-s3e4',
    'booking_status: playground-series-s3e7',
    'Exited: playground-series-s4e1',
    'TARGET: santander-customer-satisfaction',
    'failure: tabular-playground-series-aug-2022',
    'claim: tabular-playground-series-sep-2021',
  ],
  accuracy: [
    'NObeyesdad: playground-series-s4e2',
    'Target: playground-series-s4e6',
    'Transported: spaceship-titanic',
    'Survived: tabular-playground-series-apr-2021 titanic',
    'Cover_Type: tabular-playground-series-dec-2021',
    'target: tabular-playground-series-feb-2022',
  ],
  rmse: [
    'target: commonlitreadabilityprize tabular-playground-series-feb-2021 tabular-playground-series-jan-2021',
    'MedHouseVal: playground-series-s3e1',
    'price: playground-series-s3e6 playground-series-s3e8',
    'Strength: playground-series-s3e9',
    'loss: tabular-playground-series-aug-2021',
  ],
  rmsle: [
    'count: bike-sharing-demand',
    'cost: playground-series-s3e11',
    'Rings: playground-series-s4e4',
    'target: santander-value-prediction-challenge',
    'revenue: tmdb-box-office-prediction',
  ],
  mae: [
    'yield: playground-series-s3e14',
    'Age: playground-series-s3e16',
    'pressure: ventilator-pressure-prediction',
  ],
  mse: ['congestion: tabular-playground-series-mar-2022'],
  'median-ae': ['Hardness: playground-series-s3e25'],
  smape: [
    'sales: demand-forecasting-kernels-only',
    'num_sold: tabular-playground-series-jan-2022 tabular-playground-series-sep-2022',
  ],
  r2: ['FloodProbability: playground-series-s4e5'],
  f1: ['target: nlp-getting-started'],
  'f1-macro': ['open_channels: liverpool-ion-switching'],
  'quadratic-kappa': [
    'quality: playground-series-s3e5',
    'score: learning-agency-lab-automated-essay-scoring-2',
  ],
  'normalized-gini': ['target: porto-seguro-safe-driver-prediction'],
};

const competitions = new Map(
  Object.entries(byMetric).flatMap(([metric, lines]) =>
    lines.flatMap((line) => {
      const [column = '', names = ''] = line.split(': ');
      return names.split(' ').map((name): [string, Competition] => [name, { metric, column }]);
    }),
  ),
);

/** Undefined where a competition is measured by several columns or by a metric that is not computed here. */
export function competitionOf(name: string): Competition | undefined {
  return competitions.get(name);
}
