/** What a generated client compiles, and what it does not. `client-types.test.ts` compiles this file next to a client; nothing runs. */
import {
  type ApiError,
  browserStorage,
  type Client,
  createClient,
  isApiError,
  type Page,
  type Result,
  type Session,
  type Things,
  type ThingsCreate,
  type ThingsField,
  type ThingsUpdate,
  type ThingsWhere,
} from "./index.ts";

const client: Client = createClient({ url: "https://api.example.com", storage: browserStorage("app") });
/** Fails to compile unless the types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>) => {};

// Rows
type Row = Things;
same<Row["id"], number>(true);
same<Row["title"], string>(true);
same<Row["price"], string>(true);
same<Row["serial"], string | null>(true);
same<Row["flag"], boolean>(true);
same<Row["grade"], 1 | 2 | -3 | null>(true);
same<Row["tags"], string[]>(true);
same<Row["sizes"], ("small" | "large")[] | null>(true);
same<Row["meta"], unknown>(true);
same<Row["cost"], string | null | undefined>(true);
// @ts-expect-error a password is not in rows
export type Pin = Row["pin"];

// Inputs, also of values that can be missing
declare const maybe: string | undefined;
const least: ThingsCreate = { title: "a", price: "1", flag: true, status: "draft", tags: [] };
export const inputs: ThingsCreate[] = [
  least,
  { ...least, title: "b", pin: "1234", price: 12.5, serial: "9007199254740993", meta: { any: [1] } },
  { ...least, email: maybe, grade: -3, sizes: ["small"] as const, cost: null },
];
// @ts-expect-error the title is required
export const withoutTitle: ThingsCreate = { price: "1", flag: true, status: "draft", tags: [] };
// @ts-expect-error there is no such field
export const unknownField: ThingsCreate = { ...least, colour: "red" };
// @ts-expect-error a required field cannot be undefined
export const noTitle: ThingsCreate = { ...least, title: maybe };
// @ts-expect-error the server sets it
export const withTime: ThingsUpdate = { created_at: "2026-01-01" };
// @ts-expect-error a value outside the enum
export const outsideEnum: ThingsUpdate = { status: "gone" };
export const change: ThingsUpdate = { title: maybe, views: null };

// Filters
export const filters: ThingsWhere[] = [
  {},
  { id: 1, title: "a", views: null, price: { lt: "15.00", gte: 3 }, status: { in: ["draft", "live"] } },
  { title: { ilike: "%a%", is_null: false }, day: { between: ["2026-01-01", "2026-02-01"] } },
  { tags: ["a"], sizes: { overlaps: ["small"] }, meta: { is_null: true }, owner: { ne: "x" }, flag: true },
  { grade: { not_in: [1, 2] }, cost: null, serial: { gt: "1" } },
];
// @ts-expect-error unknown keys are errors
export const unknownFilter: ThingsWhere = { colour: "red" };
// @ts-expect-error a password is never filtered by
export const passwordFilter: ThingsWhere = { pin: "1234" };
// @ts-expect-error undefined would match all rows
export const undefinedFilter: ThingsWhere = { title: maybe };
// @ts-expect-error LIKE is for text
export const likeOfNumber: ThingsWhere = { views: { like: "1%" } };
// @ts-expect-error a UUID has no order
export const orderOfUuid: ThingsWhere = { owner: { gt: "x" } };
// @ts-expect-error a boolean has no order
export const orderOfBoolean: ThingsWhere = { flag: { gt: false } };
// @ts-expect-error an enum has no order
export const orderOfEnum: ThingsWhere = { status: { gt: "draft" } };
// @ts-expect-error json has no comparisons
export const equalJson: ThingsWhere = { meta: { eq: {} } };
// @ts-expect-error contains is for lists
export const containsText: ThingsWhere = { title: { contains: ["a"] } };
// @ts-expect-error an element outside the enum
export const outsideList: ThingsWhere = { sizes: { contains: ["medium"] } };
// @ts-expect-error between takes two values
export const oneEnd: ThingsWhere = { views: { between: [1] } };

// Reads
export async function reads(signal: AbortSignal): Promise<void> {
  const rows = await client.things.fetch();
  same<typeof rows, Things[]>(true);
  const some = await client.things.fetch(
    { select: ["id", "cost"], orderBy: "-price", limit: 20 },
    { signal },
  );
  same<typeof some, { id: number; cost: string | null }[]>(true);
  const page = await client.things.search("a", { where: { views: { gt: 1 } } }).page();
  same<typeof page, Page<Things>>(true);
  for await (const { title } of client.models.things.fetch({ limit: 100 })) title.trim();
  for await (const { rows } of client.things.fetch().pages()) rows.length;
  same<Awaited<ReturnType<typeof client.things.get>>, Things | null>(true);
  same<Awaited<ReturnType<typeof client.things.count>>, number>(true);
  await client.things.exists({ title: "a" });
  await client.tokens.get("0b9c4b0e-0000-4000-8000-000000000000");
  // @ts-expect-error ids of this model are texts
  await client.tokens.get(7);
  // @ts-expect-error there is no such field
  await client.things.fetch({ select: ["colour"] });
  // @ts-expect-error there is no such field
  await client.things.fetch({ orderBy: "-colour" });
  // @ts-expect-error the row has only the selected fields
  some[0]?.title;
}

// A model has the methods of its operations
// @ts-expect-error
client.logs.create;
// @ts-expect-error
client.logs.search;
// @ts-expect-error
client.drops.fetch;
client.drops.create({ line: "a" });
export const names: ThingsField[] = ["id", "deleted_at", "cost"];

// Writes
export async function writes(): Promise<void> {
  same<Awaited<ReturnType<typeof client.things.create>>, Things>(true);
  const { inserted_ids } = await client.tokens.createMany([{ name: "a" }]);
  same<typeof inserted_ids, string[]>(true);
  await client.things.update({ where: { id: 1 }, data: { title: "b" } });
  await client.things.updateMany([{ id: 1, title: "b" }]);
  // @ts-expect-error each record has an id
  await client.things.updateMany([{ title: "b" }]);
  await client.things.upsert({ ...least, id: 1 });
  await client.things.delete({ ids: [1, 2] });
  await client.things.destroy({ where: { views: null } });
  await client.things.restore({ where: { id: 1 } });
  // @ts-expect-error either a where or ids
  await client.things.delete({ where: { id: 1 }, ids: [1] });
  // @ts-expect-error a delete says of which rows
  await client.things.delete({});
}

// Models whose names the client needs, or TypeScript
export const hidden = [client.models.routes.fetch, client.models.session.fetch, client.models.models.fetch];
export const visible = [client.class.fetch, client.promise.fetch, client.record, client.call.create];
same<Awaited<ReturnType<typeof client.session.get>>, Session | null>(true);
client.error.create({ constructor: "a", to_string: "b", new: 1 });

// Errors
export async function errors(): Promise<string> {
  const made = await client.things.create(least).result();
  if (made.ok) return made.data.title;
  const { error } = made;
  switch (error.error) {
    case "VALIDATION_ERROR":
      same<typeof error.status, 400>(true);
      return error.details?.field ?? error.details?.errors?.[0]?.message ?? "";
    case "RATE_LIMIT_EXCEEDED":
      return String(error.retryAfter?.toFixed());
    case "NETWORK_ERROR":
    case "TIMEOUT":
    case "ABORTED":
      same<typeof error.status, 0>(true);
      return "offline";
    case "UNEXPECTED_ANSWER":
    case "AUTH_UNAVAILABLE":
    case "DATABASE_ERROR":
    case "HTTP_ERROR":
    case "INTERNAL_ERROR":
    case "INVALID_API_KEY":
    case "INVALID_TOKEN":
    case "PERMISSION_DENIED":
    case "TOKEN_EXPIRED":
    case "TOKEN_REVOKED":
      return error.message;
    default:
      // All codes are above.
      return error satisfies never;
  }
}

export function caught(thrown: unknown): number | undefined {
  if (!isApiError(thrown)) return undefined;
  // @ts-expect-error no operation has this code
  if (thrown.error === "NO_SUCH_CODE") return 0;
  const error: ApiError = thrown;
  return error.status;
}

export type Created = Result<Things, "VALIDATION_ERROR">;
// @ts-expect-error no operation has this code
export type Wrong = Result<Things, "NO_SUCH_CODE">;

// Accounts, files, counters
export async function accounts(file: File): Promise<void> {
  const { user, accessToken } = await client.auth.login({ email: "a@example.com", password: "secret" });
  same<[typeof user.email, typeof accessToken], [string | null, string]>(true);
  const again = await client.auth.reauthenticate({
    email: "a@example.com",
    password: "secret",
    mfa_code: "123456",
  });
  same<typeof again.accessToken, string>(true);
  // @ts-expect-error it needs credentials
  await client.auth.reauthenticate();
  await client.auth.logout();
  await client.auth.logout({ logout_type: "all" });
  await client.auth.refresh();
  const me = await client.auth.me({ timeout: 1000 });
  same<typeof me.is_active, boolean>(true);
  const own = await client.auth.account.update({ nickname: "ann", first_name: null, rank: 2 });
  same<[typeof own.nickname, typeof own.points, typeof own.rank], [string | null, number | null, number]>(
    true,
  );
  await client.auth.register({ email: "a@example.com", password: "secret", nickname: maybe });
  // @ts-expect-error the owner only reads it
  await client.auth.account.update({ points: 7 });
  // @ts-expect-error no such column
  await client.auth.account.update({ nick: "ann" });
  // @ts-expect-error a required column is not emptied
  await client.auth.account.update({ rank: null });
  await client.auth.apiKeys.revoke({ id: 7 });
  // @ts-expect-error a key is named by one of the two
  await client.auth.apiKeys.revoke({});
  // @ts-expect-error `me` is the same
  client.auth.getCurrentUser;
  same<ReturnType<typeof client.auth.social.url>, string>(true);
  client.auth.social.url("github", { redirect_to: "https://app.example.com" });
  await client.auth.social.mobile("apple-id", { id_token: "x", sent_by_a_kit: true });
  // @ts-expect-error not a provider of the app
  client.auth.social.url("gitlab");
  const stored = await client.storage.uploadFile({
    file,
    path: "a/1.png",
    onProgress: ({ loaded }) => loaded,
  });
  same<typeof stored.size, number>(true);
  await client.storage.uploadImage({
    file: { uri: "file://a", name: "a", type: "image/png" },
    thumbnails: true,
  });
  await client.storage.uploadImage({ file, thumbnails: [{ name: "small", width: 80 }] });
  // @ts-expect-error a thumbnail has a width or a height
  await client.storage.uploadImage({ file, thumbnails: [{ name: "small" }] });
  for await (const { path } of client.storage.list({ prefix: "a/" })) path.trim();
  const { next } = await client.storage.list();
  same<typeof next, string | undefined>(true);
  await client.rateLimits.get({ key: "x" });
}

// Custom routes
export async function routes(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  same<Awaited<ReturnType<typeof client.routes.getPlainById>>, string>(true);
  await client.routes.getPlainById({ params: { id: "7" } });
  // @ts-expect-error the path has a parameter
  await client.routes.getPlainById();
  await client.routes.dropPlain({ params: { id: "7" } }, { headers: { "X-Trace": "1" } });
  const typed = await client.routes.getTypedByIdByDay({
    params: { id: 7, day: "2026-01-01" },
    query: { flag: true, ids: [1, 2] as const },
  });
  same<[typeof typed.id, typeof typed.ids], [number, number[] | undefined]>(true);
  // @ts-expect-error the query has a required parameter
  await client.routes.getTypedByIdByDay({ params: { id: 7, day: "2026-01-01" } });
  same<Awaited<ReturnType<typeof client.routes.postTypedByIdByDay>>, unknown>(true);
  const { count } = await client.routes.postLines({
    body: { lines: [{ id: 1, notes: ["a"] }], pair: ["a", 1], next: { lines: [] }, kind: "a", word: null },
  });
  same<typeof count, number>(true);
  // @ts-expect-error an unknown property
  await client.routes.postLines({ body: { lines: [], other: 1 } });
  await client.routes.putImported({ query: { any: "1" }, body: { seats: 2 } });
  same<Awaited<ReturnType<typeof client.routes.postShared>>, unknown>(true);
  await client.routes.postBytes({ body: bytes });
  await client.routes.postBytes({ body: new Blob([bytes]) });
  // @ts-expect-error bytes, not JSON
  await client.routes.postBytes({ body: { any: 1 } });
  same<Awaited<ReturnType<typeof client.routes.getExportCsv>>, Response>(true);
  same<Awaited<ReturnType<typeof client.routes.postAway>>, null>(true);
  await client.routes.postAway({}, { timeout: 5 });
  await client.routes.postAway();
  // @ts-expect-error options are the second argument
  await client.routes.postAway({ timeout: 5 });
}

// GraphQL
interface BooksDocument {
  __apiType?: (variables: { limit: number }) => { books: { id: number }[] };
  loc?: { source: { body: string } };
}
declare const document: BooksDocument;
export async function graphql(): Promise<void> {
  const { books } = await client.graphql(document, { limit: 3 });
  same<typeof books, { id: number }[]>(true);
  const typed = await client.graphql<{ a: number }, { b: string }>("{ a }", { b: "c" });
  same<typeof typed.a, number>(true);
  // @ts-expect-error a required variable
  await client.graphql(document, {});
}
