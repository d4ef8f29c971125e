import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { service } from "../../http/fixture/generated/index.ts";
import { type ExplainedTracker, explainedService } from "./tracker.ts";

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

describe("secrets", () => {
  it("a password is in no statement, plan or note", async () => {
    const data = '{"name":"Ann","secret":"correct horse battery"}';
    const request = { subject: "people.create", as: "admin", data, sql: true, plan: true };
    const printed = await fixture.printed(request);
    expect(printed).toContain("(hidden)");
    expect(printed).not.toContain("correct horse");
    expect(JSON.stringify(await fixture.asked(request))).not.toContain("correct horse");
  });
});
