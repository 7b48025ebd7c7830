export {
  hasVariants,
  makeVariant,
  variantFile,
  type MadeVariant,
  type RunVariant,
  type VariantAnswer,
  type VariantProgram,
} from './make.ts';
export type { HistoryEntry, History } from './history.ts';
export type { Repository } from './git.ts';
export type { MakeVariant, Variant, VariantInput } from './contract.ts';
