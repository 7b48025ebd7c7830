// What the script in the page answers. The script itself is a bundle of its own: see script.ts and main-world.ts.
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
