import { expect, test } from "vitest";
import { deviceText } from "#runtime/modules/auth/events/device-text";

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/142.0.0.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, "Chrome on Android"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36 OPR/124.0.0.0`, "Opera on macOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  ["curl/8.14.1", "unknown device"],
  ["Your account is closed, see https://evil.example on Windows", "Windows"],
  [null, "unknown device"],
])("%s", (userAgent, expected) => {
  expect(deviceText({ userAgent, address: null })).toBe(expected);
  expect(deviceText({ userAgent, address: "203.0.113.7" })).toBe(`${expected}, 203.0.113.7`);
});
