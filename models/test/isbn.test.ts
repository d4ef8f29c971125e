import { expect, test } from "vitest";
import { bareIsbn, isbnCheckDigit, isIsbn } from "../shop/isbn.ts";
import { bookSlug } from "../shop/slug.ts";

test.each([
  ["9780140449136", true],
  ["9780140449137", false],
  ["978014044913", false],
  ["9770140449136", false],
])("%s is an ISBN: %s", (text, expected) => {
  expect(isIsbn(text)).toBe(expected);
});

test("hyphens and blanks go", () => {
  expect(bareIsbn("978-0-14 044913-6")).toBe("9780140449136");
  expect(isbnCheckDigit("978014044913")).toBe("6");
});

test("a slug has neither accents nor doubled hyphens", () => {
  expect(bookSlug("“Où es-tu, Zoë?”", "9780140449136")).toBe("ou-es-tu-zoe-9780140449136");
});
