import { expect, test } from "vitest";
import { servedHeaders } from "#runtime/storage/content/served-headers";

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

test.each([
  ["a/b c.pdf", 'filename="b c.pdf"'],
  ["é.pdf", "filename=\"_.pdf\"; filename*=UTF-8''%C3%A9.pdf"],
  ["\u{20000}.pdf", "filename=\"_.pdf\"; filename*=UTF-8''%F0%A0%80%80.pdf"],
  ["a/.thumbnails/b.jpg/small.png", 'filename="small.png"'],
])("the name of %s is %s, in ASCII", (key, name) => {
  const { disposition } = servedHeaders({ key, mediaType: "application/pdf" });
  expect(disposition).toBe(`attachment; ${name}`);
  expect(disposition).toMatch(/^[ -~]+$/);
});
