import { describe, expect, test } from "vitest";
import { type AccessChanges, unacknowledged } from "#generator/review/access/access-changes";
import { conditionLine, rowsNotes } from "#generator/review/access/access-text";
import { printMarkdown } from "#generator/review/markdown";
import { printReport } from "#generator/review/print-report";
import { project } from "../support/project.ts";
import { accessBetween } from "./changes-between.ts";

const text = { type: "string" };
const belongsTo = (model: string, parts: object = {}) => ({
  type: "belongs_to",
  relationship: { model },
  ...parts,
});
const mine = "user_id = {user_id}";
const managers = `EXISTS (memberships WHERE ${mine} AND role IN ('owner', 'admin'))`;
const all = `EXISTS (memberships WHERE ${mine})`;
/** Nested 32 deep as written, with an even number of NOT. */
const deep = (inner: string) =>
  Array.from({ length: 16 }).reduce<string>(
    (text, _, level) => `NOT (id = ${level} OR id > 0 AND ${text})`,
    inner,
  );
const reached = { access: { create: [{ role: "admin" }] } };

interface Parts {
  readonly conditions?: Readonly<Record<string, string>>;
  /** The condition to fetch and to delete tasks. */
  readonly rule?: string;
  readonly tasks?: object;
  readonly memberships?: object;
  readonly on?: string;
}

/** Tasks of organisations, which have members. */
function tracker({
  conditions = { member: managers },
  rule = "member(organisation)",
  tasks = {},
  memberships = {},
  on = "organisations",
}: Parts) {
  const rules = [{ role: "user", condition: rule }];
  // biome-ignore format: many a line
  return {
    $conditions: Object.fromEntries(Object.entries(conditions).map(([name, condition]) => [name, { on, condition }])),
    tasks: {
      fields: { title: { ...text, index: true }, organisation_id: belongsTo("organisations"), client_id: belongsTo("organisations") },
      soft_delete: true, access: { fetch: rules, delete: rules }, ...tasks,
    },
    organisations: {
      fields: { name: text, state: text, memberships: { type: "has_many", relationship: { model: "memberships", foreign_key: "organisation_id" } } },
      ...reached,
    },
    memberships: {
      fields: { organisation_id: belongsTo("organisations"), user_id: { type: "integer", index: true }, role: text },
      soft_delete: true, ...reached, ...memberships,
    },
  };
}

const ids = (changes: AccessChanges) => unacknowledged(changes).map(({ id }) => id);
const since = async (before: Parts, after: Parts) =>
  ids(await accessBetween(tracker(before), tracker(after)));
const rows = (condition: string) => [
  `tasks.fetch to user: ${condition}`,
  `tasks.delete to user: ${condition}`,
];
const path = "tasks path organisation.memberships: tasks.organisation_id > organisations.id";

describe("a definition that changes", () => {
  const wide = { member: all };
  const both = { member: managers, reader: "member() OR state = 'open'" };
  // biome-ignore format: one case a line
  test.each<[string, Parts, Parts, string[]]>([
    ["not", {}, {}, []],
    ["and holds for more rows is one entry", {}, { conditions: wide }, [`member(organisations): ${all}`]],
    ["and holds for fewer rows", { conditions: wide }, {}, []],
    ["and holds for fewer rows, in a rule that negates it", { conditions: wide, rule: "NOT member(organisation)" },
      { rule: "NOT member(organisation)" }, [`member(organisations): ${managers}`]],
    ["to the same in other words", { conditions: { member: "state = 'a' OR state = 'b'" } }, { conditions: { member: "state IN ('b', 'a')" } }, []],
    ["and that no rule uses", { rule: "title = 'x'" }, { rule: "title = 'x'", conditions: wide }, []],
    ["and opens rows that the rule opened before", { rule: `member(organisation) OR EXISTS (organisation.memberships WHERE ${mine})` },
      { conditions: wide, rule: `member(organisation) OR EXISTS (organisation.memberships WHERE ${mine})` }, []],
    ["and is called by another definition that does not", { conditions: both, rule: "reader(organisation)" },
      { conditions: { ...both, ...wide }, rule: "reader(organisation)" }, [`member(organisations): ${all}`]],
    ["of two that a rule calls, only the wider one", { conditions: { member: managers, open: "state IN ('a', 'b')" }, rule: "member(organisation) AND open(organisation)" },
      { conditions: { member: all, open: "state = 'a'" }, rule: "member(organisation) AND open(organisation)" }, [`member(organisations): ${all}`]],
    ["both of two that a rule calls", { conditions: { member: managers, open: "state = 'a'" }, rule: "member(organisation) AND open(organisation)" },
      { conditions: { member: all, open: "state = 'b'" }, rule: "member(organisation) AND open(organisation)" },
      [`member(organisations): ${all}`, "open(organisations): state = 'b'"]],
    ["while the rule changes too", {}, { conditions: wide, rule: "member(client)" }, rows("member(client)")],
    ["while one alternative of the rule is new", {}, { conditions: wide, rule: "member(organisation) OR title = 'x'" },
      [...rows("title = 'x'"), `member(organisations): ${all}`]],
    ["while its relations lead elsewhere too", {}, { conditions: wide, memberships: { soft_delete: false } },
      [`member(organisations): ${all}`, `${path} < memberships.organisation_id`]],
    ["in a rule that the matrix prints with more parentheses than a rule can have", { rule: deep("member(organisation)") },
      { conditions: wide, rule: deep("member(organisation)") }, [`member(organisations): ${all}`]],
    ["and that the matrix prints with more parentheses than a rule can have", { conditions: { member: deep("state = 'a'") } },
      { conditions: { member: deep("state IN ('a', 'b')") } }, [expect.stringContaining("member(organisations): NOT (id = 15 OR")]],
  ])("%s", async (_, before, after, expected) => {
    expect(await since(before, after)).toEqual(expected);
  });

  test("relations that lead elsewhere are no other definition", async () => {
    expect(await since({}, { memberships: { soft_delete: false } })).toEqual([
      `${path} < memberships.organisation_id`,
    ]);
  });

  test("names of fields and models that change are no other definition", async () => {
    const before = tracker({});
    const { organisations, memberships, tasks } = tracker({});
    const { user_id, role, ...fields } = memberships.fields;
    const after = {
      $conditions: { member: { on: "firms", condition: managers.replace("role", "rank") } },
      tasks: {
        ...tasks,
        fields: { ...tasks.fields, organisation_id: belongsTo("firms"), client_id: belongsTo("firms") },
      },
      firms: { ...organisations, renamed_from: "organisations" },
      memberships: {
        ...memberships,
        fields: {
          ...fields,
          user_id,
          organisation_id: belongsTo("firms"),
          rank: { ...role, renamed_from: "role" },
        },
      },
    };
    const changes = await accessBetween(before, after);
    expect([ids(changes), changes.conditions]).toEqual([[], { added: [], removed: [], renamed: [] }]);
  });
});

describe("a rule that calls a condition", () => {
  // biome-ignore format: one case a line
  test.each<[string, Parts, Parts, string[]]>([
    ["in the place of what it means", { rule: managers.replace("memberships", "organisation.memberships"), conditions: {} }, {}, []],
    ["that is written out now", {}, { rule: managers.replace("memberships", "organisation.memberships"), conditions: {} }, []],
    ["in the place of a narrower condition", { rule: "title = 'x'" }, {}, rows("member(organisation)")],
    ["for another row", {}, { rule: "member(client)" }, rows("member(client)")],
    ["with a condition in addition", {}, { rule: "member(organisation) AND title = 'x'" }, []],
    ["with a condition less", { rule: "member(organisation) AND title = 'x'" }, {}, rows("member(organisation)")],
  ])("%s", async (_, before, after, expected) => {
    expect(await since(before, after)).toEqual(expected);
  });
});

describe("a name that changes", () => {
  const changes = async (before: Parts, after: Parts) => {
    const found = await accessBetween(tracker(before), tracker(after));
    return [ids(found), found.conditions];
  };
  const none = { added: [], removed: [], renamed: [] };
  // biome-ignore format: one case a line
  test.each<[string, Parts, Parts, object, string[]]>([
    ["is a rename", {}, { conditions: { belongs: managers }, rule: "belongs(organisation)" }, { ...none, renamed: ["member → belongs"] }, []],
    ["with another definition is one removed and one added", {}, { conditions: { belongs: all }, rule: "belongs(organisation)" },
      { ...none, added: ["belongs"], removed: ["member"] }, rows("belongs(organisation)")],
    ["with a narrower definition needs nothing", { conditions: { member: all } }, { conditions: { belongs: managers }, rule: "belongs(organisation)" },
      { ...none, added: ["belongs"], removed: ["member"] }, []],
    ["where several could be the old one is no rename", { conditions: { member: all, person: all } }, { conditions: { belongs: all }, rule: "belongs(organisation)" },
      { ...none, added: ["belongs"], removed: ["member", "person"] }, []],
    ["to several is no rename", {}, { conditions: { belongs: managers, person: managers }, rule: "person(organisation)" },
      { ...none, added: ["belongs", "person"], removed: ["member"] }, []],
    ["of a definition that others call", { conditions: { member: managers, reader: "member() OR state = 'a'" }, rule: "reader(organisation)" },
      { conditions: { belongs: managers, reader: "belongs() OR state = 'a'" }, rule: "reader(organisation)" }, { ...none, renamed: ["member → belongs"] }, []],
  ])("%s", async (_, before, after, conditions, expected) => {
    expect(await changes(before, after)).toEqual([expected, conditions]);
  });
});

describe("the report", () => {
  const file = "models/access-acknowledged.json";
  const id = `member(organisations): ${all}`;
  const line = `member is wider: the rows with ${all}; before: the rows with ${managers} (used by tasks.fetch, tasks.count and 2 more)`;
  const widened = async (acknowledged: object = {}) => {
    const made = project(tracker({}));
    await made.generate();
    made.write("models/models.json", tracker({ conditions: { member: all } }));
    made.write(file, { acknowledged });
    return made;
  };

  test("names a wider definition once, with what uses it, in words", async () => {
    const { widenedConditions } = await accessBetween(tracker({}), tracker({ conditions: { member: all } }));
    expect(widenedConditions.map(conditionLine)).toEqual([line]);
    expect(widenedConditions.map(rowsNotes)).toEqual([
      {
        words:
          "rows that have a membership of the caller; before: rows that have a membership of the caller with the role 'owner' or 'admin'",
        unproven: [
          `that they fulfil EXISTS (memberships WHERE ${mine} AND role = 'owner'), or EXISTS (memberships WHERE ${mine} AND role = 'admin'), as before`,
        ],
      },
    ]);
  });

  test("says of a narrower one that rules negate it", async () => {
    const rule = "NOT member(organisation)";
    const before = tracker({ conditions: { member: "state IN ('a', 'b')" }, rule });
    const { widenedConditions } = await accessBetween(
      before,
      tracker({ conditions: { member: "state = 'a'" }, rule }),
    );
    expect(widenedConditions.map(conditionLine)).toEqual([
      "member is narrower, and rules negate it: the rows with state = 'a'; before: the rows with state IN ('a', 'b') (used by tasks.fetch, tasks.count and 2 more)",
    ]);
    expect(widenedConditions.map(rowsNotes)).toEqual([{ words: null, unproven: [] }]);
  });

  test("stops the run with one line and one entry, which lets all rules pass", async () => {
    const made = await widened();
    const { exitCode, problems } = await made.generate();
    expect(exitCode).toBe(1);
    expect(problems[0]?.details.split("\n")[0]).toBe(`  ${line}`);
    expect(problems[0]?.details.match(/"<why>"/g)).toHaveLength(1);
    expect(problems[0]?.details).toContain(`    ${JSON.stringify(id)}: "<why>"\n`);
    made.write(file, { acknowledged: { [id]: "all members work on it" } });
    const passed = await made.generate();
    expect(passed).toMatchObject({ exitCode: 0, problems: [], diagnostics: [] });
    const report = passed.report === null ? "" : printReport(passed.report, "wrote");
    expect(report).toContain(`\n  ${line} (acknowledged: all members work on it)\n`);
    expect(report.match(/the rows with/g)).toHaveLength(2);
    expect(passed.report?.widenedAccess.map(({ reason }) => reason)).toEqual(
      Array(2).fill("all members work on it"),
    );
    const markdown = printMarkdown(passed);
    expect(markdown).toContain(`- \`${line}\`. In words: `);
    expect(markdown).toContain("Acknowledged: `all members work on it`");
    expect(await made.generate({ mode: "check" })).toMatchObject({ exitCode: 0, diagnostics: [] });
  });

  test("an older entry for a rule does not cover a changed definition", async () => {
    const older = Object.fromEntries(
      rows("member(organisation)").map((entry) => [entry, "managers work on it"]),
    );
    const { problems } = await (await widened(older)).generate();
    expect(problems[0]?.details).toContain(JSON.stringify(id));
  });

  test("an entry for another definition is stale, and names the one that is there", async () => {
    const made = await widened({
      [`member(organisations): ${managers}`]: "managers work on it",
      "membr(organisations): x": "it is known",
    });
    const { diagnostics } = await made.generate();
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ["stale-acknowledgement", `did you mean "${id}"?`],
      ["stale-acknowledgement", "remove the entry"],
    ]);
  });

  test("names conditions that come, go or get another name", async () => {
    const made = project(tracker({ conditions: { member: managers, gone: "state = 'a'" } }));
    await made.generate();
    made.write(
      "models/models.json",
      tracker({ conditions: { belongs: managers, fresh: "state = 'b'" }, rule: "belongs(organisation)" }),
    );
    const result = await made.generate();
    const report = result.report === null ? "" : printReport(result.report, "wrote");
    expect(report).toContain(
      "conditions added: fresh\nconditions removed: gone\nconditions renamed: member → belongs\n",
    );
    expect(printMarkdown(result)).toContain(
      "### Conditions\n\n- added `fresh`\n- removed `gone`\n- renamed `member → belongs`\n",
    );
  });
});
