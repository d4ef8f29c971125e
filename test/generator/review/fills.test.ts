import { expect, test } from "vitest";
import { loadFiles } from "../load/load-text.ts";
import { project } from "../support/project.ts";
import { noticed } from "./changes-between.ts";

interface Side {
  /** Of the field `slug`. */
  readonly field?: object | null;
  readonly access?: object;
  /** The text of `fills`; null if hooks do not declare it, undefined without hooks. */
  readonly fills?: string | null;
}

const required = { type: "string", required: true };
const admin = [{ role: "admin" }];
const hooks = "export const before_create = () => {};\nexport const before_upsert = () => {};\n";

async function definitionOf({ field = required, access = { create: admin, upsert: admin }, fills }: Side) {
  const fields = { title: { type: "string" }, ...(field === null ? {} : { slug: field }) };
  const said = fills === null ? "" : `export const fills = ${fills} as const;\n`;
  const { definition, diagnostics } = await loadFiles({
    "models.json": { books: { fields, access } },
    ...(fills !== undefined && { "hooks/books.ts": `${said}${hooks}` }),
  });
  if (definition === null) throw new Error(JSON.stringify(diagnostics));
  return definition;
}

const both = '{ before_create: ["slug"], before_upsert: ["slug"] }';
const create = '{ before_create: ["slug"] }';
const upsert = '{ before_upsert: ["slug"] }';
const nowIn = (operations: string) => `books.slug is required now in ${operations} (anyone who omits it)`;
const now = nowIn("create, upsert");
const isNew = "books.slug is new and required in";
const notNull = "books.slug cannot be null any more (anyone who sends null)";

// biome-ignore format: one case a line
test.each<[string, Side, Side, string[]]>([
  ["what stays filled in", { fills: both }, { fills: both }, []],
  ["what is not filled in any more", { fills: both }, { fills: "{}" }, [now]],
  ["a hook that goes", { fills: both }, {}, [now]],
  ["one of two", { fills: both }, { fills: upsert }, [nowIn("create")]],
  ["one for the other", { fills: create }, { fills: upsert }, [nowIn("create")]],
  ["one that comes", { fills: create }, { fills: both }, []],
  ["the other one, which was never filled in", { fills: create }, { fills: "{}" }, [nowIn("create")]],
  ["of an operation without roles", { fills: both, access: { create: admin, upsert: [] } },
    { fills: create, access: { create: admin, upsert: [] } }, []],
  ["a hook that says what it fills in", { fills: null }, { fills: both }, []],
  ["a hook that says that it does not", { fills: null }, { fills: create }, [nowIn("upsert")]],
  ["a hook that says that it fills in nothing", { fills: null }, { fills: "{}" }, [now]],
  ["a hook that goes, and never said it", { fills: null }, {}, [now]],
  ["a hook that does not say it any more", { fills: both }, { fills: null }, []],
  ["an undeclared hook of a field that clients sent", {}, { fills: null }, []],
  ["a hook that comes", {}, { fills: both }, []],
  ["a field that becomes required", { field: { type: "string" } }, { fills: "{}" },
    [now, notNull]],
  ["one that is filled in", { field: { type: "string" } }, { fills: both }, [notNull]],
  ["one of an undeclared hook, which may fill it in", { field: { type: "string" }, fills: null }, { fills: null }, [notNull]],
  ["a new field", { field: null }, { fills: "{}" }, [`${isNew} create, upsert (anyone who omits it)`]],
  ["a new field that is filled in", { field: null }, { fills: both }, []],
  ["a new field that one hook fills in", { field: null }, { fills: create }, [`${isNew} upsert (anyone who omits it)`]],
])("%s", async (_, before, after, expected) => {
  const [was, is] = [await definitionOf(before), await definitionOf(after)];
  expect(noticed(was, is)).toEqual(expected);
});

test("the proposal to say what a hook fills in is shown, and fails neither --lint nor --check", async () => {
  const made = project({
    books: { fields: { title: { type: "string", required: true } }, access: { create: admin, upsert: [] } },
  });
  made.write("models/hooks/books.ts", "export const before_create = () => {};\n");
  await made.generate();
  for (const mode of ["lint", "check"] as const)
    expect(await made.generate({ mode })).toMatchObject({
      exitCode: 0,
      diagnostics: [{ code: "prefer-fills" }],
      problems: [],
    });
});
