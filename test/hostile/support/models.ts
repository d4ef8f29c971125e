import type { ModelRoutes } from "#runtime/api/rest/index";
import { and, caller, eq } from "#runtime/models/access/index";
import {
  model,
  modelService,
  mounted,
  parent,
  policyOf,
  rulesFor,
  sameRules,
  type World,
  type WorldOptions,
} from "../../support/model-service.ts";

/** A field of every kind; everybody may do everything. */
export const things = model(
  "things",
  {
    name: { kind: "string", nullable: true, searchable: true },
    note: { kind: "text", nullable: true, searchable: true },
    mail: "email?",
    count: "integer?",
    big: "bigint?",
    ratio: "float?",
    flag: "boolean?",
    at: "datetime?",
    day: "date?",
    doc: "json?",
    ref: "uuid?",
    color: { kind: "string", nullable: true, enum: ["red", "green", "blue, dark", "it's"] },
    size: { kind: "integer", nullable: true, enum: [1, 2, 30] },
  },
  { softDelete: true, maxLimit: 40 },
);

export const folders = model(
  "folders",
  { owner_id: "bigint", label: "string?", open: { kind: "boolean", default: true } },
  { softDelete: true },
);

/** Owned rows with fields that few may read or write. */
export const papers = model(
  "papers",
  {
    owner_id: "bigint",
    title: { kind: "string", searchable: true, minLength: 1, maxLength: 80, pattern: "^((a+)+b|[^a].*)$" },
    code: "string?",
    state: { kind: "string", enum: ["draft", "final"], default: "draft" },
    mail: "email?",
    secret: { kind: "text", nullable: true, searchable: true },
    grade: { kind: "integer", nullable: true, enum: [1, 2, 3] },
    pin: { kind: "password", nullable: true, minLength: 4 },
    doc: "json?",
  },
  { softDelete: true, unique: [["code"]] },
);

/** Rows that belong to whom their folder belongs to. The rules of each operation differ. */
export const slips = model(
  "slips",
  {
    folder_id: "bigint",
    code: { kind: "string", minLength: 1 },
    mail: "email?",
    amount: { kind: "integer", default: 0 },
  },
  { id: "uuid", unique: [["code"]], relations: { folder: parent("folders", "folder_id") } },
);

/** Never mounted. */
const vaults = model("vaults", { content: "string" });

const mine = eq("owner_id", caller.user_id);
const myDraft = and(mine, eq("state", "draft"));
const myFolder = eq("folder.owner_id", caller.user_id);

const paperPolicy = policyOf({
  ...rulesFor("fetch search count exists create upsert", { user: mine, clerk: true, admin: true }),
  ...rulesFor("update restore", { user: myDraft, clerk: true, admin: true }),
  delete: { user: mine, admin: true },
  destroy: { user: myDraft, admin: true },
  fields: {
    secret: { read: ["admin"], write: ["admin", "clerk"] },
    grade: { read: ["admin"], write: ["admin"] },
    mail: { write: ["admin"] },
  },
});

const slipPolicy = policyOf({
  ...rulesFor("fetch count exists", { user: myFolder, admin: true }),
  ...rulesFor("create update upsert destroy", { user: and(myFolder, eq("folder.open", true)), admin: true }),
  delete: { user: true, admin: true },
});

/** Each model has its own: plans are remembered by policy. */
const everyone = () => sameRules({ "*": true });

export const allModels: readonly ModelRoutes[] = [
  mounted(things, everyone()),
  mounted(folders, everyone()),
  mounted(papers, paperPolicy),
  mounted(slips, slipPolicy),
];

/** A running service on a database of its own, with these models. */
export function startWorld({
  models = allModels,
  ...options
}: WorldOptions & { readonly models?: readonly ModelRoutes[] } = {}): Promise<World> {
  return modelService(models, { internalModels: [vaults], ...options });
}

/** What no caller may ever be told: SQL, names of the database's own, stacks. */
export const internals =
  /\bselect\b.*\bfrom\b|insert into|delete from|update .* set |syntax error|relation "|column "|violates|constraint |code_key\b|_fkey\b|_pkey\b|node_modules|\.ts:\d|\\n +at |pg_|PostgreSQL|SQLSTATE|undefined|\[object|duplicate key|invalid input|TypeError|RangeError|_admitted|_insertable/i;
