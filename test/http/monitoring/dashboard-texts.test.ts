import { describe, expect, test } from "vitest";
import * as texts from "../../../runtime/monitoring/dashboard/page/texts.js";

const difference = (share: number) => texts.signed(share, texts.pointsText);
const texted = <Value>(text: (value: Value) => string, values: readonly Value[]) =>
  values.map(text).join(", ");

// biome-ignore format: one case a line
describe("figures of the dashboard", () => {
  test.each([
    ["durations", texted(texts.durationText, [null, 0, 0.004, 0.01, 9.994, 9.996, 99.96]), "–, 0 ms, <0.01 ms, 0.01 ms, 9.99 ms, 10.0 ms, 100 ms"],
    ["long durations", texted(texts.durationText, [999.4, 999.6, 59_940, 60_000, 5_400_000]), "999 ms, 1.00 s, 59.9 s, 1.00 min, 90.0 min"],
    ["shares", texted(texts.percentText, [0, 0.000_05, 0.004_2, 0.5, 0.9999, 1]), "0%, <0.01%, 0.42%, 50.0%, 100%, 100%"],
    ["differences of shares", texted(difference, [0, 0.000_001, 0.011_8, -0.25]), "±0.00 pts, ±0.00 pts, +1.18 pts, −25.0 pts"],
    ["counts", texted(texts.compactText, [9_999, 12_345, 4_000_000]), "9,999, 12.3K, 4M"],
    ["rates", texted(texts.rateText, [0, 0.013_33, 1_234.5]), "0, 0.0133, 1,235"],
    ["money", texted(texts.dollarText, [null, 0, 0.000_000_4, 0.004_234, 0.5, 1_234.567]), "–, $0, <$0.000001, $0.00423, $0.50, $1,234.57"],
    ["sizes", texted(texts.bytesText, [0, 1_023, 1_536, 209_715_200, 5e15]), "0 B, 1,020 B, 1.5 kB, 200 MB, 4,550 TB"],
    ["spans", texted(texts.spanText, [0, 59, 60, 3_725, 86_400, 273_600]), "0 s, 59 s, 1 min, 1 h 2 min, 1 d, 3 d 4 h"],
  ])("%s", (_, shown, expected) => expect(shown).toBe(expected));

  test("moments", () => {
    const at = new Date(2026, 10, 22, 14, 3, 9);
    expect(texts.momentText(at.toISOString(), new Date(2026, 10, 22, 23))).toBe("14:03:09");
    expect(texts.momentText(at.toISOString(), new Date(2026, 10, 23))).toBe("Nov 22, 14:03:09");
    expect([5, 60, 7_200].map((seconds) => texts.bucketText(at, seconds))).toEqual(["14:03:09", "14:03", "Nov 22, 14:03"]);
  });
});
