const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether a text is an IP address or a CIDR range, as in `rate_limit.trusted_proxy_ips`. */
export function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const length = bitsOf(address);
  if (length === 0 || more.length > 0) return false;
  return bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= length);
}

/**
 * Number of bits of an IP address; 0 for other text. Uses URL instead of node:net, so that it also runs in
 * browsers.
 */
function bitsOf(address: string): 0 | 32 | 128 {
  if (ipv4.test(address)) return 32;
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`) ? 128 : 0;
}

/**
 * An item of `cors.origins` as browsers send it: lower case, no default port, ASCII host. Null for text that no browser
 * sends: with a path, or with a wildcard other than `*`.
 */
export function browserOrigin(text: string): string | null {
  if (text === "*") return text;
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/\\?#@*\s]+)$/i.exec(text) ?? [];
  if (authority === "") return null;
  const isWeb = /^https?$/i.test(scheme);
  // URL does not normalize the host of other schemes, such as those of apps and extensions.
  const url = `${isWeb ? scheme : "http"}://${authority}`;
  if (!URL.canParse(url)) return null;
  return isWeb ? new URL(url).origin : `${scheme.toLowerCase()}://${authority.toLowerCase()}`;
}
