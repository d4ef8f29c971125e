/** HTTP methods of custom routes. */
export const routeMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export type RouteMethod = (typeof routeMethods)[number];

/** Whether a text is one of these methods. */
export function isRouteMethod(text: string): text is RouteMethod {
  return routeMethods.some((method) => method === text);
}

/** A segment of a path: a fixed text, or a parameter that matches any text. */
export type PathSegment = { readonly text: string } | { readonly name: string };

const text = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;
const name = /^:[A-Za-z][A-Za-z0-9_]*$/;

/** Why a text is not a valid route path, such as `/slots/:id/book`. Null if it is valid. */
export function routePathProblem(path: string): string | null {
  if (!path.startsWith("/")) return 'does not begin with "/"';
  const parts = path.slice(1).split("/");
  if (parts.includes("")) return path === "/" ? "has no segment" : "has an empty segment";
  const odd = parts.find((part) => !text.test(part) && !name.test(part));
  if (odd !== undefined)
    return `has the segment ${JSON.stringify(odd)}, which is neither plain text nor :name`;
  const twice = parts.find((part, index) => part.startsWith(":") && parts.indexOf(part) !== index);
  return twice === undefined ? null : `has ${twice} twice`;
}

const longestName = 60;

/** Why a value is not the name of a route, which clients call like a method. Null if it is one. */
export function routeNameProblem(value: unknown): string | null {
  if (typeof value !== "string") return "is not a string";
  if (!/^[a-z][A-Za-z0-9]*$/.test(value))
    return "must begin with a lower-case letter and hold only letters and digits, such as bookSlot";
  return value.length > longestName ? `is longer than ${longestName} characters` : null;
}

/** Longest name of a tool of the module mcp: many hosts of assistants refuse longer ones. */
export const longestToolName = 64;

/** Why a value is not the name that a route has as a tool of the module mcp. Null if it is one. */
export function toolNameProblem(value: unknown): string | null {
  if (typeof value !== "string") return "is not a string";
  if (!/^[a-z][a-z0-9_]*$/.test(value))
    return "must begin with a lower-case letter and hold only lower-case letters, digits and underscores, such as book_slot";
  return value.length > longestToolName ? `is longer than ${longestToolName} characters` : null;
}

/** The segments of a valid path. */
export function segmentsOf(path: string): PathSegment[] {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.map((part) => (part.startsWith(":") ? { name: part.slice(1) } : { text: part }));
}

/** Whether a request can match both paths, ignoring case. */
export function pathsOverlap(a: readonly PathSegment[], b: readonly PathSegment[]): boolean {
  return a.length === b.length && a.every((segment, index) => overlap(segment, b[index]));
}

/** Whether a request for `path` can also be equal to the path `mount` or below it. */
export function canBeUnder(path: readonly PathSegment[], mount: readonly PathSegment[]): boolean {
  return path.length >= mount.length && pathsOverlap(path.slice(0, mount.length), mount);
}

function overlap(a: PathSegment, b: PathSegment | undefined): boolean {
  if (b === undefined) return false;
  return "name" in a || "name" in b || a.text.toLowerCase() === b.text.toLowerCase();
}

const token = "[A-Za-z0-9!#$&^_.+-]+";
const contentType = new RegExp(`^${token}/${token}(?:; ?${token}=(?:${token}|"[ !#-~]*"))*$`);
const json = /^(?:(?:application|text)\/json|[^;]*\+json)(?:;|$)/i;

/** Why a route cannot respond with a content type. Null if it can. */
export function contentTypeProblem(text: string): string | null {
  if (!contentType.test(text)) return "is not a content type such as text/csv";
  return json.test(text) ? "is JSON: declare the schema of the answer instead" : null;
}

const charset = /; ?charset="?([^";]*)/i;

/** A content type with its charset, by default UTF-8 for text. */
export function withCharset(text: string): string {
  return /^text\//i.test(text) && !charset.test(text) ? `${text}; charset=utf-8` : text;
}

/** Whether the charset of a content type is UTF-8. */
export function isUtf8(text: string): boolean {
  return /^utf-?8$/i.test(charset.exec(text)?.[1] ?? "utf-8");
}
