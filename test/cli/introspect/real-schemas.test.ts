import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { adoptedProject } from "./adopted-project.ts";
import { takeOver } from "./taken-over/take-over.ts";

/** URLs of databases to take over, each with its schemas: `postgres://…/lago public`. Their rows change: use copies. */
const given = (process.env["KIRAK_TAKE_OVER"] ?? "").split("\n").filter((line) => line !== "");

test.each(given)(
  "%s",
  async (line) => {
    const [url = "", schemas = "public"] = line.split(" ");
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    const query = async (text: string, values?: readonly unknown[]) =>
      (await client.query(text, values === undefined ? undefined : [...values])).rows;
    const { problems, ...rest } = await takeOver(query, adoptedProject(url), {
      schemas: schemas.split(","),
      rows: 12,
    });
    console.log(line, JSON.stringify(rest, null, 1), JSON.stringify(problems, null, 1));
    expect(problems).toEqual([]);
  },
  600_000,
);
