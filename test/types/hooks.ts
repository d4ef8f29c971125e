/** What a hook file compiles. */

import { defineGraphqlHooks, defineHooks, type Hooks } from "#runtime/hooks/index";

interface Types {
  row: { id: number; title: string };
  /** Of a model whose hooks do not declare `fills`. */
  create: Partial<{ title: string }>;
  update: { title?: string };
  upsert: Partial<{ title: string; id: number }>;
  where: { title?: string };
  order: "title";
  selection: readonly "title"[];
}

type ThingsHooks = Hooks<Types>;

const before_create: ThingsHooks["before_create"] = (record, { principal, transaction }) => {
  // @ts-expect-error required fields can still be missing
  record.title.trim();
  record.title = principal.role;
  transaction.raw("select 1");
};

const after_fetch: ThingsHooks["after_fetch"] = async (rows, context) => {
  // @ts-expect-error reads have no transaction
  context.transaction;
  return rows.slice(0, 1);
};

const after_destroy: ThingsHooks["after_destroy"] = async ({ destroyed_ids }, { storage }) => {
  for (const id of destroyed_ids) await storage.remove(`things/${id}.jpg`, { with_thumbnails: true });
  const { url, size } = await storage.put("a.txt", new Uint8Array(8), { overwrite: true });
  // @ts-expect-error a link is a text
  url.path;
  // @ts-expect-error neither text nor bytes nor a stream
  await storage.put("a.txt", { size });
  // @ts-expect-error seconds are a number
  await storage.url("a.txt", { expires: "60" });
  // @ts-expect-error storage checks no access rules
  await storage.remove("a.txt", { as: "caller" });
};

const before_fetch: ThingsHooks["before_fetch"] = (_query, { monitoring }) => {
  const names = { agent: "a", model: "m", provider: "p" };
  const counts = { input_tokens: 1, output_tokens: 2, cost_usd: 0.1, duration_ms: 5, turns: 1 };
  monitoring.aiRun({ ...names, ...counts, status: "completed" });
  const tool_calls = [{ tool: "t", duration_ms: 1, status: "failed", error_message: "no" }] as const;
  monitoring.aiRun({ ...names, ...counts, status: "failed", run_id: "r", tool_calls });
  // @ts-expect-error the cost is missing
  // biome-ignore format: many a line
  monitoring.aiRun({
    ...names, input_tokens: 1, output_tokens: 2, duration_ms: 5, turns: 1, status: "failed",
  });
  // @ts-expect-error a run is not "ok"
  monitoring.aiRun({ ...names, ...counts, status: "ok" });
  // @ts-expect-error no prompt is recorded
  monitoring.aiRun({ ...names, ...counts, status: "completed", prompt: "Write a poem." });
  monitoring.mcpCall({ server: "s", tool: "t", status: "asked", confirmation: "accepted", duration_ms: 3 });
  // @ts-expect-error a duration is a number
  monitoring.mcpCall({ server: "s", tool: "t", status: "ok", duration_ms: "3" });
};

export const hooks = defineHooks<ThingsHooks>()({ before_create, before_fetch, after_fetch, after_destroy });

// @ts-expect-error there is no such hook
export const unknownHook = defineHooks<ThingsHooks>()({ before_creat: before_create });
// @ts-expect-error the hook of another operation
export const swapped = defineHooks<ThingsHooks>()({ before_create: after_fetch });

/** Of a model whose hooks declare that they fill in `code`, only in a create. */
interface FilledTypes extends Types {
  create: { title: string; code?: string };
  upsert: { title: string; code: string; id?: number };
}

type FilledHooks = Hooks<FilledTypes>;

const filling: FilledHooks["before_create"] = (record) => {
  record.title.trim();
  // @ts-expect-error the fields that the hook fills in can be missing
  record.code.trim();
  record.code = record.title;
};
const storing: FilledHooks["before_upsert"] = (record) => {
  record.code.trim();
  // @ts-expect-error an id is a number
  record.id = "5";
  return { title: record.title };
};

const fills = { before_create: ["code"], before_upsert: [] } as const satisfies FilledHooks["fills"];
export const filled = defineHooks<FilledHooks>()({ before_create: filling, before_upsert: storing, fills });
// @ts-expect-error `fills` is not a hook, and is not among them
filled.fills;
/** One function may be both, though they fill in different fields. */
export const both = defineHooks<FilledHooks>()({ before_create: filling, before_upsert: filling, fills });

export const unknownField = defineHooks<FilledHooks>()({
  before_create: filling,
  // @ts-expect-error there is no such field
  fills: { before_create: ["cod"] },
});
const misspelt = { before_create: ["code"], before_upsrt: ["code"] } as const;
// @ts-expect-error there is no such hook
export const unknownKey = defineHooks<FilledHooks>()({ before_create: filling, fills: misspelt });
const elsewhere = { before_update: ["code"] } as const;
// @ts-expect-error a hook that gets no new record
export const otherHook = defineHooks<FilledHooks>()({ before_create: filling, fills: elsewhere });
const loose = { before_create: ["code"] };
// @ts-expect-error the fields of a list of arbitrary texts are unknown
export const looseList = defineHooks<FilledHooks>()({ before_create: filling, fills: loose });
// @ts-expect-error GraphQL has no records
export const ofGraphql = defineGraphqlHooks({ fills });

// @ts-expect-error a hook answers a value of the type it gets
export const wrongAnswer: ThingsHooks["before_create"] = () => ({ title: 5 });
