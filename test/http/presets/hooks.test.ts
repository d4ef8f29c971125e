import { describe, expect, test } from "vitest";
import { type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { stage } from "../fixture/stage.ts";

const service = await testService();

const given = {
  users: [
    { id: 1, handle: "ann" },
    { id: 2, email: "bob@example.org" },
  ],
};
const ann = { role: "user", sub: "1" };

const marking = (more: Partial<Scenario>): Scenario => ({
  given,
  as: ann,
  send: "POST /marked/create",
  body: { data: {} },
  ...more,
});

describe("what a before-hook does with presets", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    marking({ name: "it may leave them", hooks: ["before_create"], rows: { marked: [{ user: 1, team: "ann" }] } }),
    marking({ name: "it may change them", plays: { before_create: (record) => void Object.assign(record, { user: 2, team: null }) },
        rows: { marked: [{ user: 2, team: null }] } }),
    marking({ name: "it may take them away", plays: { before_create: (record) => void Reflect.deleteProperty(record, "team") },
        rows: { marked: [{ user: 1, team: null }] } }),
    marking({ name: "undefined takes away too", plays: { before_create: (record) => ({ ...record, team: undefined }) },
        rows: { marked: [{ user: 1, team: null }] } }),
    marking({ name: "a required one that it takes away is 403",
        plays: { before_create: (record) => ({ ...record, user: undefined, team: "x" }) }, fails: "403 PERMISSION_DENIED user",
        rows: { marked: [] } }),
    marking({ name: "so is null", plays: { before_create: (record) => ({ ...record, user: null }) }, fails: "403 PERMISSION_DENIED user",
        rows: { marked: [] } }),
    marking({ name: "what it gives a guest counts", as: null, plays: { before_create: (record) => ({ ...record, user: 5 }) },
        rows: { marked: [{ user: 5, team: null }] } }),
    marking({ name: "without it a guest has nothing", as: null, hooks: ["before_create"], fails: "403 PERMISSION_DENIED user" }),
    marking({ name: "what it makes of them is checked as any other value", plays: { before_create: (record) => ({ ...record, user: "1" }) },
        fails: "400 VALIDATION_ERROR user", rows: { marked: [] } }),
    marking({ name: "row conditions hold for what it makes of them", as: { role: "own", sub: "1" },
        plays: { before_create: (record) => ({ ...record, user: 2 }) }, fails: "403 PERMISSION_DENIED", rows: { marked: [] } }),
    marking({ name: "in a bulk, record by record",
      body: { data: [{}, {}, {}] },
      plays: { before_create: (record) => {
          const at = stage.fired.length;
          return { ...record, user: at === 2 ? null : at };
        },
      },
      hooks: ["before_create", "before_create", "before_create"],
      data: expect.objectContaining({ inserted_count: 2,
        failed_records: [
          { index: 1, error: "PERMISSION_DENIED", message: expect.any(String), field: "user" },
        ],
      }),
      rows: { marked: [
          { user: 1, team: "ann" },
          { user: 3, team: "ann" },
        ],
      },
    }),
  ]);

  test("it sees them, and what is NULL is not there", async () => {
    const seen = async (as: Scenario["as"]) => {
      Object.assign(stage, { hooks: {}, fired: [] });
      await service.store(given);
      await service.send({ method: "POST", path: "/marked/create", body: { data: {} } }, as);
      return stage.fired.map(({ value }) => value);
    };
    expect(await seen(ann)).toEqual([{ user: 1, team: "ann" }]);
    expect(await seen({ role: "user", sub: "2" })).toEqual([{ user: 2 }]);
    expect(await seen({ role: "user", sub: "77" })).toEqual([{ user: 77 }]);
    expect(await seen(null)).toEqual([{}]);
  });

  test("a hook that changes the value of one record leaves the others", async () => {
    await service.store(given);
    Object.assign(stage, {
      hooks: {
        before_create: (record: object) =>
          void Object.assign(record, { user: stage.fired.length, team: `mine${stage.fired.length}` }),
      },
      fired: [],
    });
    await service.send({ method: "POST", path: "/marked/create", body: { data: [{}, {}] } }, ann);
    expect(stage.fired.map(({ value }) => value)).toEqual([
      { user: 1, team: "ann" },
      { user: 1, team: "ann" },
    ]);
  });
});
