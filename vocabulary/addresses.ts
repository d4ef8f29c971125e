const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether this is an IP address, or a range of them in CIDR notation: what `rate_limit.trusted_proxy_ips` takes. */
export function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const length = bitsOf(address);
  if (length === 0 || more.length > 0) return false;
  return bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= length);
}

/** How long such an address is; 0 for a text that is not one. A URL reads IPv6 as node:net does, and is there in browsers too. */
function bitsOf(address: string): 0 | 32 | 128 {
  if (ipv4.test(address)) return 32;
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`) ? 128 : 0;
}

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
