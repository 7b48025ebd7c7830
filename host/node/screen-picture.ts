import type { Box, Point } from '../../bridge/protocol/index.ts';

/** How a picture of the screen is made. */
export interface ViewOptions {
  /** Default `png`. */
  readonly format?: PictureFormat | undefined;
  /** From 1 to 100; ignored for `png`, which is lossless. Default 80. */
  readonly quality?: number | undefined;
  /** The part of the screen that is shown, in screen pixels; cut to the screen. Default: all of it. */
  readonly region?: Box | undefined;
  /** Shrink the picture to fit, keeping its aspect ratio; it is never enlarged. Pixels. */
  readonly within?: { readonly width: number; readonly height: number } | undefined;
}

export interface PictureOptions extends ViewOptions {
  /** Wait until the screen differs from the picture with this serial. */
  readonly after?: number | undefined;
}

/** The options of {@link ScreenUpdate}. */
export interface UpdateOptions {
  /** Default `png`. */
  readonly format?: PictureFormat | undefined;
  /** From 1 to 100; ignored for `png`, which is lossless. Default 80. */
  readonly quality?: number | undefined;
  /** Wait until the screen differs from the update with this serial. Default: all of the screen, at once. */
  readonly after?: number | undefined;
}

/** The parts of the screen that differ from an earlier update. */
export interface ScreenUpdate {
  /** As of a {@link ScreenPicture}. */
  readonly serial: number;
  /**
   * Pictures that don't overlap and together hold every difference. The whole screen if the earlier update is no longer
   * known, e.g. because the display was restarted.
   */
  readonly parts: readonly ScreenPicture[];
}

const pictureFormats = ['png', 'jpeg', 'webp'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** The format of pictures like this one, to ask for another of its kind. */
export function readPictureFormat({ mime }: Pick<Picture, 'mime'>): PictureFormat {
  return pictureFormats.find((format) => mime === `image/${format}`) ?? 'png';
}

/** An encoded picture. Everything that is or has one has these fields. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly mime: `image/${PictureFormat}`;
  /** In its own pixels. */
  readonly width: number;
  readonly height: number;
}

/** The screen with the pointer, or a part of it. */
export interface ScreenPicture extends Picture {
  /** The part of the screen that it shows, in whole screen pixels. */
  readonly region: Box;
  /**
   * Rises whenever a picture finds the screen or the pointer changed; pictures with the same serial show the same. 0 in
   * a capture.
   */
  readonly serial: number;
}

/** The screen position of a pixel of a picture: its middle. */
export function toScreenPoint(
  { region, width, height }: Omit<ScreenPicture, 'bytes'>,
  { x, y }: Point,
): Point {
  return {
    x: region.x + Math.floor(((x + 0.5) * region.width) / width),
    y: region.y + Math.floor(((y + 0.5) * region.height) / height),
  };
}

/** The pixel of a picture that shows a screen position; the exact inverse of {@link toScreenPoint}. */
export function toPicturePoint(
  { region, width, height }: Omit<ScreenPicture, 'bytes'>,
  { x, y }: Point,
): Point {
  return {
    x: Math.floor(((x + 0.5 - region.x) * width) / region.width),
    y: Math.floor(((y + 0.5 - region.y) * height) / region.height),
  };
}

/** The size of a picture of `region`: as large as fits. */
export function fitSize(
  region: { readonly width: number; readonly height: number },
  within: ViewOptions['within'],
): { readonly width: number; readonly height: number } {
  if (!within) return { width: region.width, height: region.height };
  const scale = Math.min(1, within.width / region.width, within.height / region.height);
  return {
    width: Math.max(1, Math.round(region.width * scale)),
    height: Math.max(1, Math.round(region.height * scale)),
  };
}
