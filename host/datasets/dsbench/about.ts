import type { DatasetAbout } from '../contract.ts';

const shared = {
  family: 'DSBench',
  source: 'liqiang888/DSBench on Hugging Face; records at LiqiangJing/DSBench on GitHub',
} as const;

export const analysisAbout: DatasetAbout = {
  ...shared,
  name: 'dsbench-analysis',
  title: 'DSBench, analysis',
  records: 38,
  licence: 'MIT (code); files of the challenges: research and education only',
  metric:
    "Share of a challenge's questions answered right, by normalised exact match. The owners ask a language model whether an answer is right.",
  files: ['data.json', 'data/<id>/'],
  needs: ["The challenges' files (the owners' data.zip, unpacked)."],
};

export const modellingAbout: DatasetAbout = {
  ...shared,
  name: 'dsbench-modelling',
  title: 'DSBench, modelling',
  records: 74,
  licence: 'MIT (code); data of Kaggle competitions under their own rules, non-commercial',
  metric:
    'Of each competition max(0, (performance − baseline) / (best − baseline)), at most 1; no file of predictions scores 0.',
  files: [
    'data.json',
    'data/task/<name>.txt',
    'data/data_resplit/<name>/',
    'data/answers/<name>/test_answer.csv',
    'save_performance/{baseline,GT}/<name>/result.txt',
  ],
  needs: [
    "The competitions' files (the owners' data.zip and save_performance.zip, unpacked); Kaggle's terms apply.",
    'Competitions that are measured by several columns, or by what is not computed here, get no score.',
  ],
};
