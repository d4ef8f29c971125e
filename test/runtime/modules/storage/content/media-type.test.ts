import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { ContentProbe, mediaTypeNamed } from "#runtime/modules/storage/content/media-type";
import { servedHeaders } from "#runtime/modules/storage/content/served-headers";
import { mediaTypeOf } from "#runtime/modules/storage/stores/local/file-reader";

const folder = await mkdtemp(join(tmpdir(), "media-type-"));
afterAll(() => rm(folder, { recursive: true }));

/** The type by each way there is, in chunks of so many bytes. */
async function typeOf(content: Buffer, name: string, chunkBytes = content.length): Promise<string> {
  const probe = new ContentProbe();
  for (let at = 0; at < content.length; at += Math.max(chunkBytes, 1))
    probe.take(Buffer.from(content.subarray(at, at + chunkBytes)));
  const passing = mediaTypeNamed(await probe.end(), name);
  const path = join(folder, "content");
  await writeFile(path, content);
  const file = await open(path);
  try {
    expect(await mediaTypeOf(file, name)).toBe(passing);
  } finally {
    await file.close();
  }
  return passing;
}

const text = Buffer.from("a,b\r\n1,2\t\f\n");
const hex = (digits: string) => Buffer.from(digits.replaceAll(" ", ""), "hex");
const picture = (format: "jpeg" | "png" | "webp" | "gif" | "avif" | "tiff") =>
  sharp({
    create: { width: 90, height: 90, channels: 3, background: "red", noise: { type: "gaussian", mean: 99 } },
  })
    .toFormat(format)
    .toBuffer();

describe("the type by content", () => {
  test.each(["jpeg", "png", "webp", "gif", "avif", "tiff"] as const)("%s, under any name", async (format) => {
    for (const name of ["a.html", "a.svg", "a"])
      expect(await typeOf(await picture(format), name)).toBe(`image/${format}`);
  });

  // biome-ignore format: one case a line
  test.each<[string, Buffer, string]>([
    ["a PDF", Buffer.from("%PDF-1.7\n%only text"), "application/pdf"],
    ["an archive", hex("504b0304 1400"), "application/zip"],
    ["an archive that lies", Buffer.concat([hex("504b030414000000 0800"), Buffer.alloc(9000, 255)]), "application/zip"],
    ["invalid gzip", Buffer.concat([hex("1f8b0800"), Buffer.alloc(9000, 255)]), "application/gzip"],
    ["a TIFF whose directory is far away", Buffer.concat([hex("4d4d002a 00ffffff"), Buffer.alloc(9000)]), "image/tiff"],
    [
      "a PNG that moves",
      hex(
        "89504e470d0a1a0a 0000000d49484452 00000001000000010802000000 00000000 000000086163544c 0000000100000000 00000000 0000000049444154",
      ),
      "image/png",
    ],
    ["a GIF that goes on as a script", Buffer.from("GIF89a=1;alert(1)//"), "image/gif"],
    ["sound, without its codec", Buffer.concat([Buffer.from("OggS"), Buffer.alloc(24), Buffer.from("OpusHead"), Buffer.alloc(99)]), "audio/ogg"],
  ])("%s", async (_, content, type) => {
    for (const name of ["a.html", "a.txt", "a.json"]) expect(await typeOf(content, name)).toBe(type);
  });

  test("nothing by letters that a text may begin with", async () => {
    for (const words of ["BMW builds cars.", "MZ", "ID3 tags hold a title.", "BZh", "`가나다라마바사`"])
      expect(await typeOf(Buffer.from(words), "a.txt")).toBe("text/plain");
    expect(await typeOf(Buffer.concat([Buffer.from("BM"), Buffer.alloc(60)]), "a.txt")).toBe("image/bmp");
  });
});

describe("the type of a text by its name", () => {
  test.each([
    ["a.csv", "text/csv"],
    ["a.json", "application/json"],
    ["a.svg", "image/svg+xml"],
    ["a.html", "text/html"],
    ["a.css", "text/css"],
    ["a.md", "text/markdown"],
    ["a.b.JsOn", "application/json"],
    ["a.txt", "text/plain"],
    ["a.js", "text/plain"],
    ["a.htm", "text/plain"],
    ["csv", "text/plain"],
    ["a.csv ", "text/plain"],
    ["a.svg.x", "text/plain"],
  ])("%s %s", async (name, type) => {
    for (const chunk of [1, 2, 3, 5, 4096]) {
      expect(await typeOf(text, name, chunk)).toBe(type);
      expect(await typeOf(Buffer.from("ä€𝄞 and more"), name, chunk)).toBe(type);
      expect(await typeOf(Buffer.concat([text, Buffer.from([0])]), name, chunk)).toBe(
        "application/octet-stream",
      );
    }
    expect(await typeOf(Buffer.alloc(0), name)).toBe(type);
  });

  test.each<[string, string | Buffer]>([
    ["a declaration of XML", '<?xml version="1.0"?><svg/>'],
    ["a byte-order mark", "\ufeff<svg/>"],
    ["both", '\ufeff<?xml version="1.0"?><svg/>'],
    ["a byte-order mark before magic", "\ufeff%PDF-1.7"],
  ])("%s has no magic bytes", async (_, content) => {
    expect(await typeOf(Buffer.from(content), "a.svg")).toBe("image/svg+xml");
    expect(await typeOf(Buffer.from(content), "a")).toBe("text/plain");
  });
});

describe("text is judged over all of it", () => {
  const long = Buffer.alloc(300_000, "ä text\n");
  const allowed = new Set(["\t", "\n", "\f", "\r"]);
  const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code))
    .concat("\x7f")
    .filter((character) => !allowed.has(character));

  test.each(controls.map((character) => [JSON.stringify(character), character]))(
    "no %s",
    async (_, character) => {
      for (const content of [`${character}a`, `a${character}`, `a\n${character}\n`])
        expect(await typeOf(Buffer.from(content), "a.txt")).toBe("application/octet-stream");
    },
  );

  test("at every position, and in every memory layout", async () => {
    for (let length = 1; length < 20; length++)
      for (let at = 0; at < length; at++) {
        const memory = Buffer.alloc(32, "a");
        memory[at + (length % 5)] = at % 2 === 0 ? 0x7f : 0x1f;
        const content = memory.subarray(length % 5, (length % 5) + length);
        const probe = new ContentProbe();
        probe.take(content);
        expect((await probe.end()).isText, `${at} of ${length}`).toBe(false);
      }
  });

  test("with empty chunks at every position", async () => {
    const memory = Buffer.alloc(9, "x");
    const probe = new ContentProbe();
    for (const at of [1, 2, 9]) expect(probe.take(memory.subarray(at, at))).toBe(true);
    expect(mediaTypeNamed(await probe.end(), "a")).toBe("text/plain");
  });

  test("to its last byte", async () => {
    expect(await typeOf(long, "a.css", 65_536)).toBe("text/css");
    for (const end of ["00", "7f", "80", "c3", "e282", "f09d84", "ff"])
      expect(await typeOf(Buffer.concat([long, hex(end)]), "a.css", 65_536)).toBe("application/octet-stream");
  });

  test.each(["c080", "eda080", "f4908080", "e28228", "fffe4100", "feff0041", "8080", "c3c3a4"])(
    "%s is no UTF-8",
    async (bytes) => {
      for (const chunk of [1, 2, 100])
        expect(await typeOf(hex(`6161${bytes}6161`), "a.txt", chunk)).toBe("application/octet-stream");
      expect(await typeOf(hex(bytes), "a.txt")).toBe("application/octet-stream");
    },
  );

  test("other control characters are text", async () => {
    expect(await typeOf(Buffer.from("a\u0085\u009f\u200e\u2028"), "a.txt", 1)).toBe("text/plain");
  });
});

test.each([
  ["image/jpeg", "image/jpeg", "inline"],
  ["image/png", "image/png", "inline"],
  ["image/webp", "image/webp", "inline"],
  ["image/gif", "image/gif", "inline"],
  ["image/avif", "image/avif", "inline"],
  ["audio/mpeg", "audio/mpeg", "inline"],
  ["video/mp4", "video/mp4", "inline"],
  ["text/plain", "text/plain; charset=utf-8", "inline"],
  ["text/html", "text/html; charset=utf-8", "attachment"],
  ["text/css", "text/css; charset=utf-8", "attachment"],
  ["text/csv", "text/csv; charset=utf-8", "attachment"],
  ["text/markdown", "text/markdown; charset=utf-8", "attachment"],
  ["application/json", "application/json; charset=utf-8", "attachment"],
  ["image/svg+xml", "image/svg+xml; charset=utf-8", "attachment"],
  ["image/tiff", "image/tiff", "attachment"],
  ["image/bmp", "image/bmp", "attachment"],
  ["image/x-icon", "image/x-icon", "attachment"],
  ["image/png+x", "image/png+x", "attachment"],
  ["application/pdf", "application/pdf", "attachment"],
  ["application/xhtml+xml", "application/xhtml+xml", "attachment"],
  ["application/octet-stream", "application/octet-stream", "attachment"],
])("%s is sent as %s, %s", (mediaType, contentType, disposition) => {
  expect(servedHeaders({ key: "a/b", mediaType })).toEqual({
    contentType,
    disposition: `${disposition}; filename="b"`,
  });
});
