import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { adoptedProject } from "./adopted-project.ts";

const tables = `
  CREATE TABLE plain (id serial PRIMARY KEY, code text);
  CREATE UNIQUE INDEX any_name ON plain (code);
  CREATE TABLE pairs (id serial PRIMARY KEY, "the Body" text, slug text);
  ALTER TABLE pairs ADD CONSTRAINT "any other" UNIQUE ("the Body", slug);
  CREATE TABLE partial (id serial PRIMARY KEY, number integer, closed boolean);
  CREATE UNIQUE INDEX ON partial (number) WHERE NOT closed;
  CREATE TABLE lowered (id serial PRIMARY KEY, note text);
  CREATE UNIQUE INDEX ON lowered (lower(note));
  CREATE TABLE named (code text CONSTRAINT "PK_Named" PRIMARY KEY);
`;

const cases = [
  ["plain", { code: "a" }, { field: "code" }],
  ["pairs", { the_Body: "a", slug: "b" }, { field: "the_Body" }],
  ["partial", { number: 7, closed: false }, { field: "number" }],
  ["lowered", { note: "a" }, undefined],
  ["named", { id: "a" }, { field: "id" }],
] as const;

test("a taken key names its field, with any name of the index", async () => {
  const { url, query } = await testDatabase();
  await query(tables);
  const own = adoptedProject(url);
  expect(await own.introspect("--open", "admin")).toMatchObject({ status: 0, stderr: "" });
  expect(own.generator()).toMatchObject({ status: 0, stderr: "" });
  const send = await own.serve();
  for (const [model, data, details] of cases) {
    expect(await send(`POST /${model}/create`, { data })).toMatchObject({ status: 200 });
    const { status, details: given } = await send(`POST /${model}/create`, { data });
    expect({ model, status, details: given }).toEqual({ model, status: 400, details });
  }
}, 120_000);
