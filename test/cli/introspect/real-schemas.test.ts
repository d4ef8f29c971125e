import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { adoptedProject } from "./adopted-project.ts";
import { takeOver } from "./taken-over/take-over.ts";

/**
 * Databases to take over, one a line: the URL, the schemas, and models that answer something else each time:
 * `postgres://…/pagila public film_list`. Their rows change: use copies.
 */
const given = (process.env["KIRAK_TAKE_OVER"] ?? "").split("\n").filter((line) => line !== "");

test.each(given)(
  "%s",
  async (line) => {
    const [url = "", schemas = "public", unstable = ""] = line.split(" ");
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    const query = async (text: string, values?: readonly unknown[]) =>
      (await client.query(text, values === undefined ? undefined : [...values])).rows;
    const options = { schemas: schemas.split(","), unstable: unstable.split(","), rows: 12 };
    const { problems, ...rest } = await takeOver(query, adoptedProject(url), options);
    console.log(line, JSON.stringify(rest, null, 1), JSON.stringify(problems.slice(0, 40), null, 1));
    expect(problems.slice(0, 10)).toEqual([]);
  },
  900_000,
);
