/** Version, trace id, parent id and flags. A later version can add fields. A list of two headers does not match. */
const form = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-[^\s,]*)?$/;

/** Reads `traceparent` of a caller. Returns null if it is missing or malformed. */
export function readTraceparent(sent: unknown): string | null {
  if (typeof sent !== "string") return null;
  const [, version, trace, parent, flags = "", more] = form.exec(sent) ?? [];
  if (version === undefined || (version === "00" && more !== undefined)) return null;
  // Only this bit has the same meaning in later versions.
  const known = version === "00" ? flags : `0${Number.parseInt(flags, 16) & 1}`;
  return `00-${trace}-${parent}-${known}`;
}
