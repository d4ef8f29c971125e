import { join } from "node:path";
import { Project, ts } from "ts-morph";
import { expect, test } from "vitest";
import { repository } from "../../../test/generator/support/project.ts";
import { typedClient } from "./graphql-client.ts";
import { clientSnippets } from "./graphql-snippets.ts";

// What a client developer has: GraphQL Code Generator over the committed schema, and a strict compiler.
const operations = /* GraphQL */ `
  query Books($title: StringFilter, $id: BigIntFilter, $order: BooksOrderBy, $limit: Int) {
    books(title: $title, id: $id, orderBy: $order, limit: $limit) {
      __typename
      id
      title
      status
      published_at
      details
      author {
        name
      }
      reviews(rating: { gte: 4 }, orderBy: created_at__desc) {
        rating
      }
    }
  }
  query Sales($by: [OrdersOrderBy!]) {
    orders_aggregate(groupBy: $by, orderBy: sum_total__desc) {
      count
      status
      sum_total
      max {
        placed_at
      }
    }
  }
  mutation Add($input: BooksCreate!, $where: BooksWhere!) {
    createBooks(input: $input) {
      id
    }
    upsertBooks(input: $input) {
      id
    }
    deleteBooks(where: $where) {
      id
      title
    }
  }
  mutation Ship($input: ShipmentsCreate!, $changes: ShipmentsUpdate!) {
    createShipments(input: $input) {
      carrier
    }
    updateShipments(input: $changes, where: { id: 1 }) {
      id
    }
  }
`;

const ask = `
import { AddDocument, BooksDocument, SalesDocument, ShipDocument, type TypedDocumentString } from "./client/graphql";
declare function ask<Data, Variables>(document: TypedDocumentString<Data, Variables>, variables: Variables): Data;
`;

const right = `${ask}
const { books } = ask(BooksDocument, {
  title: { ilike: "em%", neq: "Emma" },
  id: { in: [1, "9007199254740993"] },
  order: "published_at__desc",
  limit: 3,
});
ask(BooksDocument, { title: "Emma", id: 7 });
ask(BooksDocument, { title: null });
ask(BooksDocument, {});
export const titles: string[] = books.map(({ title }) => title);
export const ids: number[] = books.map(({ id }) => id);
export const states: ("draft" | "published" | "out_of_print")[] = books.map(({ status }) => status);
export const moments: (string | null)[] = books.map((book) => book.published_at);
export const names: (string | undefined)[] = books.map(({ author }) => author?.name);
export const ratings: number[] = books.flatMap(({ reviews }) => reviews.map(({ rating }) => rating));
export const kind: "books" | undefined = books[0]?.__typename;

const { orders_aggregate: [group] } = ask(SalesDocument, { by: ["status"] });
export const count: number | undefined = group?.count;
export const total: string | null | undefined = group?.sum_total;

const added = ask(AddDocument, {
  input: { title: "Emma", isbn: "9780141439587", author_id: 1, price: "9.00", status: "draft", details: { a: [1] } },
  where: { id: 1, status: { in: ["draft"] }, released_on: { is_null: true } },
});
export const id: number = added.createBooks.id;
ask(ShipDocument, { input: { order_id: "a", carrier: "DHL" }, changes: { weight_kg: 2 } });
export const gone: string[] = added.deleteBooks.map(({ title }) => title);
`;

/** Statements none of which may compile. */
const wrong = [
  "ask(BooksDocument, { title: 3 });",
  'ask(BooksDocument, { title: { between: ["a", "b"] } });',
  "ask(BooksDocument, { id: { like: 7 } });",
  'ask(BooksDocument, { order: "titel" });',
  'ask(BooksDocument, { limit: "3" });',
  "ask(BooksDocument, { author: 3 });",
  'ask(SalesDocument, { by: ["sum_total"] });',
  "ask(AddDocument, {});",
  'ask(ShipDocument, { input: { order_id: "a" }, changes: {} });',
  'ask(ShipDocument, { input: { carrier: "DHL" }, changes: {} });',
  'ask(AddDocument, { input: { titel: "Emma" }, where: {} });',
  'ask(AddDocument, { input: { status: "sold" }, where: {} });',
  "ask(AddDocument, { input: {}, where: { rating: 3 } });",
  "const name: string = ask(BooksDocument, {}).books[0].author.name;",
  "ask(BooksDocument, {}).books[0]?.price;",
  "const total: string = ask(SalesDocument, {}).orders_aggregate[0]?.sum_total;",
];

test("the schema makes a typed client, which compiles with what is right and not with what is wrong; so do the docs' clients", {
  timeout: 60_000,
}, async () => {
  const folder = join(repository, "var/client-test");
  const project = new Project({
    compilerOptions: {
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
    },
  });
  const client = await typedClient(`${folder}/client/`, operations);
  for (const [path, text] of client) project.createSourceFile(path, text);
  project.createSourceFile(`${folder}/right.ts`, right);
  const snippets = clientSnippets.map(({ text }, index) =>
    project.createSourceFile(`${folder}/snippet-${index}.ts`, text),
  );
  const uses = wrong.map((statement, index) =>
    project.createSourceFile(`${folder}/wrong-${index}.ts`, `${ask}${statement}\nexport {};\n`),
  );
  const found = project.getPreEmitDiagnostics();
  const among = (path: string) => found.filter((problem) => problem.getSourceFile()?.getFilePath() === path);
  const shown = snippets.map((file) => file.getFilePath());
  const ours = [...client.keys(), `${folder}/right.ts`, ...shown].flatMap((path) => among(path));
  expect(project.formatDiagnosticsWithColorAndContext(ours)).toBe("");
  expect(wrong.filter((_, index) => among(uses[index]?.getFilePath() ?? "").length === 0)).toEqual([]);
});
