import { beforeEach, describe, expect, test } from "vitest";
import { type StagedHooks, stage } from "../http/fixture/stage.ts";
import { outcome } from "../support/scenarios.ts";
import { inTurn, waiting } from "../support/turns.ts";
import { countedService } from "../support/watched-database.ts";

const service = await countedService();
const { sent } = service;

const ann = { role: "user", sub: "1", email: "ann@example.org" };
const users = [
  { id: 1, handle: "ann", points: 7 },
  { id: 2, handle: "bob", points: 8 },
];

const plays = (hooks: StagedHooks) => Object.assign(stage, { hooks, fired: [] });
const write = (path: string, data: object, as = ann) =>
  service.send({ method: path.endsWith("upsert") ? "PUT" : "POST", path, body: { data: { ...data } } }, as);

beforeEach(async () => {
  plays({});
  await service.store({ users });
});

describe("the caller's row changes during the write", () => {
  const moved = "update users set handle = 'moved' where id = 1";

  test("an earlier write is waited for, and its values count", async () => {
    const [reply] = await inTurn(service, moved, () => write("/marked/create", {}));
    expect(reply?.envelope.data).toMatchObject({ user: 1, team: "moved" });
  });

  test("a later request waits until the write is done", async () => {
    let second: Promise<unknown> = Promise.resolve();
    plays({
      async before_create() {
        second = service.pool.run({ name: null, text: moved }, []);
        await waiting(service, 1);
      },
    });
    const { envelope } = await write("/marked/create", {});
    await second;
    expect(envelope.data).toMatchObject({ team: "ann" });
    expect(await service.query("select handle from users where id = 1")).toEqual([{ handle: "moved" }]);
  });

  test("an account that goes meanwhile owns nothing", async () => {
    const [reply] = await inTurn(service, "delete from users where id = 1", () =>
      write("/stamped/create", { title: "a" }),
    );
    expect(reply && outcome(reply)).toBe("400 VALIDATION_ERROR owner_id");
  });

  test("a retried transaction reads it again, and computes presets again", async () => {
    sent.statements.length = 0;
    const seen: unknown[] = [];
    plays({
      async before_create(record, { transaction }) {
        seen.push(structuredClone(record));
        Object.assign(record, { team: `changed ${seen.length}` });
        if (seen.length === 1)
          await transaction.raw("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
      },
    });
    const { envelope } = await write("/marked/create", {});
    expect(envelope.data).toMatchObject({ user: 1, team: "changed 2" });
    expect(seen).toEqual([
      { user: 1, team: "ann" },
      { user: 1, team: "ann" },
    ]);
    expect(sent.statements.filter((text) => text.endsWith("for share"))).toHaveLength(2);
  });
});

describe("one key, many writers", () => {
  test("of upserts at once by one caller one inserts and the others change its row", async () => {
    const replies = await Promise.all(
      ["a", "b", "c", "d"].map((title) => write("/stamped/upsert", { title, slot: 1 })),
    );
    expect(replies.map(outcome)).toEqual(["200", "200", "200", "200"]);
    expect(await service.query("select owner_id, slot, points from stamped")).toEqual([
      { owner_id: "1", slot: 1, points: 7 },
    ]);
  });

  test("no caller reaches another user's row by its key", async () => {
    await write("/stamped/upsert", { title: "of bob", slot: 1 }, { ...ann, sub: "2" });
    await write("/stamped/upsert", { title: "of ann", slot: 1 });
    expect(await service.query("select owner_id, title from stamped order by owner_id")).toEqual([
      { owner_id: "1", title: "of ann" },
      { owner_id: "2", title: "of bob" },
    ]);
  });
});

describe("over GraphQL", () => {
  const ask = async (query: string, variables: Record<string, unknown>, as = ann): Promise<string> =>
    outcome(
      await service.send(
        {
          method: "POST",
          path: "/graphql",
          body: JSON.stringify({ query, variables }),
          headers: { "content-type": "application/json" },
        },
        as,
      ),
    );
  const stamped = () => service.query("select owner_id, title from stamped order by id");
  const single = 'mutation ($owner: BigInt) { createStamped(input: {title: "a", owner_id: $owner}) { id } }';
  const whole = "mutation ($input: StampedCreate!) { createStamped(input: $input) { id } }";

  // biome-ignore format: one case a line
  test.each<[string, string, Record<string, unknown>, string]>([
    ["a variable", single, { owner: 2 }, "403 PERMISSION_DENIED owner_id"],
    ["a variable that is null", single, { owner: null }, "403 PERMISSION_DENIED owner_id"],
    ["the input as a variable", whole, { input: { title: "a", owner_id: 2 } }, "403 PERMISSION_DENIED owner_id"],
    ["the default of a variable", 'mutation ($owner: BigInt = 2) { createStamped(input: {title: "a", owner_id: $owner}) { id } }', {},
      "403 PERMISSION_DENIED owner_id"],
    ["the second of two root fields",
      'mutation { a: createStamped(input: {title: "a"}) { id } b: createStamped(input: {title: "b", number: 2}) { id } }', {},
      "403 PERMISSION_DENIED number"],
    ["an upsert", 'mutation { upsertStamped(input: {title: "a", slot: 1, owner_id: 2}) { id } }', {}, "403 PERMISSION_DENIED owner_id"],
  ])("%s", async (_, query, variables, expected) => {
    expect(await ask(query, variables)).toBe(expected);
    expect(await stamped()).toEqual([]);
  });

  test("a variable that is not given leaves the field to the server", async () => {
    expect(await ask(single, {})).toBe("200");
    expect(await stamped()).toEqual([{ owner_id: "1", title: "a" }]);
  });

  test("each root field has the presets of its caller, also with shared variables", async () => {
    const query =
      "mutation ($input: StampedCreate!) { a: createStamped(input: $input) { id } b: createStamped(input: $input) { id } }";
    expect(await ask(query, { input: { title: "a" } })).toBe("200");
    expect(await ask(query, { input: { title: "a" } }, { ...ann, sub: "2" })).toBe("200");
    expect(await stamped()).toEqual(["1", "1", "2", "2"].map((owner_id) => ({ owner_id, title: "a" })));
  });

  test("__proto__ sets nothing", async () => {
    const body =
      '{"query": "mutation ($i: StampedCreate!) { createStamped(input: $i) { id } }", "variables": {"i": {"title": "a", "__proto__": {"owner_id": 2}}}}';
    const reply = await service.send(
      { method: "POST", path: "/graphql", body, headers: { "content-type": "application/json" } },
      ann,
    );
    expect(outcome(reply)).toBe("400 VALIDATION_ERROR __proto__");
    expect(await stamped()).toEqual([]);
  });

  test("a default of the document is one object for all callers, and keeps nothing of them", async () => {
    const query = 'mutation ($input: StampedCreate = {title: "a"}) { createStamped(input: $input) { id } }';
    expect(await ask(query, {})).toBe("200");
    expect(await ask(query, {}, { ...ann, sub: "2" })).toBe("200");
    expect(await stamped()).toEqual([
      { owner_id: "1", title: "a" },
      { owner_id: "2", title: "a" },
    ]);
  });
});
