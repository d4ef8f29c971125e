import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { adoptedProject } from "./adopted-project.ts";
import { takeOver } from "./taken-over/take-over.ts";

/** Schemas of other projects, and statements as their applications send them. */
const schemas: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    "umami",
    [],
    [
      `INSERT INTO "user" (user_id, username, role, password) VALUES ('5f0c8a52-7c1b-4d39-9a55-0f4d6a1f7c11', 'owner', 'admin', 'x')`,
      `INSERT INTO website (website_id, name, user_id) VALUES (gen_random_uuid(), 'Site', '5f0c8a52-7c1b-4d39-9a55-0f4d6a1f7c11')`,
      "UPDATE website SET deleted_at = now() WHERE name = 'Site'",
      "INSERT INTO session (session_id, website_id) SELECT gen_random_uuid(), website_id FROM website",
    ],
  ],
  [
    "pagila",
    ["film_list", "nicer_but_slower_film_list"],
    [
      "INSERT INTO film (title, description, language_id) SELECT 'NEW FILM', 'A Story of a Robot', language_id FROM language LIMIT 1",
      "UPDATE film SET description = 'Another Story' WHERE title = 'NEW FILM'",
      "SELECT film_in_stock(film_id, 1) FROM film",
      "INSERT INTO payment (customer_id, staff_id, rental_id, amount, payment_date) SELECT customer_id, staff_id, rental_id, 2.99, '2022-03-05' FROM rental",
    ],
  ],
];

test.each(schemas)(
  "%s is taken over, and its cells, writes and statements are those of SQL",
  async (name, unstable, statements) => {
    const { url, query } = await testDatabase();
    await query(readFileSync(new URL(`schemas/${name}.sql`, import.meta.url), "utf8"));
    await query("RESET ALL");
    const options = { schemas: ["public"], rows: 8, unstable, statements };
    const { problems, ...shown } = await takeOver(query, adoptedProject(url), options);
    expect(problems.slice(0, 10)).toEqual([]);
    expect(shown).toMatchObject({ empty: [], unreadable: [], whileServing: { refused: [] } });
    expect(shown.cells).toBeGreaterThan(500);
  },
  240_000,
);

/**
 * Databases to take over, one a line: the URL, the schemas, models that answer something else each time (or `-`), and a
 * file with statements of the application between lines of `----`: `postgres://…/pagila public film_list pagila.sql`.
 * Their rows change: use copies.
 */
const given = (process.env["KIRAK_TAKE_OVER"] ?? "").split("\n").filter((line) => line !== "");

test.each(given)(
  "%s",
  async (line) => {
    const [url = "", schemas = "public", unstable = "-", file] = line.split(" ");
    const statements = file === undefined ? [] : readFileSync(file, "utf8").split(/^----$/m);
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    const query = async (text: string, values?: readonly unknown[]) =>
      (await client.query(text, values === undefined ? undefined : [...values])).rows;
    const options = { schemas: schemas.split(","), unstable: unstable.split(","), rows: 12, statements };
    const { problems, ...rest } = await takeOver(query, adoptedProject(url), options);
    console.log(line, JSON.stringify(rest, null, 1), JSON.stringify(problems.slice(0, 40), null, 1));
    expect(problems.slice(0, 10)).toEqual([]);
  },
  1_800_000,
);
