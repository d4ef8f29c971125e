import { describe, expect, test } from "vitest";
import { holds } from "#generator/review/access/access-ids";
import { presetLine, presetNote } from "#generator/review/access/access-text";
import { parseMatrix } from "#generator/review/access/parse-matrix";
import { accessBetween, definitionOf, matrixOf, noticed } from "./changes-between.ts";

const mine = [{ role: "user", condition: "owner = {user_id}" }];
const user = [{ role: "user" }];
const rules = { fetch: mine, create: user, update: mine };
const closed = { fields: { owner: { write: [] } } };

/** Tasks with a field `owner`, and users with leads. */
const tasks = (owner: object, access: object = rules, more: object = {}) => ({
  users: { fields: { lead: { type: "integer" } } },
  tasks: { fields: { title: { type: "string" }, owner: { type: "integer", ...owner } }, access, ...more },
});
const own = { preset: "{user_id}" };
const lead = { preset: "{user.lead}" };

describe("a preset that changes", () => {
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["the same", tasks(own), tasks(own), []],
    ["another one", tasks(own), tasks(lead), ["tasks.owner preset {user.lead}"]],
    ["if everyone could send any value", tasks({}), tasks(own), []],
    ["where some could", tasks({}, { ...rules, fields: { owner: { write: ["admin"] } } }),
      tasks(own, { ...rules, fields: { owner: { write: ["admin"] } } }), ["tasks.owner preset {user_id}"]],
    ["where those who make rows could", tasks(own, { ...rules, fields: { owner: { write: ["user"] } } }),
      tasks(lead, { ...rules, fields: { owner: { write: ["user"] } } }), []],
    ["if no role could", tasks({}, { ...rules, ...closed }), tasks(own), ["tasks.owner preset {user_id}"]],
    ["that goes, and stays closed", tasks(own), tasks({}, { ...rules, ...closed }), ["tasks.owner preset none"]],
    ["that goes, and opens the field", tasks(own), tasks({}), []],
    ["and opens the field to those who make rows, of whom some will not send it", tasks(own),
      tasks(lead, { ...rules, fields: { owner: { write: ["user"] } } }), ["tasks.owner preset {user.lead}"]],
    ["if no role creates rows", tasks(own, { fetch: mine }), tasks(lead, { fetch: mine }), []],
    ["if no role created rows before", tasks(own, { fetch: mine }), tasks(lead, { fetch: mine, create: user }), []],
    ["that every write sets now", tasks(own), tasks({ preset: { value: "{user_id}", on: "write" } }), ["tasks.owner preset {user_id} on write"]],
    ["that every write sets, if no role creates rows", tasks(own, { fetch: mine, update: user }),
      tasks({ preset: { value: "{user_id}", on: "write" } }, { fetch: mine, update: user }), ["tasks.owner preset {user_id} on write"]],
    ["in its long form", tasks(own), tasks({ preset: { value: "{user_id}", on: "create" } }), []],
    ["that no rule goes by", tasks(own, { fetch: user, create: user }), tasks(lead, { fetch: user, create: user }), []],
    ["a text or a column of the caller with the field's name is not a rule by it",
      tasks(own, { fetch: [{ role: "user", condition: "title = 'owner'" }], create: user }),
      tasks(lead, { fetch: [{ role: "user", condition: "title = 'owner'" }], create: user }), []],
    ["of a new field", { users: {}, tasks: { fields: {}, access: { create: user } } }, tasks(own), []],
    [
      "of a field with another name",
      tasks(own),
      { users: { fields: { lead: { type: "integer" } } },
        tasks: { fields: { title: { type: "string" }, holder: { type: "integer", ...lead, renamed_from: "owner" } },
          access: { ...rules, fetch: [{ role: "user", condition: "holder = {user_id}" }], update: [] } },
      },
      ["tasks.holder preset {user.lead}"],
    ],
  ])("%s", async (_, before, after, ids) => {
    const { widenedPresets } = await accessBetween(before, after);
    expect(widenedPresets.map(({ id }) => id)).toEqual(ids);
  });

  test("rules of other models count, over any path", async () => {
    const models = (preset: string) => ({
      users: {
        fields: {
          lead: { type: "belongs_to", relationship: { model: "users" } },
          notes: { type: "has_many", relationship: { model: "notes", foreign_key: "writer_id" } },
        },
      },
      notes: {
        fields: { writer_id: { type: "belongs_to", preset, relationship: { model: "users" } } },
        access: { create: user },
      },
      files: {
        fields: { owner_id: { type: "belongs_to", relationship: { model: "users" } } },
        access: { fetch: [{ role: "user", condition: "EXISTS (owner.notes)" }] },
      },
    });
    const { widenedPresets } = await accessBetween(models("{user_id}"), models("{user.lead}"));
    expect(widenedPresets.map(({ rules: of }) => of)).toEqual([
      ["files.fetch", "files.count", "files.exists"],
    ]);
  });

  test("is described in words, with the unproven part, and is acknowledged", async () => {
    const acknowledged = new Map([["tasks.owner preset {user.lead}", "leads own what their people make"]]);
    const { widenedPresets } = await accessBetween(tasks(own), tasks(lead), acknowledged);
    expect(widenedPresets.map(presetLine)).toEqual([
      "tasks.owner gets {user.lead} in new rows of user; before: {user_id}",
    ]);
    expect(widenedPresets.map(presetNote)).toEqual([
      "that tasks.fetch, tasks.count, tasks.exists, tasks.update, tasks.upsert:update, whose rules depend on owner, open these rows to no one else",
    ]);
    expect(widenedPresets.map(({ reason }) => reason)).toEqual(["leads own what their people make"]);
  });

  test("an acknowledgement holds while the preset is so", async () => {
    const names = { read: new Set(["owner", "title"]), write: new Set(["owner", "title"]) };
    const access = parseMatrix(matrixOf(await definitionOf(tasks(lead))));
    const open = { ...access, fields: new Map([["tasks", names]]) };
    // biome-ignore format: one case a line
    const asked = [
      "owner preset {user.lead}", "owner preset {user_id}", "title preset none", "owner preset none", "gone preset none",
    ];
    expect(asked.filter((id) => holds(`tasks.${id}`, open))).toEqual([
      "owner preset {user.lead}",
      "title preset none",
    ]);
  });
});

describe("what callers notice", () => {
  const optional = { ...rules, fields: { owner: { write: ["user"] } } };
  const required = { type: "integer", required: true };
  const empty = "has at least 1 property (anyone who sends a value outside this bound)";
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["the same", tasks(own), tasks(own), []],
    ["another one", tasks(own), tasks(lead), ["tasks.owner has the preset {user.lead}; before: {user_id} (anyone who creates rows)"]],
    ["one that comes where callers may go on sending values", tasks({}, optional), tasks(own, optional),
      ["tasks.owner has the preset {user_id}; before: none (anyone who creates rows without it)"]],
    ["one that comes in place of a default", tasks({ default: 5 }, optional), tasks(own, optional),
      ["tasks.owner has the preset {user_id}; before: 5 (anyone who creates rows without it)"]],
    ["one that goes", tasks(own, optional), tasks({}, optional),
      [`tasks.create body.data ${empty}`, "tasks.owner has no preset any more; before: {user_id} (anyone who creates rows without it)",
        `tasks.upsert body.data ${empty}`]],
    ["one that goes from a required field", tasks({ ...own, ...required }), tasks(required),
      [`tasks.create body.data ${empty}`, "tasks.owner is new and required in create, upsert (anyone who omits it)", `tasks.upsert body.data ${empty}`]],
    ["one that closes a required field", tasks(required), tasks({ ...own, ...required }),
      ["tasks.owner is not accepted any more (anyone who sends it)"]],
  ])("%s", async (_, before, after, lines) => {
    const [was, is] = [await definitionOf(before), await definitionOf(after)];
    expect(noticed(was, is)).toEqual(lines);
  });
});
