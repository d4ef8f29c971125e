import { describe, expect, test } from "vitest";
import { readFileKey } from "#runtime/storage/keys/file-key";
import { isThumbnailKey, pictureOf, thumbnailFolder, thumbnailKey } from "#runtime/storage/keys/stored-key";

function key(text: string) {
  const read = readFileKey(text);
  if (read === null) throw new Error(`${text} is no key`);
  return read;
}

test.each([
  ["b.jpg", ".thumbnails/b.jpg/small.png"],
  ["a/b.jpg", "a/.thumbnails/b.jpg/small.png"],
  ["a/c d/é.tif", "a/c d/.thumbnails/é.tif/small.png"],
])("the thumbnails of %s lie beside it", (picture, thumbnail) => {
  expect(thumbnailKey(key(picture), "small", "png")).toBe(thumbnail);
  expect(thumbnail.startsWith(thumbnailFolder(key(picture)))).toBe(true);
  expect(pictureOf(thumbnail)).toBe(picture);
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
    expect(pictureOf(text)).toBeNull();
  });

  test.each([
    ["Small", "png"],
    ["", "png"],
    ["small", ""],
    ["../small", "png"],
    ["small", "p/g"],
  ])("is made of %j and %j", (name, extension) => {
    expect(() => thumbnailKey(key("a"), name, extension)).toThrow("is no key of a thumbnail");
  });
});
