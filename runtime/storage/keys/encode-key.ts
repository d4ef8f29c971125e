/** A key in the path of a URL: each segment percent-encoded. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodeURIComponent).join("/");
}
