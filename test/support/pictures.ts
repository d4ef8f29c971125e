import sharp, { type Sharp } from "sharp";

/** The formats of pictures that the service takes. */
export const pictureFormats = ["jpeg", "png", "webp", "gif", "avif", "tiff"] as const;

export type PictureFormat = (typeof pictureFormats)[number];

/** A picture of many colours, the same each time: no two lines and no two columns are alike. */
export function picture(width = 300, height = 200, channels: 3 | 4 = 3): Sharp {
  const bytes = Buffer.alloc(width * height * channels);
  for (let at = 0; at < bytes.length; at++) {
    const x = Math.floor(at / channels) % width;
    const y = Math.floor(at / channels / width);
    bytes[at] = (x * 5 + y * 3 + (at % channels) * 80 + ((x * y) % 7) * 9) & 255;
  }
  return sharp(bytes, { raw: { width, height, channels } });
}

const files = new Map<string, Promise<Buffer>>();

/** The same in a file, which nobody may change: it is made once. */
export function pictureFile(format: PictureFormat, width?: number, height?: number): Promise<Buffer> {
  const key = `${format} ${width} ${height}`;
  const file = files.get(key) ?? picture(width, height).toFormat(format, optionsOf(format)).toBuffer();
  files.set(key, file);
  return file;
}

/** An AVIF takes a second otherwise. */
export function optionsOf(format: PictureFormat): { readonly effort?: number } {
  return format === "avif" ? { effort: 0 } : {};
}
