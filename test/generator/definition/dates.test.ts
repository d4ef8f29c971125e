import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalDate, canonicalDatetime, comparedDatetime } from "../../../generator/definition/dates.ts";

test.each([
  ["2025-01-31", "2025-01-31T00:00:00.000Z"],
  ["2025-01-31T10:20", "2025-01-31T10:20:00.000Z"],
  ["2025-01-31T10:20:30.123456Z", "2025-01-31T10:20:30.123Z"],
  ["2025-01-01T00:30+01:00", "2024-12-31T23:30:00.000Z"],
  ["0001-01-01T00:00+01:00", null],
  ["9999-12-31T23:59:59-01:00", null],
  ["2025-01-31T24:00", null],
  ["2025-01-31T23:59:60Z", null],
  ["2025-02-30T00:00Z", null],
  ["2025-01-31 10:20", null],
  ["0000-01-01", null],
])("%s is the moment %s", (text, moment) => expect(canonicalDatetime(text)).toBe(moment));

test.each([
  ["2025-01-31", "2025-01-31T00:00:00.000Z"],
  ["2025-01-31T10:20:30.123000Z", "2025-01-31T10:20:30.123Z"],
  ["2025-01-31T10:20:30.1235Z", "2025-01-31T10:20:30.123500Z"],
  ["2025-01-31T10:20:30.1239999Z", "2025-01-31T10:20:30.123999Z"],
  ["2025-01-31T10:20:30.1230000001+01:00", "2025-01-31T09:20:30.123001Z"],
  ["2025-01-31T24:00", null],
])("%s is compared as %s", (text, moment) => expect(comparedDatetime(text)).toBe(moment));

test("every moment that a Date prints is itself, and its day is a date", () => {
  const moments = fc.date({
    noInvalidDate: true,
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
  });
  fc.assert(
    fc.property(moments, (moment) => {
      expect(canonicalDatetime(moment.toISOString())).toBe(moment.toISOString());
      expect(canonicalDate(moment.toISOString().slice(0, 10))).not.toBe(null);
    }),
    { seed: 9, numRuns: 300 },
  );
});
