import type { DatasetAbout } from '../contract.ts';

export const about: DatasetAbout = {
  name: 'design2code',
  title: 'Design2Code',
  family: 'Multimodal code synthesis',
  records: 484,
  source: 'https://github.com/NoviScl/Design2Code',
  licence: 'ODC-By 1.0, for research',
  metric:
    'mean of block, text, position and colour score of the text blocks, and of the CLIP similarity of the pictures',
  agentCode: 'apart',
  files: ['testset_final/ with <number>.html, <number>.png and rick.jpg'],
  needs: [
    'CLIP ViT-B/32: its weights come from a hub at run time. Without them this score is unavailable, and the score is the mean of the other four.',
  ],
};
