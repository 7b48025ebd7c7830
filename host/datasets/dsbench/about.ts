import type { DatasetAbout } from '../contract.ts';

export const about: DatasetAbout = {
  name: 'dsbench',
  title: 'DSBench',
  family: 'Multimodal code synthesis',
  records: 112,
  source: 'liqiang888/DSBench on Hugging Face; records at LiqiangJing/DSBench on GitHub',
  licence:
    'MIT (code); files of the challenges for research and education only, those of Kaggle under its rules',
  metric:
    "Analysis (38): the share of a challenge's questions answered right, by normalised exact match, where the owners ask a language model. Modelling (74): max(0, (performance − baseline) / (best − baseline)), at most 1; no file of predictions scores 0.",
  agentCode: 'nowhere',
  files: [
    'data_analysis/data.json',
    'data_analysis/data/<id>/',
    'data_modeling/data.json',
    'data_modeling/data/{task,data_resplit,answers}/',
    'data_modeling/save_performance/{baseline,GT}/',
  ],
  needs: [
    "The files of the challenges: the owners' data.zip of each part, and save_performance.zip, unpacked. Either part alone will do.",
    'Competitions that are measured by several columns, or by a metric that is not computed here, get no score.',
  ],
};
