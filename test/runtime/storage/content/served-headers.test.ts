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
