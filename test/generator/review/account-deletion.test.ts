import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deletionEffects, deletionSentence } from "#generator/definition/account-deletion";
import { accountDeletionView } from "#generator/emit/views/account-deletion-view";
import { printMarkdown } from "#generator/review/markdown";
import { printReport } from "#generator/review/print-report";
import { inGit, project } from "../support/project.ts";
import { definitionOf } from "./changes-between.ts";

const to = (model: string, on_delete?: string) => ({
  type: "belongs_to",
  relationship: { model, ...(on_delete !== undefined && { on_delete }) },
});
const model = (fields: object) => ({ fields, access: { fetch: [{ role: "admin" }] } });
const shop = {
  orders: model({ customer_id: to("users", "cascade"), seller_id: to("users", "cascade") }),
  order_items: model({ order_id: to("orders", "cascade"), gift_of: to("orders", "set_null") }),
  item_notes: model({ item_id: to("order_items", "restrict") }),
  reviews: model({ author_id: to("users", "set_null") }),
  review_notes: model({ review_id: to("reviews", "cascade") }),
  invoices: model({ user_id: to("users", "restrict") }),
  products: model({ name: { type: "string" } }),
};

test("the file has a line for each relation that a deletion reaches, sorted", async () => {
  expect(accountDeletionView(await definitionOf(shop)).lines).toEqual([
    "invoices.user_id: restrict, refuses while invoices refer to the account",
    "orders.customer_id: cascade, removes orders",
    "orders.customer_id > order_items.gift_of: set_null, empties order_items.gift_of",
    "orders.customer_id > order_items.order_id: cascade, removes order_items",
    "orders.customer_id > order_items.order_id > item_notes.item_id: restrict, refuses while item_notes refer to such a row",
    "orders.seller_id: cascade, removes orders",
    "reviews.author_id: set_null, empties reviews.author_id",
  ]);
});

test("relations in a circle end", async () => {
  const circle = {
    teams: model({ owner_id: to("users", "cascade"), parent_id: to("teams", "cascade") }),
    users: { fields: { team_id: to("teams", "cascade") } },
  };
  expect(accountDeletionView(await definitionOf(circle)).lines).toEqual([
    "teams.owner_id: cascade, removes teams",
    "teams.owner_id > teams.parent_id: cascade, removes teams",
    "teams.owner_id > users.team_id: cascade, removes users",
  ]);
});

test.each([
  [
    shop,
    "removes order_items, orders; empties order_items.gift_of, reviews.author_id; is refused while invoices.user_id, item_notes.item_id refer to it",
  ],
  [{ invoices: shop.invoices }, "is refused while invoices.user_id refers to it"],
  [{ products: shop.products }, "affects no model"],
])("the sentence names models and relations: %#", async (models, expected) => {
  const { models: all } = await definitionOf(models);
  expect(deletionSentence(deletionEffects(all))).toBe(`deleting an account ${expected}`);
});

test("a run that changes the file reports it, and the review compares it with the base", async () => {
  const { products, invoices } = shop;
  const made = { ...project({ products }) };
  const { git, commit } = inGit(made);
  const file = () => readFileSync(join(made.root, "generated/account-deletion.txt"), "utf8");
  expect((await made.generate()).report?.accountDeletion).toBeNull();
  expect(file).toThrow(/ENOENT/);
  commit();
  git("checkout", "--quiet", "-b", "work");
  made.write("models/models.json", { products, invoices });
  const sentence = "deleting an account is refused while invoices.user_id refers to it";
  const { report } = await made.generate();
  expect(report?.accountDeletion).toBe(sentence);
  expect(file()).toContain("\ninvoices.user_id: restrict, ");
  if (report === null) throw new Error("the run has no report");
  expect(printReport(report, "wrote")).toContain(`\n${sentence}\n`);
  commit("second");
  expect((await made.generate()).report?.accountDeletion).toBeNull();
  const { report: since } = await made.generate({ mode: "check", base: "main" });
  expect(printMarkdown({ report: since, problems: [], diagnostics: [] })).toContain(
    "### Accounts\n\n- deleting an account is refused while invoices.user\\_id refers to it",
  );
  made.write("models/models.json", { products });
  expect((await made.generate({ accepted: ["drop_table:invoices"] })).report?.accountDeletion).toBe(
    "deleting an account affects no model",
  );
});
