import fc from "fast-check";
import { expect, test } from "vitest";
import { checkNamer, enumCheckName, indexNamer, tableKeyName, typeNames } from "#generator/definition/names";

test("names of constraints are plain while they fit, and marked by a hash beyond 63 bytes", () => {
  expect(tableKeyName(["books", "author_id"], "fkey")).toBe("books_author_id_fkey");
  expect(enumCheckName("books", "status")).toBe("books_status_check");
  const [long, other] = [
    tableKeyName(["a".repeat(40), "b".repeat(40)], "key"),
    tableKeyName(["a".repeat(40), "b".repeat(41)], "key"),
  ];
  expect(long).toMatch(/^a{40}_b{13}_[0-9a-f]{8}$/);
  expect(long).not.toBe(other);
});

test("index names are unique among each other and among tables", () => {
  const name = indexNamer(["a", "a_b", "a_c_key"]);
  const names = [name(["a_b", "c"], "key"), name(["a", "b_c"], "key"), name(["a", "c"], "key")];
  expect(names[0]).toBe("a_b_c_key");
  expect(new Set([...names, "a_c_key"]).size).toBe(4);
});

test("the snake_case key gets the type name that two keys give", () => {
  expect(Object.fromEntries(typeNames(["orderItems", "order_items", "books"]))).toEqual({
    orderItems: "OrderItems2",
    order_items: "OrderItems",
    books: "Books",
  });
});

test("type names are unique and identifiers", () => {
  const key = fc.stringMatching(/^[a-bA-B](_?[a-b2A-B])*_?$/);
  fc.assert(
    fc.property(fc.uniqueArray(key), (keys) => {
      const names = [...typeNames(keys).values()];
      expect(new Set(names).size).toBe(keys.length);
      for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/);
    }),
    { seed: 5, numRuns: 300 },
  );
});

test("constraints of checks keep the order of the list, also with truncated names, and have distinct names", () => {
  expect(checkNamer("books", ["sold_once", "a"])).toEqual(["books_01_sold_once_check", "books_02_a_check"]);
  const many = Array.from({ length: 100 }, (_, index) => `c${index}`);
  expect(checkNamer("books", many)[0]).toBe("books_001_c0_check");
  expect(checkNamer("books", many)[99]).toBe("books_100_c99_check");
  const lengths = fc.integer({ min: 1, max: 63 });
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,40}$/), {
    ...{ minLength: 1, maxLength: 120, size: "max" },
  });
  fc.assert(
    fc.property(lengths, names, (length, list) => {
      const constraints = checkNamer("t".repeat(length), list);
      expect(constraints.every((name) => Buffer.byteLength(name) <= 63)).toBe(true);
      expect(new Set(constraints).size).toBe(list.length);
      // As PostgreSQL compares them, byte by byte.
      expect([...constraints].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(
        constraints,
      );
    }),
  );
});
