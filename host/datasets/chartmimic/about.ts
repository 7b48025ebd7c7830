import type { DatasetAbout } from '../contract.ts';

export const about: DatasetAbout = {
  name: 'chartmimic',
  title: 'ChartMimic',
  family: 'Multimodal code synthesis',
  records: 1200,
  source: 'https://huggingface.co/datasets/ChartMimic/ChartMimic',
  licence: 'Apache-2.0',
  metric:
    'mean of the low-level score (mean of the F1 of texts, layout, chart types and colours; 0 for a script that fails) and of the high-level score, which GPT-4V gives',
  agentCode: 'apart',
  files: [
    'test.jsonl with ori_500/ and customized_500/, or direct_600/: <name>.py and <name>.png of each chart',
  ],
  needs: [
    'GPT-4V as the judge of the high-level score. Without it this score is unavailable, and the score is the low-level one.',
    'SciPy, pandas, NetworkX, matplotlib-venn or seaborn for about one chart in twelve: --with charts (docs/languages.md). A chart whose reference needs what the image does not have, e.g. squarify, gets no score.',
  ],
};
