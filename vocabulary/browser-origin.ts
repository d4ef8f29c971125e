/**
 * An item of `cors.origins` in the form that browsers send: lower case, no default port, the host in ASCII. Null for a text that no
 * browser sends: one with a path, or a wildcard other than `*`.
 */
export function browserOrigin(text: string): string | null {
  if (text === "*") return text;
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/\\?#@*\s]+)$/i.exec(text) ?? [];
  if (authority === "") return null;
  const isWeb = /^https?$/i.test(scheme);
  // Of other schemes, such as those of apps and extensions, URL keeps the host as it is.
  const url = `${isWeb ? scheme : "http"}://${authority}`;
  if (!URL.canParse(url)) return null;
  return isWeb ? new URL(url).origin : `${scheme.toLowerCase()}://${authority.toLowerCase()}`;
}
