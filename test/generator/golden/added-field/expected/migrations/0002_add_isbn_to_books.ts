// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 2 steps.
export const migration = defineMigration({
  name: "0002_add_isbn_to_books",
  parent: "0001_initial",
  up: [
    { step: "add_column", table: "books", column: { name: "isbn", type: "varchar(13)", nullable: true } },
    {
      step: "add_index",
      table: "books",
      index: { name: "books_isbn_key", columns: ["isbn"], unique: true, live: false },
    },
  ],
  down: [
    { step: "drop_index", table: "books", name: "books_isbn_key" },
    { step: "drop_column", table: "books", column: "isbn" },
  ],
});
