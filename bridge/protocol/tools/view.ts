import { pictureTools } from './view-picture.ts';
import { previewTools } from './view-preview.ts';
import { showTools } from './view-show.ts';

/** What the IDE shows: files at a place, differences, problems, pages, pictures. */
export const viewTools = { ...showTools, ...previewTools, ...pictureTools };
