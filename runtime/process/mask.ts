// Lengths are bounded, so that a long text without a match costs no more than its length.
const address = /[^\s@"`(){}[\]<>=:;,/\\]{1,64}@[^\s@"'`(){}[\]<>=:;,/\\]{1,255}/g;
const urlPassword = /(\w{1,20}:\/\/[^\s:/@]{0,100}):[^\s/@]{1,200}@/g;
const token = /\b(?:eyJ[\w-]{10,}\.[\w-]+\.[\w-]*|kk_[0-9a-f]{16,})/g;

/** Keys that end in one of these: `access_token` and `set-cookie` too. */
const secretKey = /(?:password|token|authorization|cookie|secret)$/i;
const secretKeyInLine = new RegExp(`${secretKey.source.slice(0, -1)}":`, "i");
const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** Replaces e-mail addresses, tokens, API keys, and passwords in URLs. */
export function mask(text: string): string {
  return text.replace(urlPassword, "$1:[masked]@").replace(address, "[masked]").replace(token, "[masked]");
}

/** A line of JSON without what `mask` replaces, and without values whose key says that they are secret. It stays JSON. */
export function maskLine(line: string): string {
  return maskStrings(secretKeyInLine.test(line) ? maskKeys(line) : line);
}

/** A value may be of any kind and hold anything, so it is replaced as a whole. */
function maskKeys(line: string): string {
  const masked: unknown = JSON.parse(line, (key, value: unknown) =>
    secretKey.test(key) ? "[masked]" : value,
  );
  return `${JSON.stringify(masked)}\n`;
}

/** String by string: a match across two of them, or from the middle of an escape, would leave a line that nobody can parse. */
function maskStrings(line: string): string {
  if (!line.includes("@") && !line.includes("eyJ") && !line.includes("kk_")) return line;
  return line.replace(jsonString, (literal) => {
    const text = String(JSON.parse(literal));
    const masked = mask(text);
    return masked === text ? literal : JSON.stringify(masked);
  });
}
