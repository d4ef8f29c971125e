import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoText, parseComparedDatetime, parseDate, parseDatetime } from "#vocabulary/fields/dates";

describe("parseDate", () => {
  it.each(["0001-01-01", "1900-02-28", "2000-02-29", "2024-02-29", "9999-12-31"])("takes %s", (text) => {
    expect(parseDate(text)).toBe(text);
  });

  // biome-ignore format: many a line
  it.each([
    "", "2024", "2024-02", "2024-2-9", "2024-02-30", "2023-02-29", "1900-02-29", "0000-01-01", "2024-00-01", "2024-13-01", "2024-01-00", "2024-04-31",
    "10000-01-01", "-2024-01-01", "+2024-01-01", " 2024-01-01", "2024-01-01 ", "2024-01-01\n", "2024-01-01T00:00", "20240101", "2024/01/01",
    "٢٠٢٤-٠١-٠١", "today", "infinity",
  ])("refuses %j", (text) => {
    expect(parseDate(text)).toBeNull();
  });
});

describe("parseDatetime", () => {
  it.each([
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2024-02-29T10:20", "2024-02-29T10:20:00.000Z"],
    ["2024-02-29T10:20:30", "2024-02-29T10:20:30.000Z"],
    ["2024-02-29T10:20:30.1", "2024-02-29T10:20:30.100Z"],
    ["2024-02-29T10:20:30.1239", "2024-02-29T10:20:30.123Z"],
    ["2024-02-29T10:20Z", "2024-02-29T10:20:00.000Z"],
    ["2024-02-29T10:20+01:30", "2024-02-29T08:50:00.000Z"],
    ["2024-02-29T10:20-0130", "2024-02-29T11:50:00.000Z"],
    ["2024-02-29T10:20+01", "2024-02-29T09:20:00.000Z"],
    ["2024-03-01T00:30+01:00", "2024-02-29T23:30:00.000Z"],
    ["2024-12-31T23:59:59.999-00:01", "2025-01-01T00:00:59.999Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999Z"],
  ])("reads %s as %s", (text, instant) => {
    expect(parseDatetime(text)).toBe(instant);
  });

  // biome-ignore format: many a line
  it.each([
    "", "2024-02-30T00:00", "2024-01-01T24:00", "2024-01-01T23:60", "2024-01-01T23:59:60", "2024-01-01T10", "2024-01-01T1:00", "2024-01-01T10:0",
    "2024-01-01 10:00", "2024-01-01t10:00", "2024-01-01T10:00z", "2024-01-01T10:00+24:00", "2024-01-01T10:00+01:60", "2024-01-01T10:00 Z",
    "2024-01-01Z", "2024-01-01T10:00:00.", "2024-01-01T10:00,5", "0001-01-01T00:00+00:01", "9999-12-31T23:59:59-00:01", "0000-12-31T23:59-00:01",
    "2024-W01-1", "2024-001", "now", "epoch", "1704067200", "2024-01-01T10:00Z\0",
  ])("refuses %j", (text) => {
    expect(parseDatetime(text)).toBeNull();
  });

  it("agrees with Date on every instant that it prints, and parses its own output", () => {
    const instant = fc.date({
      min: new Date("0001-01-01T00:00:00.000Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, (date) => {
        expect(parseDatetime(date.toISOString())).toBe(date.toISOString());
        expect(parseDate(date.toISOString().slice(0, 10))).toBe(date.toISOString().slice(0, 10));
      }),
      { seed: 1 },
    );
  });

  it("gives for any text nothing or a text that it gives again", () => {
    const text = fc.stringMatching(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,4})?)?(Z|[+-]\d\d:?\d\d)?)?$/);
    fc.assert(
      fc.property(text, (sent) => {
        const read = parseDatetime(sent);
        if (read !== null) expect(parseDatetime(read)).toBe(read);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("parseComparedDatetime", () => {
  it.each([
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2024-02-29T10:20:30.1", "2024-02-29T10:20:30.100Z"],
    ["2024-02-29T10:20:30.123000000Z", "2024-02-29T10:20:30.123Z"],
    ["2024-02-29T10:20:30.1235Z", "2024-02-29T10:20:30.123500Z"],
    ["2024-02-29T10:20:30.123456+01:30", "2024-02-29T08:50:30.123456Z"],
    ["2024-02-29T10:20:30.1239999999Z", "2024-02-29T10:20:30.123999Z"],
    ["2024-02-29T10:20:30.1230000001Z", "2024-02-29T10:20:30.123001Z"],
    ["9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999999Z"],
  ])("reads %s as %s", (text, instant) => {
    expect(parseComparedDatetime(text)).toBe(instant);
    expect(parseComparedDatetime(instant)).toBe(instant);
  });

  it.each(["", "2024-02-30", "2024-01-01T10:00:00.1235 Z", "9999-12-31T23:59:59.9999-00:01"])(
    "refuses %j",
    (text) => {
      expect(parseComparedDatetime(text)).toBeNull();
    },
  );

  it("compares with every millisecond as the text does, digit by digit", () => {
    const digits = fc.stringMatching(/^(\d{1,12}|\d{3}0{3,8}\d|\d{3}9{3,8})$/);
    /** Tenths of a picosecond, so that nothing is rounded. */
    const exact = (fraction: string) => BigInt(fraction.padEnd(13, "0"));
    const order = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
    fc.assert(
      fc.property(digits, fc.nat(999), (fraction, millisecond) => {
        const read = parseComparedDatetime(`2026-01-01T08:00:00.${fraction}Z`) ?? "";
        const [, kept = ""] = /^2026-01-01T08:00:00\.(\d{3}|\d{6})Z$/.exec(read) ?? [];
        const near = [millisecond, Number(fraction.padEnd(3, "0").slice(0, 3))];
        for (const stored of near.flatMap((one) => [one, (one + 1) % 1000])) {
          const column = exact(String(stored).padStart(3, "0"));
          expect(order(exact(kept), column), `${fraction} and ${stored}`).toBe(
            order(exact(fraction), column),
          );
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("isoText", () => {
  it.each([
    ["2026-01-02 03:04:05+00", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02 03:04:05.6+00", "2026-01-02T03:04:05.600Z"],
    ["2026-01-02 03:04:05.123+00", "2026-01-02T03:04:05.123Z"],
    ["2026-01-02 03:04:05.123456+00", "2026-01-02T03:04:05.123Z"],
  ])("%s is answered as %s", (stored, text) => {
    expect(isoText(stored)).toBe(text);
  });
});
