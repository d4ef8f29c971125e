/** The text of a document: a string, a `TypedDocumentString`, or a parsed document that has its source or can be printed. */
export function textOf(document: unknown, print: ((document: never) => string) | undefined): string {
  if (Object(document) instanceof String) return String(document);
  if (print) return print(document as never);
  const text = (document as { loc?: { source?: { body?: string } } }).loc?.source?.body;
  if (!text) throw new TypeError('The option "print" is needed for this document.');
  return text;
}
