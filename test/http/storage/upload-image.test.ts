import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import { filePart, formOf, type Part } from "../../support/multipart.ts";
import { optionsOf, picture, pictureFile, pictureFormats } from "../../support/pictures.ts";
import { outcome } from "../../support/scenarios.ts";
import { storageProviders } from "../../support/storage-providers.ts";

// biome-ignore format: one entry a line
const settings = {
  maxPixels: 90_000,
  thumbnails: [{ name: "small", width: 150, height: 150 }, { name: "large", width: 800, height: 800 }],
};

describe.each(storageProviders)("on $name", async ({ start }) => {
  const service = await start(settings);
  const picky = await start({ ...settings, allowedMediaTypes: ["image/png"] });

  /** Nothing is left of any upload. */
  afterEach(async () => {
    expect(await service.leftovers()).toEqual([]);
  });

  const upload = (parts: readonly Part[]) =>
    service.send({ method: "POST", path: "/storage/upload/image", ...formOf(...parts) }, "user");

  interface Described {
    readonly name?: string;
    readonly url: string;
    readonly path: string;
    readonly filename: string;
    readonly size: number;
    readonly mime_type: string;
    readonly width: number;
    readonly height: number;
  }

  interface Uploaded {
    readonly original: Described;
    readonly thumbnails?: readonly Described[];
  }

  /** The `data` of the answer to a picture at `a/b`. */
  async function uploaded(content: Buffer, thumbnails?: string, filename = "b"): Promise<Uploaded> {
    await service.place({});
    const sizes = thumbnails === undefined ? [] : [["thumbnails", thumbnails] as const];
    const reply = await upload([["path", "a/"], filePart(content, filename), ...sizes]);
    expect(outcome(reply), reply.text).toBe("200");
    return reply.envelope.data as unknown as Uploaded;
  }

  /** The thumbnail of a picture in a box. */
  async function thumbnailOf(content: Buffer, box: { readonly width?: number; readonly height?: number }) {
    const { original, thumbnails } = await uploaded(content, JSON.stringify([{ name: "t", ...box }]));
    const [thumbnail] = thumbnails ?? [];
    if (thumbnail === undefined) throw new Error("no thumbnail");
    const bytes = await service.read(thumbnail.path);
    const metadata = await sharp(bytes).metadata();
    expect([metadata.width, metadata.height]).toEqual([thumbnail.width, thumbnail.height]);
    expect(bytes.length).toBe(thumbnail.size);
    return { original, thumbnail, bytes, metadata };
  }

  describe.each(pictureFormats)("%s", (format) => {
    test("is stored as it is", async () => {
      const content = await pictureFile(format);
      const { original, thumbnails } = await uploaded(content);
      expect(original).toEqual({
        url: expect.stringContaining("/a/b?"),
        path: "a/b",
        filename: "b",
        size: content.length,
        mime_type: `image/${format}`,
        width: 300,
        height: 200,
      });
      expect(thumbnails).toBeUndefined();
      expect((await service.read("a/b")).equals(content)).toBe(true);
      expect(Object.keys(await service.files())).toEqual(["a/b"]);
    });

    test("has the thumbnails that are configured", async () => {
      const { original, thumbnails } = await uploaded(await pictureFile(format), "true", "b.x");
      const extension = { jpeg: "jpg", png: "png", webp: "webp", gif: "png", avif: "webp", tiff: "png" }[
        format
      ];
      const type = { jpeg: "jpeg", png: "png", webp: "webp", gif: "png", avif: "webp", tiff: "png" }[format];
      const common = { size: expect.any(Number), mime_type: `image/${type}`, url: expect.any(String) };
      // biome-ignore format: one case a line
      expect(thumbnails).toEqual([
        { ...common, name: "small", path: `a/.thumbnails/b.x/small.${extension}`, filename: `small.${extension}`, width: 150, height: 100 },
        { ...common, name: "large", path: `a/.thumbnails/b.x/large.${extension}`, filename: `large.${extension}`, width: 300, height: 200 },
      ]);
      for (const { url, size, mime_type } of [original, ...(thumbnails ?? [])]) {
        const reply = await service.follow(url);
        expect(reply.status).toBe(200);
        expect(reply.headers).toMatchObject({ "content-length": String(size), "content-type": mime_type });
      }
    });

    test.each([0.3, 0.6, 0.9, 0.97])(
      "cut off at %d is refused where thumbnails are asked for",
      async (share) => {
        const whole = await pictureFile(format);
        const content = whole.subarray(0, Math.floor(whole.length * share));
        await service.place({ "a/b": "old" });
        const parts: Part[] = [
          ["path", "a/b"],
          ["overwrite", "true"],
          ["thumbnails", "true"],
          filePart(content),
        ];
        expect(outcome(await upload(parts))).toBe("400 VALIDATION_ERROR file");
        expect(await service.files()).toEqual({ "a/b": "old" });
      },
    );
  });

  test.each(["jpeg", "png", "avif", "gif"] as const)(
    "a %s that is cut off is stored without thumbnails",
    async (format) => {
      const whole = await pictureFile(format);
      const { original } = await uploaded(whole.subarray(0, Math.floor(whole.length * 0.8)));
      expect(original).toMatchObject({ width: 300, height: 200, mime_type: `image/${format}` });
    },
  );

  describe("a thumbnail", () => {
    test.each([
      [{ width: 100, height: 100 }, [100, 67]],
      [{ width: 100 }, [100, 67]],
      [{ height: 100 }, [150, 100]],
      [{ width: 300, height: 20 }, [30, 20]],
      [{ width: 1, height: 1 }, [1, 1]],
      [{ width: 4096, height: 4096 }, [300, 200]],
      [{ width: 4096 }, [300, 200]],
      [{ width: 300, height: 200 }, [300, 200]],
    ])("in the box %j has the sides %j", async (box, sides) => {
      const { thumbnail } = await thumbnailOf(await pictureFile("png"), box);
      expect([thumbnail.width, thumbnail.height]).toEqual(sides);
    });

    test.each([1, 2, 3, 4, 5, 6, 7, 8])("is upright, by EXIF orientation %i", async (orientation) => {
      const lying = orientation >= 5;
      for (const format of ["jpeg", "webp", "png", "tiff"] as const) {
        const content = await picture()
          .withMetadata({ orientation })
          .toFormat(format, optionsOf(format))
          .toBuffer();
        const { original, thumbnail, metadata, bytes } = await thumbnailOf(content, {
          width: 60,
          height: 60,
        });
        expect([original.width, original.height]).toEqual(lying ? [200, 300] : [300, 200]);
        expect([thumbnail.width, thumbnail.height]).toEqual(lying ? [40, 60] : [60, 40]);
        expect(metadata.orientation ?? 1).toBe(1);
        // As the rotated original looks.
        const upright = await sharp(content)
          .autoOrient()
          .resize(6, 6, { fit: "fill" })
          .removeAlpha()
          .raw()
          .toBuffer();
        const small = await sharp(bytes).resize(6, 6, { fit: "fill" }).removeAlpha().raw().toBuffer();
        const apart =
          upright.reduce((sum, value, at) => sum + Math.abs(value - (small[at] ?? 0)), 0) / upright.length;
        expect(apart).toBeLessThan(12);
      }
    });

    test.each(["jpeg", "png", "webp", "avif", "tiff"] as const)(
      "of a %s carries no metadata",
      async (format) => {
        const content = await picture()
          .withExif({
            IFD0: { Copyright: "Ann Author", ImageDescription: "at home" },
            IFD3: { GPSLatitudeRef: "N" },
          })
          .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>Ann Author</x:xmpmeta>")
          .withIccProfile("p3")
          .toFormat(format, optionsOf(format))
          .toBuffer();
        expect(content.includes("Ann Author")).toBe(true);
        const { metadata, bytes } = await thumbnailOf(content, { width: 50 });
        for (const key of ["exif", "icc", "iptc", "xmp", "comments"] as const)
          expect(metadata[key]).toBeUndefined();
        expect(bytes.includes("Ann Author")).toBe(false);
        expect((await service.read("a/b")).equals(content)).toBe(true);
      },
    );

    test("keeps what is transparent", async () => {
      for (const format of ["png", "webp", "avif", "gif", "tiff"] as const) {
        // A TIFF like a JPEG, as it is by default, has none.
        const options = format === "tiff" ? { compression: "lzw" } : optionsOf(format);
        const content = await picture(80, 80, 4).toFormat(format, options).toBuffer();
        expect((await thumbnailOf(content, { width: 50 })).metadata.hasAlpha, format).toBe(true);
      }
    });

    // biome-ignore format: one case a line
    test.each<[string, () => Promise<Buffer>]>([
      ["16 bits a channel", () => picture().toColourspace("rgb16").png().toBuffer()],
      ["16 bits of grey", () => picture().toColourspace("grey16").png().toBuffer()],
      ["grey", () => picture().greyscale().jpeg().toBuffer()],
      ["a palette", () => picture().png({ palette: true }).toBuffer()],
      ["CMYK in a JPEG", () => picture().toColourspace("cmyk").jpeg().toBuffer()],
      ["CMYK in a TIFF", () => picture().toColourspace("cmyk").tiff({ compression: "lzw" }).toBuffer()],
      ["16 bits in a TIFF", () => picture().toColourspace("rgb16").tiff({ compression: "deflate" }).toBuffer()],
      ["10 bits in an AVIF", () => picture().avif({ bitdepth: 10, effort: 0 }).toBuffer()],
      ["a wide gamut", () => picture().withIccProfile("p3").png().toBuffer()],
      ["interlacing", () => picture().png({ progressive: true }).toBuffer()],
      ["progressive scans", () => picture().jpeg({ progressive: true }).toBuffer()],
    ])("of a picture with %s is sRGB in 8 bits", async (_, content) => {
      const { metadata, bytes } = await thumbnailOf(await content(), { width: 60 });
      expect(metadata).toMatchObject({ depth: "uchar", space: expect.stringMatching(/^(srgb|b-w)$/) });
      const mean = (await sharp(bytes).toColourspace("srgb").stats()).channels[0]?.mean ?? 0;
      expect(mean).toBeGreaterThan(90);
      expect(mean).toBeLessThan(170);
    });

    test.each(["gif", "webp"] as const)("of a %s that moves is its first frame", async (format) => {
      const frames = await Promise.all(
        ["red", "lime", "blue"].map((background) =>
          sharp({ create: { width: 60, height: 40, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      );
      const content = await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer();
      expect((await sharp(content).metadata()).pages).toBe(3);
      const { original, bytes } = await thumbnailOf(content, { width: 30 });
      expect([original.width, original.height]).toEqual([60, 40]);
      const { channels } = await sharp(bytes).stats();
      expect(channels.slice(0, 3).map(({ mean }) => Math.round(mean / 50))).toEqual([5, 0, 0]);
    });
  });

  describe("the field thumbnails", () => {
    // biome-ignore format: one case a line
    test.each<[string, string[]]>([
      ["true", ["small", "large"]],
      ["[]", []],
      ['[{"name":"b","width":10},{"name":"a","height":10},{"name":"z_-9","width":1,"height":4096}]', ["b", "a", "z_-9"]],
      [JSON.stringify(Array.from({ length: 10 }, (_, at) => ({ name: `${at}`, width: 5 }))), [..."0123456789"]],
    ])("%s", async (field, names) => {
      const { thumbnails } = await uploaded(await pictureFile("png"), field);
      expect(thumbnails?.map(({ name }) => name)).toEqual(names);
    });

    test("may say none", async () => {
      expect(await uploaded(await pictureFile("png"), "false")).not.toHaveProperty("thumbnails");
    });

    // biome-ignore format: many on a line
    test.each([
      "", "yes", "null", "1", '"true"', "{}", "[", "[1]", "[null]", "[[]]", '[{"width":10}]', '[{"name":"a"}]',
      '[{"name":"","width":10}]', '[{"name":"A","width":10}]', '[{"name":"a/b","width":10}]', '[{"name":"a.b","width":10}]',
      `[{"name":"${"a".repeat(33)}","width":10}]`, '[{"name":1,"width":10}]', '[{"name":"a","width":0}]',
      '[{"name":"a","width":4097}]', '[{"name":"a","width":-1}]', '[{"name":"a","width":1.5}]', '[{"name":"a","width":"10"}]',
      '[{"name":"a","width":null}]', '[{"name":"a","width":10,"height":null}]', '[{"name":"a","width":1e999}]',
      '[{"name":"a","width":10,"fit":"cover"}]', '[{"name":"a","width":10,"__proto__":{}}]',
      '[{"__proto__":{"name":"a","width":10}}]', '[{"name":"a","width":10},{"name":"a","height":10}]',
      JSON.stringify(Array.from({ length: 11 }, (_, at) => ({ name: `${at}`, width: 5 }))), "[".repeat(10_000),
    ])("%s is refused", async (field) => {
      await service.place({});
      const content = await pictureFile("png", 5, 5);
      expect(outcome(await upload([["thumbnails", field], filePart(content)]))).toBe(
        "400 VALIDATION_ERROR thumbnails",
      );
      expect(await service.files()).toEqual({});
    });
  });

  describe("is refused", () => {
    const square = () => pictureFile("png", 300, 300);

    test("with more pixels than allowed, before it is decoded", async () => {
      expect(await uploaded(await square())).toMatchObject({ original: { width: 300 } });
      await service.place({});
      for (const format of pictureFormats) {
        const content = await pictureFile(format, 301, 300);
        for (const thumbnails of ["true", "false"])
          expect(outcome(await upload([["thumbnails", thumbnails], filePart(content)])), format).toBe(
            "400 VALIDATION_ERROR file",
          );
      }
      expect(await service.files()).toEqual({});
    });

    // biome-ignore format: one case a line
    test.each<[string, () => Buffer | Promise<Buffer>]>([
      ["a PNG of four thousand million pixels", () => hollowPng(65_535, 65_535)],
      ["a PNG of more pixels than numbers hold", () => hollowPng(2 ** 31 - 1, 2 ** 31 - 1)],
      ["a PNG without pixels", () => hollowPng(0, 0)],
      ["a PNG that has only its signature", () => Buffer.from("89504e470d0a1a0a", "hex")],
      ["a JPEG that has only its signature", () => Buffer.from("ffd8ffe000104a46494600", "hex")],
      ["a TIFF that has only its signature", () => Buffer.from("49492a0008000000", "hex")],
      ["a text", () => Buffer.from("no picture")],
      ["an SVG", () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")],
      ["an SVG behind the signature of a GIF", () => Buffer.from("GIF89a<svg xmlns='http://www.w3.org/2000/svg'/>")],
      ["a PDF", () => Buffer.from("%PDF-1.7\n")],
      ["a HEIF that is no AVIF", () => Buffer.from("0000001c667479706865696300000000", "hex")],
      ["nothing", () => Buffer.alloc(0)],
    ])("%s", async (_, content) => {
      await service.place({});
      for (const thumbnails of ["true", "false"])
        expect(outcome(await upload([["thumbnails", thumbnails], filePart(await content(), "a.png")]))).toBe(
          "400 VALIDATION_ERROR file",
        );
      expect(await service.files()).toEqual({});
    });

    test.each<[string, number, string]>([
      ["as many pixels as max_pixels", 1, "200"],
      ["more pixels", 2, "400 VALIDATION_ERROR thumbnails"],
    ])("thumbnails that come out with %s together", async (_, count, status) => {
      await service.place({});
      const sizes = Array.from({ length: count }, (_, at) => ({ name: `t${at}`, width: 4096 - at * 4000 }));
      const thumbnails = ["thumbnails", JSON.stringify(sizes)] as const;
      expect(outcome(await upload([["path", "a"], thumbnails, filePart(await square())]))).toBe(status);
      expect(Object.keys(await service.files())).toHaveLength(status === "200" ? 2 : 0);
    });

    test("with pixels that are broken, where thumbnails are asked for", async () => {
      await service.place({});
      expect(outcome(await upload([["thumbnails", "true"], filePart(hollowPng(200, 200))]))).toBe(
        "400 VALIDATION_ERROR file",
      );
      expect(await service.files()).toEqual({});
    });

    test("with a field of its own", async () => {
      expect(outcome(await upload([["sizes", "true"], filePart("x")]))).toBe("400 VALIDATION_ERROR sizes");
    });
  });

  test("an APNG is a PNG, and so are its thumbnails", async () => {
    const { original, thumbnails } = await uploaded(apng(await pictureFile("png")), "true", "b.png");
    expect([original, ...(thumbnails ?? [])].map((one) => one.mime_type)).toEqual([
      "image/png",
      "image/png",
      "image/png",
    ]);
  });

  test("a picture with something behind its end is stored as it is", async () => {
    const content = Buffer.concat([await pictureFile("jpeg"), Buffer.from("<script>alert(1)</script>")]);
    const { original, thumbnails } = await uploaded(content, "true", "a.html");
    expect(original.mime_type).toBe("image/jpeg");
    expect((await service.read(thumbnails?.[0]?.path ?? "")).includes("script")).toBe(false);
  });

  test("types that are not allowed are refused, and an APNG is a PNG", async () => {
    await picky.place({});
    const send = (content: Buffer, name: string) =>
      picky.send(
        { method: "POST", path: "/storage/upload/image", ...formOf(filePart(content, name)) },
        "user",
      );
    expect(outcome(await send(await pictureFile("png"), "a.png"))).toBe("200");
    expect(outcome(await send(await pictureFile("jpeg"), "b.png"))).toBe("415 HTTP_ERROR");
    const moving = await send(apng(await pictureFile("png")), "c.png");
    expect(outcome(moving)).toBe("200");
    expect(Object.keys(await picky.files())).toEqual(["a.png", "c.png"]);
    const link = (moving.envelope.data as unknown as { original: { url: string } }).original.url;
    const { headers } = await picky.follow(link);
    expect([headers["content-type"], headers["content-disposition"]]).toEqual([
      "image/png",
      'inline; filename="c.png"',
    ]);
    expect(await picky.leftovers()).toEqual([]);
  });
});

/** A chunk of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)]);
  bytes.writeUInt32BE(data.length, 0);
  bytes.writeUInt32BE(crc(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

function crc(bytes: Buffer): number {
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~value >>> 0;
}

/** The same PNG as an animation of one frame. */
function apng(png: Buffer): Buffer {
  const headerEnd = 33;
  const control = Buffer.alloc(8);
  control.writeUInt32BE(1, 0);
  const frame = Buffer.alloc(26);
  png.copy(frame, 4, 16, 24);
  return Buffer.concat([
    png.subarray(0, headerEnd),
    chunk("acTL", control),
    chunk("fcTL", frame),
    png.subarray(headerEnd),
  ]);
}

/** A PNG of any size with next to nothing in it. */
function hollowPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(100_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
