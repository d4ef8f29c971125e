import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientText } from "#generator/emit/client/client";
import { compileWith } from "../../support/client-compiler.ts";

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, "app", "generated", "openapi.json"), "utf8"),
);

/** Each line compiles, or has the error that its comment says. */
const uses = `import { createClient } from "./index.ts";
const client = createClient({ url: "/" });
client.orders.get("9007199254740993");
client.countries.create({ id: "NZ", name: "x" });
client.films.create({ id: 1, title: "x" });
client.profiles.update({ where: { id: 1 }, data: { about: "x" } });
client.order_lines.fetch({ where: { order_id: "1" }, orderBy: "line" });
export async function date(): Promise<string | null | undefined> {
  return (await client.samples.get(1))?.date_any;
}
// @ts-expect-error: ids are exact texts
client.orders.get(1);
// @ts-expect-error: the caller sends the id
client.countries.create({ name: "x" });
// @ts-expect-error: the key is never changed
client.profiles.update({ where: { id: 1 }, data: { customer: 2 } });
// @ts-expect-error: rows have no id
client.order_lines.get(1);
// @ts-expect-error: the model can only be read
client.order_lines.create({});
// @ts-expect-error: only the database writes it
client.customers.create({ name: "x", mood: "ok", name_length: 1 });
`;

test("the client has the ids and operations of the tables", () => {
  expect(compileWith("typescript", { "index.ts": clientText(document), "uses.ts": uses }).errors).toBe("");
});
