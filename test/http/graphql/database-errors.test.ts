import { afterEach, describe, expect, test } from "vitest";
import { sendGraphql } from "../../support/graphql.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

let restore = "SELECT 1";

/** Takes a table away from under the service, and gives it back after the test. */
async function without(table: string): Promise<void> {
  await service.query(`ALTER TABLE "${table}" RENAME TO hidden`);
  restore = `ALTER TABLE hidden RENAME TO "${table}"`;
}
afterEach(() => service.query(restore));

describe("what the database cannot do is our fault, and told in the log alone", () => {
  // biome-ignore format: one case a line
  test.each([
    ["a list", "folders", "{ folders { id } }"],
    ["one root field of several", "folders", "{ things { id } folders { id } }"],
    ["a join", "authors", "{ books { author { name } } }"],
    ["an aggregate", "folders", "{ folders_aggregate { count } }"],
    ["a write", "folders", 'mutation { createFolders(input: { name: "a" }) { id } }'],
    ["what is selected of a write", "authors", 'mutation { createBooks(input: { title: "a" }) { author { id } } }'],
  ])("%s", async (_, table, query) => {
    await service.store({ books: [{ id: 1, title: "One" }] });
    await without(table);
    const reply = await sendGraphql(service, query, "admin");
    expect(outcome(reply)).toBe("500 DATABASE_ERROR");
    expectEnvelope(reply);
    expect(reply.text).not.toMatch(/folders|authors|relation|select/i);
    expect(service.log.at(-1)).toMatchObject({ err: { message: `relation "${table}" does not exist` } });
    expect(await service.query("SELECT count(*)::int AS n FROM books")).toEqual([{ n: 1 }]);
  });
});
