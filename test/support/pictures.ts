import { crc32 } from "node:zlib";
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

/** The same in a file, made once: tests must not change it. */
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

/** A ZIP archive of these files, in their order, not compressed. */
export function archive(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const [bytes, title] = [Buffer.from(content), Buffer.from(name)];
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(bytes.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(title.length, 22);
    const part = Buffer.concat([Buffer.from("504b0304", "hex"), about, title, bytes]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("504b01021400", "hex"), about, place, title);
    parts.push(part);
    offset += part.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("504b0506", "hex");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}
