import { ServiceError } from "kirak";
import type { BooksHooks } from "../../generated/models/books/model.ts";
import { coverPath } from "../shop/cover.ts";
import { bareIsbn, isIsbn } from "../shop/isbn.ts";
import { bookSlug } from "../shop/slug.ts";
import { refreshPages } from "../shop/storefront.ts";

/** Removes hyphens, and rejects a wrong check digit. */
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
  // An existing book keeps its slug.
  const [known] = await db.books.fetch({ where: { isbn: book.isbn }, select_fields: ["slug"] });
  book.slug = known?.slug ?? bookSlug(book.title, book.isbn);
};

export const before_update: BooksHooks["before_update"] = ({ data }) => {
  if (data.isbn !== undefined) data.isbn = checkedIsbn(data.isbn);
};

/** Refreshes pages after the commit, because until then the storefront reads the old row. */
export const after_update: BooksHooks["after_update"] = async (_, { after, afterCommit }) => {
  const slugs = (await after()).map(({ slug }) => slug);
  afterCommit((context) => refreshPages(slugs, context));
};

export const after_upsert: BooksHooks["after_upsert"] = async (_, { after, afterCommit }) => {
  const slugs = (await after()).map(({ slug }) => slug);
  afterCommit((context) => refreshPages(slugs, context));
};

/** Removes the covers after the commit. A rollback or a soft delete keeps them. */
export const after_destroy: BooksHooks["after_destroy"] = async ({ destroyed_ids }, { storage }) => {
  for (const id of destroyed_ids) await storage.remove(coverPath(id), { with_thumbnails: true });
};
