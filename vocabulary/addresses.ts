const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether this is an IP address, or a range of them in CIDR notation: what `rate_limit.trusted_proxy_ips` takes. */
export function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const length = bitsOf(address);
  if (length === 0 || more.length > 0) return false;
  return bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= length);
}

/** How long such an address is; 0 for a text that is none. A URL reads IPv6 as node:net does, and is there in browsers too. */
function bitsOf(address: string): 0 | 32 | 128 {
  if (ipv4.test(address)) return 32;
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`) ? 128 : 0;
}
