import { beforeAll, describe, expect, test } from "vitest";
import { dataOf, sendAs, signIn } from "../../../support/account-requests.ts";
import { account, accounts, apiKey, session } from "../../../support/accounts.ts";
import { outcome } from "../../../support/scenarios.ts";
import { testService } from "../../../support/service.ts";
import { tokenOf } from "../../../support/service-token.ts";

const service = await testService();
const key = apiKey(1);
const ofUser = apiKey(2);
const users = [
  account(1, { role: "admin", first_name: "Ann" }),
  account(2, { last_name: "O'Neil", phone_number: "+12025550102", handle: "two" }),
  account(3, { is_active: false, role: "staff" }),
  account(4, { email: null, phone_number: "+12025550104", is_verified: false }),
];
const admin = { role: "admin", sub: "1" };
const get = (path: string, as: Parameters<typeof service.send>[1] = admin) =>
  service.send({ method: "GET", path: `/admin/users${path}` }, as);
const idsOf = async (query: string) => {
  const rows: { user_id: number }[] = dataOf(await get(`?select_fields=user_id&order_by=user_id&${query}`));
  return rows.map(({ user_id }) => user_id);
};

beforeAll(async () => {
  await service.store(accounts(users, [session(2).row, session(2, -5).row, key.row, ofUser.row]));
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const row = {
  ...{ handle: "two", points: 10 },
  user_id: 2,
  email: "user2@example.com",
  phone_number: "+12025550102",
  role: "user",
  first_name: null,
  last_name: "O'Neil",
  is_verified: true,
  is_active: true,
  created_at: moment,
  updated_at: moment,
  last_login_at: null,
};

describe("GET /admin/users", () => {
  test("answers the eleven columns and those of the app that the role reads, and nothing else", async () => {
    const reply = await get("?user_id=2");
    expect(dataOf(reply)).toEqual([row]);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.text).not.toMatch(/\$2b\$|password|credentials/);
  });

  // biome-ignore format: one case a line
  test.each([
    ["user_id=2", [2]], ["user_id__in=2,3", [2, 3]], ["where[user_id__gt]=2", [3, 4]], ["email=user1@example.com", [1]],
    ["email__is_null", [4]], ["phone_number__is_not_null", [2, 4]], ["role__ne=user", [1, 3]], ["first_name=Ann", [1]],
    ["last_name__ilike=neil", [2]], ["is_verified=false", [4]], ["is_active=false", [3]], ["created_at__gt=2999-01-01", []],
    ["updated_at__lt=2999-01-01", [1, 2, 3, 4]], ["last_login_at__is_null", [1, 2, 3, 4]],
    ["search_term=ann", [1]], ["search_term=neil", [2]], ["search_term=5550104", [4]], ["search_term=USER3", [3]],
    ["search_term=%25", []], ["search_term=user&role=staff", [3]], ["order=DESC", [4, 3, 2, 1]], ["handle=two", [2]], ["limit=2", [1, 2]],
  ] as const)("?%s", async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  test("has pages by number, offset and cursor", async () => {
    const reply = await get("?limit=3&page=2&order_by=user_id");
    expect(reply.envelope.pagination).toEqual({
      limit: 3,
      page: 2,
      offset: 3,
      total: 4,
      total_pages: 2,
      has_more: false,
    });
    expect(dataOf(reply)).toHaveLength(1);
    expect((await get("?offset=1")).envelope.pagination).toMatchObject({ offset: 1, total: 4 });
    const first = await get("?limit=3&page__after=start&order_by=user_id");
    const next = String(first.envelope.pagination?.["next"]);
    expect(await idsOf(`limit=3&page__after=${encodeURIComponent(next)}`)).toEqual([4]);
    expect((await get("")).envelope.pagination).toBeUndefined();
  });

  test("answers 10 rows by default, and at most 1000", async () => {
    const other = await testService();
    await other.store(accounts(users.slice(0, 1)));
    await other.query(
      `INSERT INTO users (email) SELECT 'many' || n || '@example.com' FROM generate_series(1, 1010) AS n`,
    );
    const count = async (query: string) =>
      dataOf(await other.send({ method: "GET", path: `/admin/users${query}` }, admin)).length;
    expect([await count(""), await count("?limit=5000")]).toEqual([10, 1000]);
  });

  // biome-ignore format: one case a line
  test.each([
    ["password=x", "password"], ["password__like=$2b", "password__like"], ["credentials_changed_at__is_null", "credentials_changed_at__is_null"],
    ["id=2", "id"], ["where[id]=2", "where[id]"], ["secret=x", "secret"], ["user_id=x", "user_id"], ["user_id__like=2", "user_id__like"],
    ["user_id__nope=2", "user_id__nope"], ["order_by=password", "order_by"], ["order_by=id", "order_by"], ["select_fields=password", "select_fields"],
    ["select_fields=id", "select_fields"], ["limit=0", "limit"], ["user_id=1&user_id=2", "user_id"], ["user_id=1&where[user_id]=2", "where[user_id]"],
    // Columns of the app that the role cannot read.
    ["level=1", "level"], ["where[badge__is_null]", "badge"], ["pin=x", "pin"], ["order_by=budget", "budget"], ["select_fields=user_id,settings", "settings"],
    ["search_term=", "search_term"], ["auth_tokens.token_hash=x", "auth_tokens.token_hash"],
  ])("?%s is refused", async (query, field) => {
    expect(outcome(await get(`?${query}`))).toBe(`400 VALIDATION_ERROR ${field}`);
  });
});

describe("GET /admin/users/{id}", () => {
  test("answers the row, and how the account can sign in", async () => {
    await service.query(`
      INSERT INTO auth_mfa (user_id, secret, backup_codes, enabled) VALUES (2, 'x', '[]', true);
      INSERT INTO auth_social (user_id, provider, uid) VALUES (2, 'google', 'a'), (2, 'github', 'b')`);
    expect(dataOf(await get("/2"))).toEqual({
      ...row,
      sign_in: {
        password: true,
        mfa: true,
        passkeys: 0,
        providers: ["github", "google"],
        api_keys: 1,
        sessions: 1,
      },
    });
  });

  test.each(["/9", "/x", "/0", "/-1", "/1.5", "/99999999999999999999", "/%00", "/x/sessions", "/9/sessions"])(
    "%s is 404",
    async (path) => {
      expect(outcome(await get(path))).toBe("404 NOT_FOUND");
    },
  );

  test.each(["/2?x=1", "/2/sessions?x=1"])("%s takes no parameter", async (path) => {
    expect(outcome(await get(path))).toBe("400 VALIDATION_ERROR x");
  });
});

test("GET /admin/users/{id}/sessions answers the sessions, and none is the current one", async () => {
  await signIn(service, 1);
  const { sessions } = dataOf(await get("/1/sessions"));
  expect(sessions).toEqual([
    {
      id: expect.any(String),
      current: false,
      created_at: moment,
      last_used_at: moment,
      expires_at: moment,
      signed_in_with: ["password"],
      user_agent: null,
      address: "127.0.0.1",
    },
  ]);
});

describe("callers", () => {
  const paths = ["", "/2", "/2/sessions"];
  const send = (path: string, headers: Record<string, string>) =>
    service.send({ method: "GET", path: `/admin/users${path}`, headers });

  test.each(paths)("GET %s is for administrators, also with an API key", async (path) => {
    for (const role of ["admin", "system", "superadmin"])
      expect(outcome(await send(path, { authorization: `Bearer ${tokenOf({ role, sub: "1" })}` }))).toBe(
        "200",
      );
    expect(outcome(await send(path, { "x-api-key": key.key }))).toBe("200");
    expect(outcome(await send(path, {}))).toBe("401 MISSING_TOKEN");
    expect(outcome(await send(path, { authorization: "Bearer x" }))).toBe("401 INVALID_TOKEN");
    expect(outcome(await send(path, { authorization: `Bearer ${tokenOf("user")}` }))).toBe(
      "403 PERMISSION_DENIED",
    );
    expect(outcome(await send(path, { "x-api-key": ofUser.key }))).toBe("403 PERMISSION_DENIED");
  });

  test("HEAD reads too, and other methods are 405", async () => {
    expect((await service.send({ method: "HEAD", path: "/admin/users" }, admin)).status).toBe(200);
    const reply = await service.send({ method: "PUT", path: "/admin/users" }, admin);
    expect(outcome(reply)).toBe("405 HTTP_ERROR");
    expect(reply.headers["allow"]).toBe("GET, HEAD, POST");
  });

  test("a service without administration has none of the routes", async () => {
    const other = await testService({ authPrefix: "/members", auth: { administration: false } });
    for (const line of [
      "GET /admin/users",
      "POST /admin/users",
      "GET /admin/users/1",
      "DELETE /admin/users/1/mfa",
      "GET /members/accept-invitation",
      "POST /members/accept-invitation",
    ])
      expect(outcome(await sendAs(other, line, tokenOf(admin)))).toBe("404 NOT_FOUND");
  });
});
