import { describe, expect, test } from "vitest";
import {
  bytesText,
  compactText,
  dollarText,
  durationText,
  percentText,
  pointsText,
  rateText,
  signed,
} from "#runtime/monitoring/dashboard/page/text/number-texts";
import { bucketText, momentText, spanText } from "#runtime/monitoring/dashboard/page/text/time-texts";

const shows = <Value>(text: (value: Value) => string, rows: readonly (readonly [Value, string])[]) => {
  for (const [value, shown] of rows) expect([value, text(value)]).toEqual([value, shown]);
};

describe("figures of the dashboard", () => {
  test("durations", () =>
    shows(durationText, [
      [null, "–"],
      [0, "0 ms"],
      [0.004, "<0.01 ms"],
      [0.01, "0.01 ms"],
      [9.994, "9.99 ms"],
      [9.996, "10.0 ms"],
      [99.96, "100 ms"],
      [999.4, "999 ms"],
      [999.6, "1.00 s"],
      [59_940, "59.9 s"],
      [60_000, "1.00 min"],
      [5_400_000, "90.0 min"],
    ]));

  test("shares, and their differences", () => {
    shows(percentText, [
      [0, "0%"],
      [0.000_05, "<0.01%"],
      [0.004_2, "0.42%"],
      [0.5, "50.0%"],
      [0.9999, "100%"],
      [1, "100%"],
    ]);
    const difference = (share: number) => signed(share, pointsText);
    shows(difference, [
      [0, "±0.00 pts"],
      [0.000_001, "±0.00 pts"],
      [0.011_8, "+1.18 pts"],
      [-0.25, "−25.0 pts"],
    ]);
  });

  test("counts, rates, money and sizes", () => {
    shows(compactText, [
      [9_999, "9,999"],
      [12_345, "12.3K"],
      [4_000_000, "4M"],
    ]);
    shows(rateText, [
      [0, "0"],
      [0.013_33, "0.0133"],
      [1_234.5, "1,235"],
    ]);
    shows(dollarText, [
      [null, "–"],
      [0, "$0"],
      [0.000_000_4, "<$0.000001"],
      [0.004_234, "$0.00423"],
      [0.5, "$0.50"],
      [1_234.567, "$1,234.57"],
    ]);
    shows(bytesText, [
      [0, "0 B"],
      [1_023, "1,020 B"],
      [1_536, "1.5 kB"],
      [209_715_200, "200 MB"],
      [5e15, "4,550 TB"],
    ]);
  });

  test("spans and moments", () => {
    shows(spanText, [
      [0, "0 s"],
      [59, "59 s"],
      [60, "1 min"],
      [3_725, "1 h 2 min"],
      [86_400, "1 d"],
      [273_600, "3 d 4 h"],
    ]);
    const at = new Date(2026, 10, 22, 14, 3, 9);
    expect(momentText(at.toISOString(), new Date(2026, 10, 22, 23))).toBe("14:03:09");
    expect(momentText(at.toISOString(), new Date(2026, 10, 23))).toBe("Nov 22, 14:03:09");
    expect([5, 60, 7_200].map((seconds) => bucketText(at, seconds))).toEqual([
      "14:03:09",
      "14:03",
      "Nov 22, 14:03",
    ]);
  });
});
