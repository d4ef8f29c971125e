import type { Device } from "../sessions/session-rows.ts";

// The first match counts: most browsers also name the browsers that they imitate.
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;
const systems = [
  [/\bWindows\b/, "Windows"],
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/**
 * Describes a client for a mail. It repeats nothing of `User-Agent`: a thief of a session could put a
 * sentence or a link there.
 */
export function deviceText({ userAgent, address }: Device): string {
  const find = (known: typeof browsers | typeof systems) =>
    known.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const names = [find(browsers), find(systems)].filter((name) => name !== undefined);
  const device = names.length > 0 ? names.join(" on ") : "unknown device";
  return address === null ? device : `${device}, ${address}`;
}
