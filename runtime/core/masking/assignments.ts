/**
 * `password=`, `"token" => `, `user[secret]=`, `api_key%3D`, PostgreSQL's `(token)=`, and, where a quote or a number follows, `"password":`
 * of JSON in a text.
 */
const assignment =
  /(?:password|token|secret|api[-_]?key)(?:[\])]|%5D)?\\{0,8}["'`]?[ \t]{0,3}(?:=>?|(%(?:25){0,4}3D)|:(?=[ \t]{0,3}(?:\\{0,8}["'`]|\d)))[ \t]{0,3}/gi;
const quote = /(\\{0,8})(["'`])/y;
/** The scheme of a credential does not end it. */
const plain = /(?:(?:bearer|basic)\s+)*[^\s&]+/iy;
/** Where the separator was encoded, the next one is as well. */
const encoded = /(?:(?:bearer|basic)\s+)*(?:(?!%(?:25){0,4}26)[^\s&])+/iy;

/** Replaces values that are assigned to secret names within a text. */
export function maskAssignments(text: string, replacement: string): string {
  let masked = "";
  /** A value that was replaced ends here. */
  let done = 0;
  assignment.lastIndex = 0;
  for (let found = assignment.exec(text); found !== null; found = assignment.exec(text)) {
    const { lastIndex: at } = assignment;
    // A value may hold, or be, the name of the next one, which then ends later.
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

/** Where a value begins and ends, and where that ends which encloses it. */
interface Value {
  readonly start: number;
  readonly end: number;
  readonly after: number;
}

/** A value in quotes. Where they are not closed, it has no end. */
function quotedValue(text: string, at: number): Value | null {
  quote.lastIndex = at;
  const [opening, escapes = "", mark = ""] = quote.exec(text) ?? [];
  if (opening === undefined) return null;
  const start = at + opening.length;
  const end = closingAt(text, start, escapes, mark);
  return { start, end, after: Math.min(text.length, end + opening.length) };
}

/** PostgreSQL quotes nothing in `Key (token)=(…) already exists`. */
function bracketedValue(text: string, start: number): Value | null {
  if (text[start] !== "(") return null;
  const lineEnd = text.indexOf("\n", start);
  const end = lineEnd === -1 ? text.length : lineEnd;
  // Of this line alone: what stands before it may be long, and is not to be searched again for each line.
  const closing = text.slice(start, end).lastIndexOf(")");
  const after = closing === -1 ? end : start + closing + 1;
  return { start, end: after, after };
}

/** A value that ends at the next blank or `&`. */
function openValue(text: string, start: number, separator: string | undefined): Value {
  const form = separator === undefined ? plain : encoded;
  form.lastIndex = start;
  const end = start + (form.exec(text)?.[0].length ?? 0);
  return { start, end, after: end };
}

/** A quote within the value has more escapes before it than its own quotes have. */
function closingAt(text: string, start: number, escapes: string, mark: string): number {
  for (let at = text.indexOf(mark, start); at !== -1; at = text.indexOf(mark, at + 1)) {
    let before = 0;
    while (at - before > start && text[at - before - 1] === "\\") before++;
    if (escapes === "" ? before % 2 === 0 : before <= escapes.length)
      return at - (escapes === "" ? 0 : before);
  }
  return text.length;
}
