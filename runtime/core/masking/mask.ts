/**
 * `password=`, `"token" => `, `user[secret]=`, `api_key%3D`, PostgreSQL's `(token)=`, and `"password":` of
 * JSON before a quote or a number.
 */
const assignment =
  /(?:password|token|secret|api[-_]?key)(?:[\])]|%5D)?\\{0,8}["'`]?[ \t]{0,3}(?:=>?|(%(?:25){0,4}3D)|:(?=[ \t]{0,3}(?:\\{0,8}["'`]|\d)))[ \t]{0,3}/gi;
const quote = /(\\{0,8})(["'`])/y;
/** The scheme of a credential is part of its value. */
const plainValue = /(?:(?:bearer|basic)\s+)*[^\s&]+/iy;
/** If the separator was encoded, so is the next one. */
const encodedValue = /(?:(?:bearer|basic)\s+)*(?:(?!%(?:25){0,4}26)[^\s&])+/iy;

/** Replaces values that are assigned to secret names in a text. */
function maskAssignments(text: string, replacement: string): string {
  let masked = "";
  /** The end of the last replaced value. */
  let done = 0;
  assignment.lastIndex = 0;
  for (let found = assignment.exec(text); found !== null; found = assignment.exec(text)) {
    const { lastIndex: at } = assignment;
    // A value can contain the next name, whose value then ends later.
    const isInside = at < done;
    const value =
      quotedValue(text, at) ?? bracketedValue(text, at) ?? (isInside ? null : openValue(text, at, found[1]));
    if (value === null || value.end <= Math.max(value.start, done)) continue;
    if (!isInside) masked += text.slice(done, value.start) + replacement;
    done = isInside ? value.after : value.end;
    if (done === text.length) break;
    if (text[at] === "(") assignment.lastIndex = done;
  }
  return done === 0 ? text : masked + text.slice(done);
}

/** The range of a value, and the end with its quotes or brackets. */
interface Value {
  readonly start: number;
  readonly end: number;
  readonly after: number;
}

/** Without a closing quote it goes to the end. */
function quotedValue(text: string, at: number): Value | null {
  quote.lastIndex = at;
  const [opening, escapes = "", mark = ""] = quote.exec(text) ?? [];
  if (opening === undefined) return null;
  const start = at + opening.length;
  const end = closingAt(text, start, escapes, mark);
  return { start, end, after: Math.min(text.length, end + opening.length) };
}

/** PostgreSQL does not quote the values in `Key (token)=(…) already exists`. */
function bracketedValue(text: string, start: number): Value | null {
  if (text[start] !== "(") return null;
  const lineEnd = text.indexOf("\n", start);
  const end = lineEnd === -1 ? text.length : lineEnd;
  // Only this line, so that a long text is not searched for each line.
  const closing = text.slice(start, end).lastIndexOf(")");
  const after = closing === -1 ? end : start + closing + 1;
  return { start, end: after, after };
}

/** A value that ends at the next space or `&`. */
function openValue(text: string, start: number, separator: string | undefined): Value {
  const form = separator === undefined ? plainValue : encodedValue;
  form.lastIndex = start;
  const end = start + (form.exec(text)?.[0].length ?? 0);
  return { start, end, after: end };
}

/** A quote inside the value has more backslashes than the quotes around it. */
function closingAt(text: string, start: number, escapes: string, mark: string): number {
  for (let at = text.indexOf(mark, start); at !== -1; at = text.indexOf(mark, at + 1)) {
    let before = 0;
    while (at - before > start && text[at - before - 1] === "\\") before++;
    if (escapes === "" ? before % 2 === 0 : before <= escapes.length)
      return at - (escapes === "" ? 0 : before);
  }
  return text.length;
}

const masked = "[masked]";

// Takes linear time: no unbounded repetition can begin inside its own match.
/** `name@^1.2.3` is a package in an install command. */
const addresses =
  /(?:[^\s@"`(){}[\]<>=:;,/\\]{1,64}|"[^"\n]{1,64}")(?:@|%(?:25){0,4}40)(?!\^)[^\s@"'`(){}[\]<>=:;,/\\]{1,255}/g;
const authorities = /:\/\/([^\s/?#]+)/g;
/** A password that is not percent-encoded. A port is not a password. */
const wildPasswords = /(:\/\/[^\s/?#@:[\]]{0,100}:)(?!\d{1,5}[/?#])[^\s@]{1,200}@/g;
const schemes = /\b((?:(?:bearer|basic)(?:%20|[\s:=+"'\\])+)+)[^\s"'`,;&<>\\)\]}][^\s"'`,;&<>\\]*/gi;
const dotted = /(?<![\w-])[\w-]+(?:\.[\w-]*){2,}/g;
const apiKeys = /kk_[0-9a-f]{16,}/g;
/** Without a separator, nothing can match. */
const plain = /^[0-9A-Za-z-]*$/;

/** Keys with secret values, with any prefix: `access_token` and `set-cookie` too. */
const secretKey = /(?:password|token|authorization|cookie|secret|api[-_]?key)$/i;
const secretKeyInLine = new RegExp(`${secretKey.source.slice(0, -1)}":`, "i");
const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/**
 * Masks e-mail addresses, JWTs, API keys, passwords in URLs, and values after `Bearer`, `Basic`, `password=`,
 * `token=`, `secret=` or `api_key=`. Masked text is not changed again.
 */
export function mask(text: string): string {
  if (plain.test(text)) return text;
  return maskAssignments(text, masked)
    .replace(schemes, `$1${masked}`)
    .replace(authorities, maskPassword)
    .replace(wildPasswords, `$1${masked}@`)
    .replace(dotted, maskJwt)
    .replace(apiKeys, masked)
    .replace(addresses, masked);
}

/** Masks a line of JSON like `mask`, and values of keys with secret names. The result is still JSON. */
export function maskLine(line: string): string {
  if (!isSuspicious(line)) return line;
  return maskStrings(secretKeyInLine.test(line) ? maskKeys(line) : line);
}

const schemeInLine = /b(?:earer|asic)/i;
/** The ends of secret names: matching whole names takes twice the time. */
const nameInLine = /(?:word|oken|cret|okie|zation|key)(?:[^\w,"]|":)/i;

/** Every log line is tested, and most have no secret, so these are the fastest tests. */
function isSuspicious(line: string): boolean {
  return (
    line.includes("@") ||
    line.includes("%40") ||
    line.includes("%25") ||
    line.includes("yJ") ||
    line.includes("kk_") ||
    schemeInLine.test(line) ||
    nameInLine.test(line)
  );
}

function maskPassword(found: string, authority: string): string {
  const colon = authority.indexOf(":");
  const at = authority.lastIndexOf("@");
  if (colon === -1 || at <= colon + 1) return found;
  return `://${authority.slice(0, colon)}:${masked}${authority.slice(at)}`;
}

/** Masks from the start of the JWT. */
function maskJwt(found: string): string {
  const start = found.indexOf("eyJ");
  return start !== -1 && found.includes(".", start) ? found.slice(0, start) + masked : found;
}

/** The whole value is replaced, of any type. */
function maskKeys(line: string): string {
  const clean: unknown = JSON.parse(line, (key, value: unknown) => (secretKey.test(key) ? masked : value));
  return `${JSON.stringify(clean)}\n`;
}

/** String by string: a match across two of them, or inside an escape, would break the JSON. */
function maskStrings(line: string): string {
  return line.replace(jsonString, (literal) => {
    const text: string = JSON.parse(literal);
    const clean = mask(text);
    return clean === text ? literal : JSON.stringify(clean);
  });
}
