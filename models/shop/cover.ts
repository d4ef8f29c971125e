/** Where the cover of a book lies. It follows from the book's id, so that pages need no column to link to it. */
export function coverPath(book: number | string): string {
  return `covers/${book}.jpg`;
}
