export { place, placeOfLink, type Place } from './place.ts';
export { pathText } from './path-text.ts';
export { ignoredFolders } from './ignored.ts';
export { refuseUnknownLanguage } from './known-language.ts';
