export type {
  ForeignFrame,
  FramePlace,
  Located,
  PageActivity,
  PageProbe,
  PageState,
  PageUnder,
  Reading,
  ReadingRequest,
  StaticText,
  TreeText,
} from './api.ts';
