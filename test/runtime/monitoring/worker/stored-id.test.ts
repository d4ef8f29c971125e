import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashOf, idOf, storedId } from "#runtime/monitoring/worker/rows/stored-id";

const uuid = "0d9f1f3c-36a5-4c55-9b90-58a1ad7d1c11";

describe("an id is kept", () => {
  test("as 16 bytes where it is a UUID, and comes back as it was", () => {
    const bytes = Buffer.from("0d9f1f3c36a54c559b9058a1ad7d1c11", "hex");
    expect(storedId(uuid)).toEqual(bytes);
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(storedId(id)).toBeInstanceOf(Buffer);
        expect(idOf(storedId(id))).toBe(id);
      }),
    );
  });

  test.each([
    ["upper case", uuid.toUpperCase()],
    ["one letter in upper case", uuid.replace("f", "F")],
    ["no dashes", uuid.replaceAll("-", "")],
    ["a dash elsewhere", "0d9f1f3-c36a5-4c55-9b90-58a1ad7d1c11"],
    ["a digit for a dash", `${uuid.slice(0, 8)}0${uuid.slice(9)}`],
    ["a letter beyond f", `${uuid.slice(0, -1)}g`],
    ["a letter beyond f, first of two", `g${uuid.slice(1)}`],
    ["what stands before 0", `${uuid.slice(0, -1)}/`],
    ["what stands between 9 and a", `:${uuid.slice(1)}`],
    ["a digit of another script", `${uuid.slice(0, -1)}٣`],
    ["a character that ends as a digit does", `${uuid.slice(0, -1)}\u0130`],
    ["one character too few", uuid.slice(1)],
    ["one too many", `${uuid}0`],
    ["dashes alone", "-".repeat(36)],
    ["nothing", ""],
    ["a number", "007"],
  ])("as its text where it is none: %s", (_, id) => {
    expect(storedId(id)).toBe(id);
  });

  test("without what is secret in it", () => {
    expect(storedId("ann@example.org")).toBe("[masked]");
    expect(storedId(`kk_${"0af9".repeat(16)}`)).toBe("[masked]");
  });
});

test("hashes are those that files have been written with", () => {
  const hashes = ["", "a", "foobar", uuid].map((id) => hashOf(id) >>> 0);
  expect(hashes).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968, 0x94895adc]);
});
