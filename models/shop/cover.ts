/** Path of a book's cover. It contains the book's id, so no column is needed. */
export function coverPath(book: number | string): string {
  return `covers/${book}.jpg`;
}
