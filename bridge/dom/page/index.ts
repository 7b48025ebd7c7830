// The types of the in-page script's answers. The script itself is a separate bundle: see script.ts and main-world.ts.
export type {
  DrawnMark,
  ForeignFrame,
  Located,
  PageActivity,
  PageApi,
  PageProbe,
  PageState,
  PageText,
  PageUnder,
  Place,
  Query,
  Reading,
  ReadingRequest,
  TreeRequest,
  TreeText,
} from './api.ts';
