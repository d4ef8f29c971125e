const token = "[A-Za-z0-9!#$&^_.+-]+";
const contentType = new RegExp(`^${token}/${token}(?:; ?${token}=(?:${token}|"[ !#-~]*"))*$`);
const json = /^(?:(?:application|text)\/json|[^;]*\+json)(?:;|$)/i;

/** Why a route cannot answer with a content type; null where it can. */
export function contentTypeProblem(text: string): string | null {
  if (!contentType.test(text)) return "is not a content type such as text/csv";
  return json.test(text) ? "is JSON: give the schema of the answer instead" : null;
}

const charset = /; ?charset="?([^";]*)/i;

/** A content type with its charset: text without one is UTF-8. */
export function withCharset(text: string): string {
  return /^text\//i.test(text) && !charset.test(text) ? `${text}; charset=utf-8` : text;
}

/** Whether what is sent with a content type can be UTF-8. */
export function isUtf8(text: string): boolean {
  return /^utf-?8$/i.test(charset.exec(text)?.[1] ?? "utf-8");
}
