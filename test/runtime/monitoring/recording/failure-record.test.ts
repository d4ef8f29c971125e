import fc from "fast-check";
import { expect, test } from "vitest";
import { failureRecord } from "#runtime/monitoring/recording/failure-record";

class Quiet extends Error {
  override readonly name = "Quiet";
}

test.each<[string, unknown, string]>([
  ["an error", new Error("one"), "one"],
  ["its cause", new Error("one", { cause: new Error("two", { cause: "three" }) }), "one: two: three"],
  ["one without a message", new Quiet(), "Quiet"],
  ["several at once", new AggregateError([new Error("a"), new Error("b")], "both"), "both: a: b"],
  ["several without a message", new AggregateError([new Error("a")]), "AggregateError: a"],
  ["a text", "no", "no"],
  ["an object", { password: "secret" }, "an object was thrown"],
  ["a symbol", Symbol("odd"), "Symbol(odd)"],
])("the message of %s", (_, thrown, message) => {
  expect(failureRecord(thrown).message).toBe(message);
});

test("errors that are causes of each other", () => {
  const one = new Error("one");
  const two = new Error("two", { cause: one });
  one.cause = two;
  expect(failureRecord(one).message).toBe("one: two");
});

test("an error that cannot be read", () => {
  const broken = new Error("one");
  const refuse = () => {
    throw new Error("no");
  };
  for (const key of ["stack", "cause", "message"]) Object.defineProperty(broken, key, { get: refuse });
  expect(failureRecord(broken)).toEqual({ message: "what was thrown cannot be read", stack: null });
});

test("a long one is bounded, and no half of a secret is left where it was cut", () => {
  const long = new Error(`${"x".repeat(2_040)} ann.of.the.long.name@example.org ${"y".repeat(100_000)}`);
  const { message, stack } = failureRecord(long);
  expect(message.length).toBeLessThanOrEqual(2_048);
  expect(stack?.length).toBeLessThanOrEqual(8_192);
  expect(message).not.toContain("ann");
});

test("whatever is thrown", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
      const { message, stack } = failureRecord(thrown);
      expect(typeof message).toBe("string");
      expect(stack).toBeNull();
    }),
  );
});

test("nothing of a token is left where a text is cut, however much of it is masked", () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.${"cGF5bG9hZA".repeat(60)}.${"c2lnbmF0dXJl".repeat(4)}`;
  for (let shift = 0; shift < 700; shift += 50) {
    const { message } = failureRecord(new Error(`${"x".repeat(shift)} ${`${token} `.repeat(40)}`));
    expect(message).not.toContain("cGF5bG9hZA");
    expect(message).toContain("[masked]");
  }
});
