/** Reads JSON that the generator wrote itself. Anything else, the marks of a merge for example, counts as null. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
