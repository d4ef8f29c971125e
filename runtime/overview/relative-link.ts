import { escaped } from "../pages/index.ts";

/** A path of the service as a link of the page at its root, for an attribute. The dot keeps it a path, whatever its first segment is. */
export function relativeLink(path: string): string {
  return escaped(`.${encodeURI(path)}`);
}
