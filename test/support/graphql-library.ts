import type { GraphqlScenario, Variables } from "./graphql.ts";
import type { Rows } from "./service.ts";
import type { Caller } from "./service-token.ts";

const gone = "2026-01-01T00:00:00Z";

/** Rows around `books` in every relation: live and deleted, within reach and out of it. */
// biome-ignore format: several rows a line
export const library = {
  users: [{ id: 1, email: "ann@example.org", first_name: "Ann", handle: "ann" }, { id: 2, email: "bob@example.org", points: 3 }],
  authors: [{ id: 1, name: "Ann", user: 7, public: true, rating: 4.5, salary: 10 }, { id: 2, name: "Bob", user: 8, public: false, salary: 20 },
    { id: 3, name: "Cleo", deleted_at: gone }, { id: 4, name: "Dan", user: 7, public: false }],
  profiles: [{ id: 1, author_id: 1, bio: "first", phone: "1" }, { id: 2, author_id: 2, bio: "gone", phone: "2", deleted_at: gone },
    { id: 3, author_id: 2, bio: "second", phone: "3" }, { id: 4, author_id: 4, bio: "gone", phone: "4", deleted_at: gone }],
  vaults: [{ id: 1, name: "north", combination: "123", pin: "$2" }, { id: 2, name: "south", combination: "456", deleted_at: gone }],
  books: [
    { id: 1, title: "Alpha", isbn: "a1", pages: 100, price: 9.5, genre: "novel", in_stock: true, published: "2026-02-01",
      printed_at: "2026-02-02T10:00:00Z", note: "hidden gem", author_id: 1, editor: 2, publisher: "House", publisher_id: 3, vault_id: 1,
      reader_id: 1 },
    { id: 2, title: "Beta", isbn: "b2", pages: 200, genre: "essay", author_id: 2, vault_id: 2, reader_id: 2 },
    { id: 3, title: "Gamma", pages: 300, author_id: 3, editor: 1, publisher_id: 1 },
    { id: 4, title: "Delta", pages: 50, draft: true, author_id: 1, editor: 1 },
    { id: 5, title: "Gone", pages: 70, author_id: 1, deleted_at: gone },
    { id: 6, title: "Epsilon", blurb: "about alpha", price: 1, draft: true },
  ],
  chapters: [...[1, 2, 3, 4, 5, 6].map((number) => ({ id: number, number, heading: `A${number}`, book_id: 1 })),
    { id: 7, number: 1, heading: "B1", book_id: 2 }, { id: 8, number: 1, heading: "G1", book_id: 5 }],
} satisfies Rows;

/** A tree: 1 over 2 and 3; 4, 5 and 6 under 2, in one line below each other from there; 9 without either. */
export const tree = {
  folders: [
    { id: 1, name: "root", size: 5 },
    { id: 2, name: "left", size: 3, parent_id: 1 },
    { id: 3, name: "right", parent_id: 1 },
    { id: 4, name: "deep", size: 1, parent_id: 2 },
    { id: 5, name: "deeper", size: 1, parent_id: 4 },
    { id: 6, name: "deepest", size: 9, parent_id: 5 },
    { id: 9, name: "single" },
  ],
} satisfies Rows;

/** The user that has the authors 1 and 4. */
export const seven: Caller = { role: "user", sub: "7" };

/** A refused document. Where no code is named, a malformed one. */
export const refused = (query: string, fails = "400 VALIDATION_ERROR"): GraphqlScenario => ({ query, fails });

/** A document over the tree of folders, and `data`. */
export const asked = (query: string, data: object, variables?: Variables): GraphqlScenario => ({
  given: tree,
  query,
  data,
  ...(variables !== undefined && { variables }),
});

/** What `{ folders(id: 1) { name } }` answers. */
export const root = { folders: [{ name: "root" }] };

/** What `{ folders(id: 1) { id name } }` answers. */
export const both = { folders: [{ id: 1, name: "root" }] };
