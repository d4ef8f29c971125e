import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { explainDocument } from "#cli/explain/explain-graphql";
import { service } from "../../http/fixture/generated/index.ts";
import { bare, type ExplainedTracker, explainedService } from "./tracker.ts";

const root = resolve(import.meta.dirname, "..", "..", "http", "fixture");
let fixture: ExplainedTracker;

beforeAll(async () => {
  const users = [7, 8, 9].map((id) => ({
    ...{ id, email: `user${id}@example.com`, role: id === 9 ? "first" : "user" },
  }));
  const places = { root, models: "models.json", manifest: "manifest.json" };
  fixture = await explainedService(service, places, { users });
  await fixture.service.query(
    "insert into tickets (id, title, owner_id, agent_id) values (1, 'One', 7, 8), (2, 'Two', 8, 7)",
  );
});

describe("rules with fields", () => {
  const update = (id: string, data: object) =>
    fixture.asked({ subject: "tickets.update", as: "user:7", id, data: JSON.stringify(data) });

  it("count only for writes whose fields are in their list", async () => {
    const { rules, rows, answer } = await update("1", { title: "New" });
    expect(rules[0]?.rules.map(({ counts }) => counts)).toEqual([true, false]);
    expect(rows[0]?.states.map((state) => state.rules.length)).toEqual([1, 1]);
    expect(answer.text).toBe("allowed");
    expect((await update("2", { title: "New" })).answer.text).toBe(
      "refused: 403 PERMISSION_DENIED, no rule holds before the change",
    );
  });

  it("a field that no rule names is the reason", async () => {
    const { answer } = await update("1", { owner_id: 8 });
    expect(answer).toMatchObject({ outcome: "refused", field: "owner_id" });
    expect((await update("1", { title: "New", priority: 3 })).answer.text).toBe(
      "refused: 403 PERMISSION_DENIED, Your role may not write these fields in one request.",
    );
  });
});

describe("the answer of a write", () => {
  const of = async (subject: string, as: string, given: object, id: string | null = null) =>
    (await fixture.asked({ subject, as, id, data: JSON.stringify(given) })).answer.text;

  // biome-ignore format: one case a line
  it.each([
    ["visits.create", "user:7", { owner: 7, seats: 1, most: 0 }, "refused: 400 VALIDATION_ERROR, There are not so many seats."],
    ["visits.create", "user:7", { owner: 8 }, "refused: 403 PERMISSION_DENIED, no rule holds"],
    ["signed.create", "user:7", { title: "T" }, "allowed"],
    ["signed.create", "guest", { title: "T" }, "refused: 403 PERMISSION_DENIED, The field signer is set from your account, which has no value for it."],
    ["edited.create", "guest", { title: "T" }, "allowed"],
    ["hooked.create", "admin", { name: "N" }, "allowed"],
    ["hooked.create", "admin", { name: "N", code: 5 }, "refused: 400 VALIDATION_ERROR, code: must be string"],
  ])("%s as %s %j: %s", async (subject, as, given, text) => {
    expect(await of(subject, as, given)).toContain(text);
  });

  it("is that of its row too", async () => {
    await fixture.service.query("insert into people (id, name, salary) values (1, 'A', 5), (2, 'B', 6)");
    const request = { subject: "people.update", as: "admin", id: "2", data: '{"salary":5}' };
    const { rows, answer } = await fixture.asked(request);
    expect(answer.text).toBe("refused: 400 VALIDATION_ERROR, salary: conflicts with an existing record");
    expect(rows.map((row) => row.answer)).toEqual([answer]);
  });

  it("follows from presets of each write", async () => {
    await fixture.service.query("insert into edited (id, title, edited_at) values (1, 'One', now())");
    const request = { subject: "edited.update", as: "user:9", id: "1", data: '{"title":"New"}' };
    const printed = await fixture.printed(request);
    expect(printed).toContain("edited_by IS NULL  false  edited_by is 9");
    expect(printed).toMatch(/\nrefused: 403 PERMISSION_DENIED, no rule holds after the change\n$/);
  });
});

describe("a trial of a write", () => {
  it("changes nothing, and uses no id up", async () => {
    const { url, query } = fixture.service;
    const state = `select (select json_agg(t order by id) from tickets as t), (select last_value from tickets_id_seq),
      (select count(*) from slots), (select last_value from slots_id_seq)`;
    const before = await query(state);
    for (const [subject, flags] of [
      ["tickets.create", { data: '{"title":"New","owner_id":7}' }],
      ["tickets.update", { id: "1", data: '{"title":"New"}' }],
      ["slots.upsert", { data: '{"code":"a","first":1,"last":2}' }],
      ["tickets.delete", { where: '{"id__gt":0}' }],
    ] as const)
      await fixture.asked({ subject, as: "user:7", ...flags });
    expect(await query(state), url).toEqual(before);
  });

  it("does not wait long for a row that another transaction has locked", async () => {
    await fixture.service.pool.transaction(async (other) => {
      await other.run({ name: null, text: "select from people where id = 1 for update" }, []);
      const asked = fixture.asked({ subject: "people.update", as: "admin", id: "1", data: '{"open":"x"}' });
      await expect(asked).rejects.toThrow("canceling statement due to lock timeout");
    });
  });

  it("is only one of up to 1,000 rows", async () => {
    await fixture.service.query(
      "insert into slots (first, last) select n, n from generate_series(1, 1001) as n",
    );
    const request = { subject: "slots.update", as: "admin", where: '{"first__gt":0}', data: '{"last":0}' };
    const { notes, answer } = await fixture.asked(request);
    expect(notes).toContain("more than 1000 rows match: the write was not tried, only the rules");
    expect(answer.text).toBe("allowed");
    await fixture.service.query("delete from slots where first > 1000");
    expect((await fixture.asked(request)).answer.text).toBe(
      "refused: 400 VALIDATION_ERROR, The last comes after the first.",
    );
  });
});

describe("secrets", () => {
  it("a password is in no statement, plan or note", async () => {
    const data = '{"name":"Ann","secret":"correct horse battery"}';
    const request = { subject: "people.create", as: "admin", data, sql: true, plan: true };
    const printed = await fixture.printed(request);
    expect(printed).toContain("(hidden)");
    expect(printed).not.toContain("correct horse");
    expect(JSON.stringify(await fixture.asked(request))).not.toContain("correct horse");
    const graphql = 'mutation { createPeople(input: {name: "Ann", secret: "correct horse"}) { id } }';
    const document = { ...bare, as: "admin", graphql, sql: true, plan: true };
    const explained = await fixture.inApp((app) => explainDocument(app, document));
    expect(explained.statements.length).toBe(2);
    expect(JSON.stringify(explained)).not.toContain("correct horse");
  });
});
