import { pictureTools } from './view-picture.ts';
import { previewTools } from './view-preview.ts';
import { showTools } from './view-show.ts';

/** Tools that show something in the IDE: files at a place, differences, problems, pages, pictures. */
export const viewTools = { ...showTools, ...previewTools, ...pictureTools };
