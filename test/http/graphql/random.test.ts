import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { bodyOf, sendGraphql } from "../../support/graphql.ts";
import { library, seven, tree } from "../../support/graphql-library.ts";
import {
  asksFor,
  dataModels,
  documents,
  evaluate,
  printed,
  type Tables,
} from "../../support/graphql-random.ts";
import { expectEnvelope } from "../../support/scenarios.ts";
import { runs } from "../../support/seeded.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

const service = await testService();

// biome-ignore format: one case a line
const names = [
  ...["books", "authors", "chapters", "folders", "things", "tasks", "people", "vaults", "users", "words", "sales"],
  ...["books_aggregate", "sales_aggregate", "createFolders", "updateBooks", "deleteTasks", "destroyThings", "upsertDocs"],
  ...["restoreNotes", "id", "title", "name", "author", "editor", "children", "parent", "vault", "reader", "profile"],
  ...["note", "salary", "password", "deleted_at", "count", "sum", "avg", "min", "max", "amount", "region", "cost"],
  ...["where", "input", "ids", "limit", "offset", "orderBy", "order_by", "search", "groupBy", "eq", "in", "is_null"],
  ...["__typename", "__proto__", "constructor", "toString", "nothing", "on", "true", "null", "query", "fragment", "F"],
  ...["IntFilter", "BooksWhere", "String", "Query", "Mutation", "if", "v"],
];
// biome-ignore format: many a line
const marks = [
  "{", "}", "(", ")", "[", "]", ":", "...", "@skip", "@include", "$v", "!", "=", "|", "&", "@", "$", ",", "#\n",
];
// biome-ignore format: one case a line
const values = [
  ...["1", "-1", "0", "1.5", "1e400", "2147483648", "99999999999999999999", "true", "false", "null", '""', '"x"', '"-id"'],
  ...['"\\u0000"', '"""block"""', '"%"', '"\'; drop table books; --"', '"2026-01-01"', '"\\"', '"\\ud800"', "[]", "{}", "[1]"],
];
const token = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names) },
  { weight: 4, arbitrary: fc.constantFrom(...marks) },
  { weight: 2, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.constantFrom("query", "mutation", "subscription", "fragment F on books") },
);
const callers: readonly Caller[] = [null, seven, "staff", "admin", "stranger"];
const caller = fc.constantFrom(...callers);
const variables = fc.dictionary(
  fc.constantFrom("v", "yes", "no", "__proto__"),
  fc.jsonValue({ maxDepth: 2 }).map((value): Json => JSON.parse(JSON.stringify(value))),
  { maxKeys: 2 },
);

/** Root fields of any kind with any arguments, well formed; most of what they ask is nonsense. */
const wellFormed: fc.Arbitrary<string> = fc
  .array(
    fc.record({
      name: fc.constantFrom(...names),
      args: fc.array(
        fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values, "$v", "{ gt: 1 }", "{ in: [1] }")),
        { maxLength: 3 },
      ),
      fields: fc.array(
        fc.constantFrom(...names, "author { name }", "sum { amount }", "...F", "children { id }"),
        { maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .chain((roots) => fc.tuple(fc.constantFrom("query", "mutation"), fc.constant(roots)))
  .map(([kind, roots]) => {
    const fields = roots.map(({ name, args, fields: list }, at) => {
      const passed = args.map(([key, value]) => `${key}: ${value}`).join(", ");
      return `r${at}: ${name}${passed === "" ? "" : `(${passed})`} ${list.length === 0 ? "" : `{ ${list.join(" ")} }`}`;
    });
    const text = fields.join(" ");
    const head = text.includes("$v") ? `${kind} ($v: Int)` : kind;
    return `${head} { ${text} }${text.includes("...F") ? " fragment F on books { id title }" : ""}`;
  });

/** A valid document with some of its words exchanged, dropped or doubled. */
const spoiled: fc.Arbitrary<string> = fc
  .tuple(
    documents,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom("drop", "double", "swap"), token), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([document, changes]) => {
    const words = printed(document).query.split(/(?<=[{}()\s:])|(?=[{}()\s:])/);
    for (const [at, change, other] of changes) {
      const place = at % words.length;
      const word = words[place] ?? "";
      words.splice(place, 1, ...(change === "drop" ? [] : change === "double" ? [word, " ", word] : [other]));
    }
    return words.join("");
  });

/** Who may read what (the fixture's access blocks): models and fields that are denied. */
const readers: readonly (readonly [as: Caller, denied: readonly string[]])[] = [
  ["admin", []],
  ["staff", []],
  [seven, ["authors.salary"]],
  [{ role: "user", sub: "8" }, ["authors.salary"]],
  [null, ["authors", "profiles"]],
];

// Hundreds of requests, on a machine that may have other work.
const patience = { timeout: 60_000 };

describe("random documents", () => {
  const seen = new Map<Caller, Tables>();

  beforeAll(async () => {
    await service.store({ ...library, ...tree });
    for (const [as, denied] of readers) seen.set(as, await tablesOf(as, new Set(denied)));
  });

  /** What REST shows of each model. */
  async function tablesOf(as: Caller, denied: ReadonlySet<string>): Promise<Tables> {
    const tables: { [model: string]: Tables[string] } = {};
    for (const [model, { scalars, joins }] of Object.entries(dataModels)) {
      if (denied.has(model)) continue;
      const names = [...scalars, ...Object.values(joins).map(({ field }) => field)];
      const fields = new Set(names.filter((name) => !denied.has(`${model}.${name}`)));
      const path = `/${model}/fetch?limit=20&select_fields=${[...fields].join()}`;
      // Chapters come a few at a time.
      const replies = await Promise.all(
        [0, 4].map((offset) => service.send({ method: "GET", path: `${path}&offset=${offset}` }, as)),
      );
      const rows: Tables[string] = replies.flatMap(({ text }) => JSON.parse(text).data);
      tables[model] = [...new Map(rows.map((row) => [row["id"], row])).values()];
    }
    return tables;
  }

  test("valid ones answer what follows from the rows that REST shows, or are denied", patience, async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(documents, fc.constantFrom(...readers), async (document, [as, denied]) => {
        const { query, variables: sent } = printed(document);
        fc.pre(query.split("@").length <= 51 && query.length < 8000);
        const reply = await sendGraphql(service, query, as, sent);
        if (asksFor(new Set(denied), document)) {
          refused++;
          expect(reply.envelope.error, query).toBe("PERMISSION_DENIED");
        } else expect(reply.envelope.data, query).toEqual(evaluate(document, seen.get(as) ?? {}));
      }),
      runs(200),
    );
    expect(refused).toBeGreaterThan(10);
  });

  test("garbage is refused, never with a 5xx, and told in the envelope", patience, async () => {
    const statuses = new Set<number>();
    const garbage = fc.oneof(
      fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(" ")),
      fc.string({ unit: "binary", maxLength: 60 }),
      wellFormed,
      spoiled,
    );
    await fc.assert(
      fc.asyncProperty(garbage, variables, caller, async (query, sent, as) => {
        const reply = await service.send({ method: "POST", path: "/graphql", body: bodyOf(query, sent) }, as);
        statuses.add(reply.status);
        expect(reply.status, `${reply.text} for ${query}`).toBeLessThan(500);
        expectEnvelope(reply);
      }),
      runs(600),
    );
    // Garbage that never comes through is no good.
    expect([...statuses].sort()).toEqual([200, 400, 403, 404]);
  });
});
