import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeKey,
  fileNameOf,
  imageKeyOf,
  isFileKey,
  isThumbnailKey,
  keyRules,
  readFileKey,
  readKeyPrefix,
  safeFileName,
  thumbnailFolder,
  thumbnailKey,
} from "#runtime/modules/storage/keys/file-key";
import { fileKey as key } from "../../../../support/stores.ts";

describe("a key", () => {
  // biome-ignore format: many on a line
  test.each([
    "a", "A-Z a-z 0-9._-", "a/b/c.tar.gz", "a.b/c..d/e.", " ", "a ", " a/ b", "-", "_", "Übergröße.pdf",
    "Ελληνικά/Кириллица/עברית/العربية", "文件/ファイル/파일/ไฟล์/फ़ाइल", "𠀀𠀁", "١٢٣", "\u{1d7d8}", "x".repeat(255), "é".repeat(127),
    `${"a/".repeat(255)}aa`, "users/1/con", "..a".slice(1).replace(".", "a."),
  ])("%j is one", (text) => {
    expect(readFileKey(text)).toBe(text.normalize("NFC"));
  });

  test.each([
    ["nothing", ""],
    ["a slash", "/"],
    ["a leading slash", "/a"],
    ["a slash at the end", "a/"],
    ["two slashes", "a//b"],
    ["a dot", "."],
    ["two dots", ".."],
    ["two dots on the way", "a/../b"],
    ["a dot on the way", "a/./b"],
    ["a segment that begins with a dot", "a/.b"],
    ["a hidden name", ".env"],
    ["three dots", "..."],
    ["a backslash", "a\\b"],
    ["a NUL", "a\0b"],
    ["a tab", "a\tb"],
    ["a line feed at its end", "a\n"],
    ["a delete character", "a\u007f"],
    ["a control character of the second kind", "a\u0085"],
    ["a no-break space", "a\u00a0b"],
    ["a wide blank", "a\u3000b"],
    ["a line separator", "a\u2028b"],
    ["a left-to-right mark", "a\u200eb"],
    ["an override of direction", "a\u202eb"],
    ["an isolate", "a\u2066b"],
    ["a zero-width joiner", "a\u200db"],
    ["a zero-width space", "a\u200bb"],
    ["a byte-order mark", "\ufeffa"],
    ["a soft hyphen", "a\u00adb"],
    ["a slash of another kind", "a\u2215b"],
    ["a full-width slash", "a\uff0fb"],
    ["a leader of two dots", "\u2025"],
    ["half a pair", "a\ud800"],
    ["the other half", "\udc00a"],
    ["an unassigned character", "a\u0378"],
    ["one of private use", "a\ue000"],
    ["no character", "a\uffff"],
    ["an emoji", "😀"],
    ["a Roman number, which is not a digit", "Ⅷ"],
    ["a fraction", "½"],
    ["a currency", "€"],
    ...[..."!\"#$%&'()*+,:;<=>?@[]^`{|}~"].map((character) => [`a ${character}`, `a${character}`]),
    ["a segment of 256 bytes", "x".repeat(256)],
    ["a segment of 128 characters and 256 bytes", "é".repeat(128)],
    ["513 bytes", `${"a/".repeat(256)}a`],
  ])("%s is not a key", (_, text = "") => {
    expect(readFileKey(text)).toBeNull();
    expect(isFileKey(text)).toBe(false);
  });

  test("is brought to NFC, and measured after that", () => {
    expect(readFileKey("e\u0301".repeat(127))).toBe("é".repeat(127));
    expect(isFileKey("e\u0301")).toBe(false);
    // Ohm and ångström are letters by another name.
    expect(readFileKey("\u2126\u212b")).toBe("\u03a9\u00c5");
    // Takes twice as many bytes in NFC.
    expect(readFileKey("\u0958".repeat(43))).toBeNull();
    expect(readFileKey("\u0958".repeat(42))?.length).toBe(84);
  });

  test("may begin with a mark, which joins nothing before it", () => {
    expect(readFileKey("a/\u0338b")).toBe("a/\u0338b");
  });

  test("is the same when it is read again, and survives a URL", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        const key = readFileKey(text);
        if (key === null) return;
        expect(readFileKey(key)).toBe(key);
        expect(isFileKey(key)).toBe(true);
        expect(Buffer.from(key).toString()).toBe(key);
        expect(key.split("/").some((part) => part === "" || part.startsWith("."))).toBe(false);
        expect(decodeURIComponent(encodeKey(key))).toBe(key);
        expect(new URL(`http://a/${encodeKey(key)}`).pathname).toBe(`/${encodeKey(key)}`);
      }),
      { numRuns: 2000 },
    );
  });

  test("has rules that people can read", () => {
    expect(keyRules).toMatch(/letters, digits, spaces/);
  });
});

describe("prefixes of keys", () => {
  test.each(["", "a", "a/", "a/b", "a/b/", "A b", "é", "文"])("%j may be asked for", (text) => {
    expect(readKeyPrefix(text)).toBe(text);
  });

  test.each(["/", "/a", "a//", ".", "a/.", "..", "a/../", "a\\", "a*", "%", "a\0", ".thumbnails/", "a/.b"])(
    "no key begins with %j",
    (text) => {
      expect(readKeyPrefix(text)).toBeNull();
    },
  );

  test("each beginning of a key is one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), fc.nat(20), (text, length) => {
        const key = readFileKey(text);
        if (key === null) return;
        const start = [...key].slice(0, length).join("");
        expect(readKeyPrefix(start)).toBe(start);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the name of an uploaded file", () => {
  test("is always a key of one segment", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (sent) => {
        const name = safeFileName(sent);
        if (name === null) return;
        expect(isFileKey(name)).toBe(true);
        expect(fileNameOf(name)).toBe(name);
      }),
      { numRuns: 2000 },
    );
  });
});

test("the last segment of a key is its file's name", () => {
  expect(["a", "a/b", "a/b/c.d"].map(fileNameOf)).toEqual(["a", "b", "c.d"]);
});

test.each([
  ["b.jpg", ".thumbnails/b.jpg/small.png"],
  ["a/b.jpg", "a/.thumbnails/b.jpg/small.png"],
  ["a/c d/é.tif", "a/c d/.thumbnails/é.tif/small.png"],
])("the thumbnails of %s are in the same folder", (picture, thumbnail) => {
  expect(thumbnailKey(key(picture), "small.png")).toBe(thumbnail);
  expect(thumbnail.startsWith(thumbnailFolder(key(picture)))).toBe(true);
  expect(imageKeyOf(thumbnail)).toBe(picture);
  expect(readFileKey(thumbnail)).toBeNull();
});

describe("no key of a thumbnail", () => {
  // biome-ignore format: many on a line
  test.each([
    "a.jpg", "", ".thumbnails", ".thumbnails/", ".thumbnails/b.jpg", ".thumbnails/b.jpg/", ".thumbnails/b.jpg/small",
    ".thumbnails/b.jpg/small.", ".thumbnails/b.jpg/.png", ".thumbnails/b.jpg/Small.png", ".thumbnails/b.jpg/a b.png",
    ".thumbnails/b.jpg/small.png/x", ".thumbnails/b.jpg/small.png\n", ".thumbnails/../small.png", ".thumbnails/.hidden/small.png",
    ".thumbnails//small.png", "/.thumbnails/b.jpg/small.png", "a/../.thumbnails/b.jpg/small.png",
    ".hidden/.thumbnails/b.jpg/small.png", "a//.thumbnails/b.jpg/small.png", ".thumbnails/.thumbnails/b.jpg/small.png",
    ".thumbnails/a/.thumbnails/b.jpg/small.png", "x.thumbnails/b.jpg/small.png", ".thumbnails/b\\c/small.png",
    `.thumbnails/b.jpg/${"x".repeat(33)}.png`, ".thumbnails/e\u0301/small.png",
  ])("%j", (text) => {
    expect(isThumbnailKey(text)).toBe(false);
    expect(imageKeyOf(text)).toBeNull();
  });

  test.each([
    ["Small", "png"],
    ["", "png"],
    ["small", ""],
    ["../small", "png"],
    ["small", "p/g"],
  ])("is made of %j and %j", (name, extension) => {
    expect(() => thumbnailKey(key("a"), `${name}.${extension}`)).toThrow("is not a key of a thumbnail");
  });
});
