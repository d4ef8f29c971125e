/** Whether a file may be read by everybody: it lies below a public prefix. Each of these ends with a slash. */
export function isPublic(key: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => key.startsWith(prefix));
}
