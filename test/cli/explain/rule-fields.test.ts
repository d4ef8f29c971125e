import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { service } from "../../http/fixture/generated/index.ts";
import { type ExplainedTracker, explainedService } from "./tracker.ts";

const root = resolve(import.meta.dirname, "..", "..", "http", "fixture");
let fixture: ExplainedTracker;

beforeAll(async () => {
  const users = [7, 8].map((id) => ({ id, email: `user${id}@example.com`, role: "user" }));
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
