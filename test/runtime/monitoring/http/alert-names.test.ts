import { expect, test } from "vitest";
import { recordedName } from "#runtime/monitoring/http/alert-names";

const names = new Set(["books", "/books/fetch", "/shop/fetch", "unmatched"]);

test.each<[string, string, string | null]>([
  ["", "books", "books"],
  ["", "/books/fetch", "/books/fetch"],
  ["", "/shop/books/fetch", null],
  ["", "unmatched", "unmatched"],
  ["", "", null],
  ["", "/", null],
  ["/shop", "books", "books"],
  ["/shop", "unmatched", "unmatched"],
  ["/shop", "/books/fetch", "/books/fetch"],
  ["/shop", "/shop/books/fetch", "/books/fetch"],
  ["/shop", "/shop/fetch", "/shop/fetch"],
  ["/shop", "/shop/shop/fetch", "/shop/fetch"],
  ["/shop", "/shop/", null],
  ["/shop", "/shop/unmatched", null],
  ["/shop", "/shopbooks/fetch", null],
  ["/shop", "/shopbooks", null],
  ["/shop", "/other/books/fetch", null],
])("mounted at %j, %j is recorded as %j", (mount, name, expected) => {
  expect(recordedName(names, mount, name)).toBe(expected);
});
