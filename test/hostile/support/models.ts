import { and, caller, definePolicy, eq, type PolicyLiteral } from "#runtime/access/index";
import { defineModel, defineValidators, type Model, type Validators } from "#runtime/model/index";
import { crud, guard, input, type ModelRoutes, modelRoutes, route } from "#runtime/rest/index";

/** A field of every kind; everybody may do everything. */
export const things = defineModel({
  key: "things",
  typeName: "Things",
  table: "things",
  slug: "things",
  id: "bigint",
  softDelete: true,
  maxLimit: 40,
  fields: {
    name: { kind: "string", nullable: true, searchable: true },
    note: { kind: "text", nullable: true, searchable: true },
    mail: { kind: "email", nullable: true },
    count: { kind: "integer", nullable: true },
    big: { kind: "bigint", nullable: true },
    ratio: { kind: "float", nullable: true },
    flag: { kind: "boolean", nullable: true },
    at: { kind: "datetime", nullable: true },
    day: { kind: "date", nullable: true },
    doc: { kind: "json", nullable: true },
    ref: { kind: "uuid", nullable: true },
    color: { kind: "string", nullable: true, enum: ["red", "green", "blue, dark", "it's"] },
    size: { kind: "integer", nullable: true, enum: [1, 2, 30] },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

const thingProperties = {
  name: { type: ["string", "null"], maxLength: 255 },
  note: { type: ["string", "null"] },
  mail: { type: ["string", "null"], format: "email" },
  count: { type: ["integer", "null"], format: "int32" },
  big: { type: ["integer", "null"], format: "int64" },
  ratio: { type: ["number", "null"] },
  flag: { type: ["boolean", "null"] },
  at: { type: ["string", "null"], format: "datetime" },
  day: { type: ["string", "null"], format: "date" },
  doc: {},
  ref: { type: ["string", "null"], format: "uuid" },
  color: { enum: ["red", "green", "blue, dark", "it's", null] },
  size: { enum: [1, 2, 30, null] },
};

export const folders = defineModel({
  key: "folders",
  typeName: "Folders",
  table: "folders",
  slug: "folders",
  id: "bigint",
  softDelete: true,
  maxLimit: 100,
  fields: {
    owner_id: { kind: "bigint" },
    label: { kind: "string", nullable: true },
    open: { kind: "boolean", default: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

const folderProperties = {
  owner_id: { type: "integer", format: "int64" },
  label: { type: ["string", "null"], maxLength: 255 },
  open: { type: "boolean" },
};

/** Owned rows with fields that few may read or write. */
export const papers = defineModel({
  key: "papers",
  typeName: "Papers",
  table: "papers",
  slug: "papers",
  id: "bigint",
  softDelete: true,
  maxLimit: 100,
  fields: {
    owner_id: { kind: "bigint" },
    title: { kind: "string", searchable: true },
    code: { kind: "string", nullable: true },
    state: { kind: "string", enum: ["draft", "final"], default: "draft" },
    mail: { kind: "email", nullable: true },
    secret: { kind: "text", nullable: true, searchable: true },
    grade: { kind: "integer", nullable: true, enum: [1, 2, 3] },
    pin: { kind: "password", nullable: true },
    doc: { kind: "json", nullable: true },
  },
  relations: {},
  uniqueKeys: [{ name: "papers_code_key", fields: ["code"] }],
  foreignKeys: [],
});

const paperProperties = {
  owner_id: { type: "integer", format: "int64" },
  title: { type: "string", minLength: 1, maxLength: 80, pattern: "^((a+)+b|[^a].*)$" },
  code: { type: ["string", "null"], maxLength: 255 },
  state: { enum: ["draft", "final"] },
  mail: { type: ["string", "null"], format: "email" },
  secret: { type: ["string", "null"] },
  grade: { enum: [1, 2, 3, null] },
  pin: { type: ["string", "null"], format: "password", minLength: 4 },
  doc: {},
};

/** Rows that belong to whom their folder belongs to. The rules of each operation differ. */
export const slips = defineModel({
  key: "slips",
  typeName: "Slips",
  table: "slips",
  slug: "slips",
  id: "uuid",
  softDelete: false,
  maxLimit: 100,
  fields: {
    folder_id: { kind: "bigint" },
    code: { kind: "string" },
    mail: { kind: "email", nullable: true },
    amount: { kind: "integer", default: 0 },
  },
  relations: { folder: { kind: "belongs_to", field: "folder_id", model: "folders", references: "id" } },
  uniqueKeys: [{ name: "slips_code_key", fields: ["code"] }],
  foreignKeys: [{ name: "slips_folder_id_fkey", field: "folder_id" }],
});

const slipProperties = {
  folder_id: { type: "integer", format: "int64" },
  code: { type: "string", minLength: 1, maxLength: 255 },
  mail: { type: ["string", "null"], format: "email" },
  amount: { type: "integer", format: "int32" },
};

/** Never mounted. */
export const vaults = defineModel({
  key: "vaults",
  typeName: "Vaults",
  table: "vaults",
  slug: "vaults",
  id: "bigint",
  softDelete: false,
  maxLimit: 100,
  fields: { content: { kind: "string" } },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

const everyone = { "*": true } as const;
const mine = eq("owner_id", caller.user_id);
const myDraft = and(mine, eq("state", "draft"));
const mineOrStaff = { user: mine, clerk: true, admin: true } as const;
const myDraftOrStaff = { user: myDraft, clerk: true, admin: true } as const;
const myFolder = eq("folder.owner_id", caller.user_id);
const myOpenFolder = { user: and(myFolder, eq("folder.open", true)), admin: true } as const;

type Rules = PolicyLiteral<never>;

const thingRules: Rules = {
  fetch: everyone,
  search: everyone,
  count: everyone,
  exists: everyone,
  create: everyone,
  update: everyone,
  upsert: everyone,
  delete: everyone,
  destroy: everyone,
  restore: everyone,
  fields: {},
};

export const paperPolicy = definePolicy<Model>({
  fetch: mineOrStaff,
  search: mineOrStaff,
  count: mineOrStaff,
  exists: mineOrStaff,
  create: mineOrStaff,
  update: myDraftOrStaff,
  upsert: mineOrStaff,
  delete: { user: mine, admin: true },
  destroy: { user: myDraft, admin: true },
  restore: myDraftOrStaff,
  fields: {
    secret: { read: ["admin"], write: ["admin", "clerk"] },
    grade: { read: ["admin"], write: ["admin"] },
    mail: { write: ["admin"] },
  },
});

export const slipPolicy = definePolicy<Model>({
  fetch: { user: myFolder, admin: true },
  search: {},
  count: { user: myFolder, admin: true },
  exists: { user: myFolder, admin: true },
  create: myOpenFolder,
  update: myOpenFolder,
  upsert: myOpenFolder,
  delete: { user: true, admin: true },
  destroy: myOpenFolder,
  restore: {},
  fields: {},
});

/** A model with all of its routes, as the generator writes them. */
export function mounted(
  model: Model,
  policy: ReturnType<typeof definePolicy>,
  validators: Validators,
): ModelRoutes {
  return modelRoutes({ model, policy, validators }, [
    route.get("/fetch", guard(policy.fetch), input.list, crud.fetch),
    route.get("/search", guard(policy.search), input.search, crud.search),
    route.get("/count", guard(policy.count), input.filter, crud.count),
    route.get("/exists", guard(policy.exists), input.requiredFilter, crud.exists),
    route.post("/create", guard(policy.create), input.records, crud.create),
    route.put("/update", guard(policy.update), input.changes, crud.update),
    route.put("/upsert", guard(policy.upsert), input.record, crud.upsert),
    route.delete("/delete", guard(policy.delete), input.removal, crud.delete),
    route.delete("/destroy", guard(policy.destroy), input.removal, crud.destroy),
    ...(model.softDelete
      ? [route.patch("/restore", guard(policy.restore), input.restoration, crud.restore)]
      : []),
  ]);
}

/** The JSON Schemas of a model with these properties, all but the required ones optional. */
export function schemas(model: Model, properties: Record<string, object>, required: string[]): Validators {
  const id = model.id === "uuid" ? { type: "string", format: "uuid" } : { type: "integer", format: "int64" };
  return defineValidators({
    create: { required, properties: model.id === "uuid" ? { id, ...properties } : properties },
    update: { properties },
    upsert: { required, properties: { id, ...properties } },
  });
}

export const allModels: readonly ModelRoutes[] = [
  mounted(things, definePolicy<Model>(thingRules), schemas(things, thingProperties, [])),
  mounted(folders, definePolicy<Model>(thingRules), schemas(folders, folderProperties, ["owner_id"])),
  mounted(papers, paperPolicy, schemas(papers, paperProperties, ["owner_id", "title"])),
  mounted(slips, slipPolicy, schemas(slips, slipProperties, ["folder_id", "code"])),
];

export const vaultPolicy = definePolicy<Model>(thingRules);

const stamps = `created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()`;
const serial = "id bigint generated by default as identity primary key";

/** The tables, written by hand. */
export const tables = `
  create table things (${serial}, name varchar(255), note text, mail text, count int4, big int8, ratio float8,
    flag boolean, at timestamptz(3), day date, doc jsonb, ref uuid, color varchar(255), size int4,
    ${stamps}, deleted_at timestamptz(3));
  create table folders (${serial}, owner_id int8 not null, label varchar(255), open boolean not null default true,
    ${stamps}, deleted_at timestamptz(3));
  create table papers (${serial}, owner_id int8 not null, title varchar(80) not null, code varchar(255),
    state varchar(255) not null default 'draft', mail text, secret text, grade int4, pin text, doc jsonb,
    ${stamps}, deleted_at timestamptz(3));
  create unique index papers_code_key on papers (code) where deleted_at is null;
  create table slips (id uuid primary key default gen_random_uuid(),
    folder_id int8 not null constraint slips_folder_id_fkey references folders (id),
    code varchar(255) not null, mail text, amount int4 not null default 0, ${stamps});
  create unique index slips_code_key on slips (code);
  create table vaults (${serial}, content varchar(255) not null, ${stamps});
`;
