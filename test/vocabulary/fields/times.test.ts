import { expect, test } from "vitest";
import { parseTime, timeText } from "#vocabulary/fields/dates";

test.each([
  ["00:00", "00:00:00.000"],
  ["23:59:59.999", "23:59:59.999"],
  ["12:30:05", "12:30:05.000"],
  ["12:30:05.5", "12:30:05.500"],
  ["12:30:05.050", "12:30:05.050"],
])("%s is the time %s", (text, time) => {
  expect(parseTime(text)).toBe(time);
});

// biome-ignore format: many a line
test.each([
  "24:00", "12", "12:60", "12:30:60", "1:00", "12:30:05.", "12:30:05.1234", "12:30Z", "12:30+01", " 12:30", "12:30\n", "٠٠:00",
])("%j is not a time", (text) => {
  expect(parseTime(text)).toBeNull();
});

test.each([
  ["00:00:00", "00:00:00.000"],
  ["12:30:00.5", "12:30:00.500"],
  ["12:30:00.999", "12:30:00.999"],
  ["12:30:00.123456", "12:30:00.123"],
])("PostgreSQL's %s is answered as %s", (stored, text) => {
  expect(timeText(stored)).toBe(text);
});
