import { describe, expect, test } from "vitest";
import { type AccessChanges, unacknowledged } from "#generator/review/access/access-changes";
import { openedRowsText, pathText, pathWords, rowsNotes } from "#generator/review/access/access-text";
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
const hasMany = (model: string, foreign_key: string, type = "has_many") => ({
  type,
  relationship: { model, foreign_key },
});
const members =
  "EXISTS (project.organisation.memberships WHERE user_id = {user_id} AND role IN ('owner', 'admin'))";

/** Each model has a role with access. */
const reached = { access: { create: [{ role: "admin" }] } };

interface Parts {
  readonly condition?: string;
  readonly tasks?: object;
  readonly projects?: object;
  readonly organisations?: object;
  readonly memberships?: object;
  readonly more?: object;
}

/** A tracker of several tenants: tasks of projects of organisations, which have members. */
function tracker({
  condition = members,
  tasks,
  projects,
  organisations,
  memberships,
  more = {},
}: Parts = {}) {
  // biome-ignore format: many a line
  return {
    tasks: {
      fields: {
        title: { ...text, index: true }, state: text, project_id: belongsTo("projects"),
        other_id: belongsTo("projects"), ...tasks,
      },
      access: { fetch: [{ role: "user", condition }] },
    },
    projects: {
      fields: {
        name: text, labels: { type: "string[]" }, organisation_id: belongsTo("organisations"),
        client_id: belongsTo("organisations"),
      },
      ...reached, ...projects,
    },
    organisations: {
      fields: { name: text, memberships: hasMany("memberships", "organisation_id") }, soft_delete: true,
      ...reached, ...organisations,
    },
    memberships: {
      fields: {
        organisation_id: belongsTo("organisations"), guest_of_id: belongsTo("organisations"),
        user_id: { type: "integer", index: true }, role: text,
      },
      soft_delete: true, ...reached, ...memberships,
    },
    ...more,
  };
}

/** What has to be acknowledged. */
const ids = (changes: AccessChanges) => unacknowledged(changes).map(({ id }) => id);
const since = async (before: Parts, after: Parts) =>
  ids(await accessBetween(tracker(before), tracker(after)));
const rows = (condition: string) => `tasks.fetch to user: ${condition}`;

describe("conditions over relations that change", () => {
  const exists = (where: string) => `EXISTS (project.organisation.memberships WHERE ${where})`;
  const mine = "user_id = {user_id}";
  // biome-ignore format: one case a line
  test.each<[string, string, string, "wider" | "not wider"]>([
    ["nothing changes", members, members, "not wider"],
    ["a role less", exists(`${mine} AND role IN ('owner', 'admin')`), exists(`${mine} AND role = 'owner'`), "not wider"],
    ["a role more", exists(`${mine} AND role = 'owner'`), exists(`${mine} AND role IN ('owner', 'admin')`), "wider"],
    ["a demand more", exists(mine), exists(`${mine} AND role = 'owner'`), "not wider"],
    ["a demand less", exists(`${mine} AND role = 'owner'`), exists(mine), "wider"],
    ["no demand at all", exists(mine), "EXISTS (project.organisation.memberships)", "wider"],
    ["a demand where there was none", "EXISTS (project.organisation.memberships)", exists(mine), "not wider"],
    ["EXISTS of one of two as one of two EXISTS", exists(`${mine} OR role = 'all'`), `${exists(mine)} OR ${exists("role = 'all'")}`, "not wider"],
    ["one of two EXISTS as EXISTS of one of two", `${exists(mine)} OR ${exists("role = 'all'")}`, exists(`${mine} OR role = 'all'`), "not wider"],
    ["two rows in the place of one", exists(`${mine} AND role = 'owner'`), `${exists(mine)} AND ${exists("role = 'owner'")}`, "wider"],
    ["one row in the place of two", `${exists(mine)} AND ${exists("role = 'owner'")}`, exists(`${mine} AND role = 'owner'`), "not wider"],
    ["NOT EXISTS with a demand less", `NOT ${exists(`${mine} AND role = 'banned'`)}`, `NOT ${exists(mine)}`, "not wider"],
    ["NOT EXISTS with a demand more", `NOT ${exists(mine)}`, `NOT ${exists(`${mine} AND role = 'banned'`)}`, "wider"],
    ["NOT EXISTS of one of two", `NOT ${exists(mine)} AND NOT ${exists("role = 'a'")}`, `NOT ${exists(`role = 'a' OR ${mine}`)}`, "not wider"],
    ["EXISTS within EXISTS, with a demand more", exists("EXISTS (organisation.memberships)"),
      exists("EXISTS (organisation.memberships WHERE role = 'a')"), "not wider"],
    ["NOT EXISTS within EXISTS, with a demand more", exists("NOT EXISTS (organisation.memberships)"),
      exists("NOT EXISTS (organisation.memberships WHERE role = 'a')"), "wider"],
    ["EXISTS within NOT EXISTS, with a demand more", `NOT ${exists("EXISTS (organisation.memberships)")}`,
      `NOT ${exists("EXISTS (organisation.memberships WHERE role = 'a')")}`, "wider"],
    ["the row itself in the place of the one at hand", exists("role = this.title"), exists("role = role"), "wider"],
    ["two fields the other way round", "title = state AND project.name < other.name", "other.name > project.name AND state = title", "not wider"],
    ["two fields, one of them another", "project.name < other.name", "project.name < title", "wider"],
    ["another path", "project.name = 'a'", "other.name = 'a'", "wider"],
    ["a shorter span", "created_at > now() - interval '15 minutes'", "created_at > now() - interval '600 seconds'", "not wider"],
    ["a longer span", "created_at > now() - interval '15 minutes'", "created_at > now() - interval '1 hour'", "wider"],
    ["as long a span in another unit", "created_at > now() - interval '2 days'", "created_at > now() - interval '48 hours'", "not wider"],
    ["a span the other way", "created_at < now() - interval '1 hour'", "created_at < now() - interval '2 hours'", "not wider"],
    ["a span that makes the bound earlier", "created_at < now() - interval '2 hours'", "created_at < now() - interval '1 hour'", "wider"],
    ["a stricter sign", "now() <= created_at", "created_at > now()", "not wider"],
    ["a weaker sign", "created_at > now()", "created_at >= now() + interval '1 second'", "wider"],
    ["another column of the caller", "title = {user.role}", "state = {user.role}", "wider"],
    ["the caller's column on the other side", "title = {user.role}", "{user.role} = title", "not wider"],
    ["a claim in the place of a column of the caller", "title = {user.role}", "title = {role}", "wider"],
    ["a demand on the caller more", "title = 'a'", "title = 'a' AND {user.is_active} = true", "not wider"],
    ["a demand on the caller less", "title = 'a' AND {user.is_active} = true", "title = 'a'", "wider"],
  ])("%s", async (_, before, after, outcome) => {
    const found = await since({ condition: before }, { condition: after });
    expect(found.length > 0 ? "wider" : "not wider").toBe(outcome);
  });
});

describe("relations that change under a condition that does not", () => {
  const away = ", projects.client_id > organisations.id (live)";
  const path = (hops: string) => `tasks path project.organisation.memberships: ${hops}`;
  const first = "tasks.project_id > projects.id";
  const second = " > organisations.id (live)";
  const third = " < memberships.organisation_id (live)";
  const outsiders = {
    fields: { organisation_id: belongsTo("organisations"), user_id: { type: "integer" }, role: text },
    soft_delete: true,
  };

  test("a has_many by another foreign key", async () => {
    const organisations = { fields: { name: text, memberships: hasMany("memberships", "guest_of_id") } };
    expect(await since({}, { organisations })).toEqual([
      path(`${first}${second} < memberships.guest_of_id (live)`),
    ]);
  });

  test("a has_many of another model", async () => {
    const organisations = { fields: { name: text, memberships: hasMany("outsiders", "organisation_id") } };
    const more = { outsiders };
    expect(await since({ more }, { organisations, more })).toEqual([
      path(`${first}${second} < outsiders.organisation_id (live)`),
    ]);
  });

  test("a has_many that becomes a has_one", async () => {
    const key = { ...belongsTo("organisations"), unique: true };
    const memberships = { fields: { organisation_id: key, user_id: { type: "integer" }, role: text } };
    const organisations = {
      fields: { name: text, memberships: hasMany("memberships", "organisation_id", "has_one") },
    };
    expect(await since({ memberships }, { memberships, organisations })).toEqual([
      path(`${first}${second} < memberships.organisation_id (first, live)`),
    ]);
  });

  test("a belongs_to on the way by another foreign key, under the name of the one that had it", async () => {
    const fields = {
      name: text,
      owner_id: belongsTo("organisations", { renamed_from: "organisation_id" }),
      organisation: belongsTo("organisations", { renamed_from: "client_id" }),
    };
    expect(await since({}, { projects: { fields } })).toEqual([
      path(`${first}${away.replace("client_id", "organisation")}${third}`),
    ]);
  });

  test("a belongs_to to another model", async () => {
    const companies = {
      fields: { name: text, memberships: hasMany("memberships", "company_id") },
      soft_delete: true,
    };
    const memberships = {
      fields: {
        organisation_id: belongsTo("organisations"),
        company_id: belongsTo("companies"),
        user_id: { type: "integer" },
        role: text,
      },
    };
    const fields = { name: text, organisation_id: belongsTo("companies") };
    expect(
      await since(
        { more: { companies }, memberships },
        { more: { companies }, memberships, projects: { fields } },
      ),
    ).toEqual([path(`${first} > companies.id (live) < memberships.company_id (live)`)]);
  });

  test.each(["memberships", "organisations"] as const)(
    "soft_delete that goes from %s on the way",
    async (model) => {
      const hops = {
        memberships: `${first}${second} < memberships.organisation_id`,
        organisations: `${first} > organisations.id${third}`,
      };
      const after = { [model]: { soft_delete: false } };
      expect(await since({}, after)).toEqual([path(hops[model])]);
      // More rows count, so that fewer have none.
      const not = { condition: `NOT ${members}` };
      expect(await since(not, { ...not, ...after })).toEqual([]);
    },
  );

  test.each(["memberships", "organisations"] as const)(
    "soft_delete that %s on the way get",
    async (model) => {
      const before = { [model]: { soft_delete: false } };
      expect(await since(before, {})).toEqual([]);
      const not = { condition: `NOT ${members}` };
      expect(await since({ ...not, ...before }, not)).toEqual([path(`${first}${second}${third}`)]);
    },
  );

  test("soft_delete of a parent counts for comparisons with its fields, and the other way round for IS NULL", async () => {
    const [with_, without] = [{ soft_delete: true }, { soft_delete: false }];
    const on = (condition: string, parts: object) => ({
      condition,
      projects: { fields: { name: text }, ...parts },
    });
    const wide = ["tasks path project: tasks.project_id > projects.id"];
    const live = ["tasks path project: tasks.project_id > projects.id (live)"];
    for (const condition of [
      "project.name = 'a'",
      "NOT (project.name LIKE 'a')",
      "project.name IS NOT NULL",
      "title < project.name",
    ]) {
      expect(await since(on(condition, with_), on(condition, without))).toEqual(wide);
      expect(await since(on(condition, without), on(condition, with_))).toEqual([]);
    }
    expect(await since(on("project.name IS NULL", with_), on("project.name IS NULL", without))).toEqual([]);
    expect(await since(on("project.name IS NULL", without), on("project.name IS NULL", with_))).toEqual(live);
  });

  test("the first of several is another one where others do not count any more", async () => {
    const condition = "EXISTS (detail WHERE role = 'a')";
    const detail = { detail: hasMany("details", "task_id", "has_one") };
    const details = (soft_delete: boolean) => ({
      details: { fields: { task_id: { ...belongsTo("tasks"), unique: true }, role: text }, soft_delete },
    });
    const on = (soft_delete: boolean) => ({ condition, tasks: detail, more: details(soft_delete) });
    expect(await since(on(true), on(false))).toHaveLength(1);
    expect(await since(on(false), on(true))).toHaveLength(1);
  });

  test("one path in many rules is one entry, which tells what goes there", async () => {
    const access = {
      fetch: [{ role: "user", condition: members }],
      update: [{ role: "user", condition: `title = 'a' AND ${members}` }],
    };
    const models = (parts: Parts) => {
      const made = tracker(parts);
      return { ...made, tasks: { ...made.tasks, access } };
    };
    const changes = await accessBetween(models({}), models({ memberships: { soft_delete: false } }));
    expect(ids(changes)).toEqual([path(`${first}${second} < memberships.organisation_id`)]);
    expect(changes.widenedPaths.map(pathWords)).toEqual(['"memberships" counts deleted rows now']);
    expect(changes.widenedPaths.map(pathText)).toEqual([
      `tasks: the path project.organisation.memberships of its rules leads by ${first}${second} < memberships.organisation_id; before: ${first}${second}${third}; it opens fetch, with count and exists, to user; update, with upsert:update, to user`,
    ]);
  });
});

describe("new names by themselves open nothing", () => {
  // biome-ignore format: one case a line
  const renamed: [string, Parts, Parts][] = [
    ["of a field in the condition", {}, { condition: members.replace("role IN", "rank IN"),
      memberships: { fields: { organisation_id: belongsTo("organisations"), guest_of_id: belongsTo("organisations"), user_id: { type: "integer" },
          rank: { ...text, renamed_from: "role" } },
      },
    }],
    ["of a foreign key on the way", {}, { condition: members.replace("project.organisation.", "project.firm."),
      projects: { fields: { name: text, firm_id: belongsTo("organisations", { renamed_from: "organisation_id" }), client_id: belongsTo("organisations") } },
    }],
    ["of the foreign key of a has_many", {}, { organisations: { fields: { name: text, memberships: hasMany("memberships", "firm_id") } },
      memberships: { fields: { firm_id: belongsTo("organisations", { renamed_from: "organisation_id" }), guest_of_id: belongsTo("organisations"),
          user_id: { type: "integer" }, role: text },
      },
    }],
    ["of a has_many", {}, { condition: members.replace("memberships", "people"),
      organisations: { fields: { name: text, people: hasMany("memberships", "organisation_id") } } }],
  ];
  test.each(renamed)("%s", async (_, before, after) => {
    expect(await since(before, after)).toEqual([]);
  });

  test("of models and tables on the way", async () => {
    const { organisations, memberships, projects, tasks } = tracker();
    // biome-ignore format: one case a line
    const moved = { tasks,
      projects: { ...projects, fields: { name: text, organisation_id: belongsTo("firms"), client_id: belongsTo("firms") } },
      firms: { ...organisations, renamed_from: "organisations", fields: { name: text, memberships: hasMany("members", "organisation_id") } },
      members: { ...memberships, renamed_from: "memberships",
        fields: { ...memberships.fields, organisation_id: belongsTo("firms"), guest_of_id: belongsTo("firms") } },
    };
    expect(ids(await accessBetween(tracker(), moved))).toEqual([]);
  });

  test("of columns of the caller", async () => {
    const users = (fields: object) => ({ users: { fields, access: {} } });
    const on = (column: string, field: object) => ({
      condition: `title = {user.${column}}`,
      more: users({ [column]: field }),
    });
    expect(await since(on("team", text), on("squad", { ...text, renamed_from: "team" }))).toEqual([]);
    expect(await since(on("team", text), { ...on("squad", text) })).toEqual([rows("title = {user.squad}")]);
  });
});

describe("the report", () => {
  const notes = async (before: Parts, after: Parts) => {
    const { widenedAccess } = await accessBetween(tracker(before), tracker(after));
    return widenedAccess.map((entry) => [
      openedRowsText(entry),
      rowsNotes(entry).words,
      ...rowsNotes(entry).unproven,
    ]);
  };

  test("describes the new and the former access in words, and names the sentence that could not be proven", async () => {
    const wide = "EXISTS (project.organisation.memberships WHERE user_id = {user_id})";
    expect(await notes({}, { condition: wide })).toEqual([
      [
        `tasks.fetch, with count and exists, opens the rows with ${wide} to user; before: the rows with ${members}`,
        "rows whose project's organisation has a membership of the caller; before: rows whose project's organisation has a membership of the caller with the role 'owner' or 'admin'",
        "that they fulfil EXISTS (project.organisation.memberships WHERE user_id = {user_id} AND role = 'owner'), or EXISTS (project.organisation.memberships WHERE user_id = {user_id} AND role = 'admin'), as before",
      ],
    ]);
  });

  const a = "project.name = 'a'";
  test.each<[string, string, string[]]>([
    [`${a} AND title = 'b'`, "title = 'b'", [a]],
    [`${a} AND title = 'b'`, "title = 'c'", [a, "title = 'b'"]],
    [`${a} AND title = 'b' OR state = 'c'`, "state = 'd'", ["state = 'c'"]],
    [`${a} OR title = 'b'`, "state = 'c'", [`${a}, or title = 'b'`]],
    [`${a} AND title = 'b' OR ${a} AND state = 'c'`, a, ["title = 'b', or state = 'c'"]],
    [`${a} AND state = 'c'`, "(title = 'x' OR state = 'c') AND title = title", ["state = 'c'", a]],
    [
      `project.name IN (${"abcdefghij".split("").map((each) => `'${each}'`)})`,
      "title = 'x'",
      [
        `${"abcdefgh"
          .split("")
          .map((each) => `project.name = '${each}'`)
          .join(", or ")}, or one of 2 more`,
      ],
    ],
  ])("%s before %s: names what is near, of each way that is open", async (before, condition, unproven) => {
    const [[, , ...found] = []] = await notes({ condition: before }, { condition });
    expect(found).toEqual(unproven.map((sentence) => `that they fulfil ${sentence}, as before`));
  });

  // biome-ignore format: one case a line
  test.each([
    ["project.organisation.name = 'a'", "whose project's organisation's name is 'a'"],
    ["NOT (project.name = 'a' OR title IS NULL)", "whose project's name is another than 'a' and whose title is not empty"],
    ["title = 'a' AND (project.name IN ('a', 'b', 'c') OR other.name NOT LIKE '%x')",
      "whose title is 'a' and (whose project's name is 'a', 'b' or 'c' or whose other's name is not like '%x')"],
    ["project.name = title AND project.created_at > now() - interval '15 minutes'",
      "whose project's name is its title and whose project's created_at is after 15 minutes ago"],
    ["project.created_at BETWEEN now() - interval '1 day' AND now()", "whose project's created_at is from 1 day ago to now"],
    ["project.name = {user.role} AND {user.is_active} = true", "whose project's name is the caller's role and where the caller's is_active is true"],
    ["project.name NOT IN ({email}, 'x''y')", "whose project's name is none of the caller's e-mail address or 'x''y'"],
    ["NOT EXISTS (project.organisation.memberships WHERE role = 'banned' AND {user_id} = user_id)",
      "whose project's organisation has no membership of the caller with the role 'banned'"],
    ["project.labels OVERLAPS ('a', {role}) AND NOT project.labels CONTAINS 'c'",
      "whose project's labels contain 'a' or the caller's role and whose project's labels do not contain 'c'"],
    ["EXISTS (project)", "that have a project"],
    ["EXISTS (project.organisation WHERE name LIKE 'a%')", "whose project has an organisation whose name is like 'a%'"],
    ["EXISTS (project WHERE EXISTS (organisation.memberships WHERE role = this.title OR user_id = {user_id}))",
      "that have a project whose organisation has a membership (whose role is the title of the row itself or whose user_id is the caller's id)"],
    ["EXISTS (project WHERE EXISTS (this.other WHERE name = 'a'))", "that have a project where the row itself has an other with the name 'a'"],
  ])("%s in words", async (condition, words) => {
    const [[, found] = []] = await notes({ condition: "state = 'none'" }, { condition });
    expect(found).toBe(`rows ${words}; before: rows whose state is 'none'`);
  });

  test("stands on the terminal, in the problem and in the markdown, and nothing in it is markup", async () => {
    const name = "<b>`@team`\u200b|_*";
    const made = project(tracker({ condition: "state = 'x'" }));
    await made.generate();
    made.write("models/models.json", tracker({ condition: `project.name = '${name}'` }));
    const result = await made.generate();
    const shown = "rows whose project's name is '<b>`@team`\\u200b|_*'";
    expect(result.problems[0]?.details).toContain(
      `\n    in words: ${shown}; before: rows whose state is 'x'\n`,
    );
    expect(result.problems[0]?.details).toContain(
      "\n    not proven: that they fulfil state = 'x', as before\n",
    );
    const report = result.report === null ? "" : printReport(result.report, "would write");
    expect(report).toContain(`\n    in words: ${shown}; before: rows whose state is 'x'\n`);
    expect(report).toContain("\n    not proven: that they fulfil state = 'x', as before\n");
    const markdown = printMarkdown(result);
    expect(markdown).toContain(` In words: \`\`${shown}; before: rows whose state is 'x'\`\`.`);
    expect(markdown).toContain(" Not proven: `that they fulfil state = 'x', as before`.");
  });

  test("conditions only on the row need no further words", async () => {
    expect(await notes({ condition: "state = 'a'" }, { condition: "state = 'b'" })).toEqual([
      [
        "tasks.fetch, with count and exists, opens the rows with state = 'b' to user; before: the rows with state = 'a'",
        null,
      ],
    ]);
  });
});

describe("an acknowledgement", () => {
  const file = "models/access-acknowledged.json";
  const changed = async (before: Parts, after: Parts, acknowledged: object = {}) => {
    const made = project(tracker(before));
    made.write(file, { acknowledged });
    await made.generate();
    made.write("models/models.json", tracker(after));
    return made;
  };
  const lines = (details: string | undefined) =>
    [...(details ?? "").matchAll(/^ {4}(".*"): "<why>",?$/gm)].map(([, id = '""']) => JSON.parse(id));

  // biome-ignore format: one case a line
  test.each([
    ["quotes, colons and parentheses", `EXISTS (project.organisation.memberships WHERE role = 'a: "b" to *: (c' AND user_id = {user_id})`],
    ["what ends a line of the matrix", "EXISTS (project WHERE name = '  reads all' AND organisation_id = client_id)"],
    ["two fields at the end", "title = 'x' AND project.name = title"],
    ["OR within EXISTS", "EXISTS (project WHERE name = 'a' OR organisation_id = client_id)"],
    ["a condition as long as they may be", `EXISTS (project WHERE name IN (${Array.from({ length: 300 }, (_, n) => `'v${n}'`).join(", ")}))`],
  ])("names a condition with %s, and lets it pass", async (_, condition) => {
    const made = await changed({ condition: "state = 'x'" }, { condition });
    expect(lines((await made.generate()).problems[0]?.details)).toEqual([rows(condition)]);
    made.write(file, { acknowledged: { [rows(condition)]: "members work on it" } });
    expect(await made.generate()).toMatchObject({ exitCode: 0, diagnostics: [], problems: [] });
    expect(await made.generate({ mode: "check" })).toMatchObject({ exitCode: 0, diagnostics: [] });
  });

  test("each part of an OR is named by itself, where the right side of a comparison is a field too", async () => {
    const parts = [
      "project.name = title",
      "EXISTS (project WHERE name = 'a' OR name = 'b')",
      "title = state",
    ];
    const made = await changed({ condition: "state = 'x'" }, { condition: parts.join(" OR ") });
    expect(lines((await made.generate()).problems[0]?.details)).toEqual(parts.map(rows));
  });

  test("that is stale, or nearly right, is answered with the one that was meant", async () => {
    const made = await changed({}, {});
    const meant = async (id: string) => {
      made.write(file, { acknowledged: { [id]: "members work on it" } });
      const { diagnostics } = await made.generate();
      return diagnostics.map(({ code, hint }) => [code, hint]);
    };
    const id = rows(members);
    for (const typed of [
      id.replace("'owner', 'admin'", "'admin', 'owner'"),
      id.replace("WHERE", "where"),
      id.replace("role IN", "rolle IN"),
    ])
      expect(await meant(typed)).toEqual([["stale-acknowledgement", `did you mean "${id}"?`]]);
    const path =
      "tasks path project.organisation.memberships: tasks.project_id > projects.id > organisations.id (live) < memberships.organisation_id (live)";
    expect(await meant(path)).toEqual([]);
    expect(await meant(path.replace("(live)", ""))).toMatchObject([
      ["unknown-acknowledgement", `did you mean "${path}"?`],
    ]);
    expect(await meant(path.replace("memberships.organisation_id", "memberships.guest_of_id"))).toEqual([
      ["stale-acknowledgement", `did you mean "${path}"?`],
    ]);
  });

  test("of a condition does not cover the later targets of its paths", async () => {
    const condition = "EXISTS (project.organisation.memberships WHERE user_id = {user_id})";
    const made = await changed({}, { condition }, {});
    made.write(file, { acknowledged: { [rows(condition)]: "all members work on it" } });
    expect((await made.generate()).exitCode).toBe(0);
    made.write("models/models.json", tracker({ condition, memberships: { soft_delete: false } }));
    const id =
      "tasks path project.organisation.memberships: tasks.project_id > projects.id > organisations.id (live) < memberships.organisation_id";
    const accepted = ["drop_column:memberships.deleted_at"];
    const stopped = await made.generate({ accepted });
    expect(lines(stopped.problems[0]?.details)).toEqual([id]);
    expect(stopped.report?.widenedAccess).toMatchObject([{ reason: null }]);
    made.write(file, {
      acknowledged: { [rows(condition)]: "all members work on it", [id]: "who left may look things up" },
    });
    const passed = await made.generate({ accepted });
    expect(passed).toMatchObject({ exitCode: 0, diagnostics: [], problems: [] });
    expect(passed.report?.widenedAccess).toMatchObject([{ reason: "who left may look things up" }]);
  });
});
