import { expect, test } from "vitest";
import { weakMemo } from "#runtime/core/concurrency/index";

interface Book {
  readonly title: string;
}

test("the value is made once for each object of any kind, and equal objects are two", () => {
  const asked: Book[] = [];
  const isLong = weakMemo((book: Book) => {
    asked.push(book);
    return book.title.length > 5;
  });
  const [one, other] = [{ title: "Emma" }, { title: "Emma" }];
  expect([one, one, other].map(isLong)).toEqual([false, false, false]);
  expect(asked).toEqual([one, other]);
});

test("a failure is retried", () => {
  let tries = 0;
  const titleOf = weakMemo(({ title }: Book) => {
    if (++tries === 1) throw new Error("not yet");
    return title;
  });
  const book = { title: "Emma" };
  expect(() => titleOf(book)).toThrow("not yet");
  expect(titleOf(book)).toBe("Emma");
});
