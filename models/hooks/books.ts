import { ServiceError } from "kirak";
import type { BooksHooks } from "../../generated/models/books/model.ts";
import { coverPath } from "../shop/cover.ts";
import { bareIsbn, isIsbn } from "../shop/isbn.ts";
import { bookSlug } from "../shop/slug.ts";
import { refreshPages } from "../shop/storefront.ts";

/** Takes the hyphens out, and refuses a number whose check digit shows a typing error. */
function checkedIsbn(text: string): string {
  const isbn = bareIsbn(text);
  if (!isIsbn(isbn)) {
    throw new ServiceError("VALIDATION_ERROR", "isbn is not a valid ISBN-13", { field: "isbn" });
  }
  return isbn;
}

export const fills = { before_create: ["slug"], before_upsert: ["slug"] } as const;

export const before_create: BooksHooks["before_create"] = (book) => {
  book.isbn = checkedIsbn(book.isbn);
  book.slug ??= bookSlug(book.title, book.isbn);
};

export const before_upsert: BooksHooks["before_upsert"] = async (book, { db }) => {
  book.isbn = checkedIsbn(book.isbn);
  if (book.slug !== undefined) return;
  // A book that is there keeps its address.
  const [known] = await db.books.fetch({ where: { isbn: book.isbn }, select_fields: ["slug"] });
  book.slug = known?.slug ?? bookSlug(book.title, book.isbn);
};

export const before_update: BooksHooks["before_update"] = ({ data }) => {
  if (data.isbn !== undefined) data.isbn = checkedIsbn(data.isbn);
};

/** Told after the commit: until then the storefront would read the old page once more. */
export const after_update: BooksHooks["after_update"] = async (_, { after, afterCommit }) => {
  const slugs = (await after()).map(({ slug }) => slug);
  afterCommit((context) => refreshPages(slugs, context));
};

export const after_upsert: BooksHooks["after_upsert"] = async (_, { after, afterCommit }) => {
  const slugs = (await after()).map(({ slug }) => slug);
  afterCommit((context) => refreshPages(slugs, context));
};

/** After the commit: a book that is not destroyed in the end keeps its cover. One that is only deleted may be restored. */
export const after_destroy: BooksHooks["after_destroy"] = async ({ destroyed_ids }, { storage }) => {
  for (const id of destroyed_ids) await storage.remove(coverPath(id), { with_thumbnails: true });
};
