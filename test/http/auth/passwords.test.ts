import bcrypt from "bcrypt";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { account, accounts, password, session, storedReset } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { bodyOf } from "../../support/graphql.ts";
import { limitedServices } from "../../support/limited-service.ts";
import { resetToken, signing } from "../../support/links.ts";
import type { Reply, Sent } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { type Caller, claimsOf, signed } from "../../support/service-token.ts";
import { stage } from "../fixture/stage.ts";

const strict = await testService({ ...signing, auth: { bcryptCost: 5 } });
const plain = await testService({ ...signing, auth: { passwordComplexity: false, bcryptCost: 6 } });

const refusing = await testService({
  ...signing,
  name: "bookshop",
  auth: { refuseCommonPasswords: true, passwordComplexity: false },
});

const link = resetToken(1);
const known = account(1, { first_name: "Marguerite" });
const oneUser = accounts([known], [session(1).row, storedReset(1, link)]);

/** Each route that sets a password, and where its body has it. */
// biome-ignore format: one case a line
const routes: readonly { readonly path: string;
  readonly field: string;
  readonly body: (text: string) => Record<string, string>;
}[] = [
  { path: "register", field: "password", body: (text) => ({ email: "newcomers@example.com", password: text }) },
  { path: "change-password", field: "new_password", body: (text) => ({ current_password: password, new_password: text, confirm_password: text }) },
  { path: "reset-password", field: "new_password", body: (text) => ({ token: link, new_password: text, confirm_password: text }) },
];

describe.each(routes)("POST /auth/$path", ({ path, field, body }) => {
  async function set(text: string, to: TestService): Promise<Reply> {
    await to.store(oneUser);
    const headers = { authorization: `Bearer ${signed(claimsOf("user"))}` };
    return to.send({ method: "POST", path: `/auth/${path}`, body: body(text), headers });
  }

  test.each([
    ["min_length", "Short-123!", "must have at least 12 characters"],
    ["uppercase", "another-horse-2?", "needs an uppercase letter"],
    ["lowercase", "ANOTHER-HORSE-2?", "needs a lowercase letter"],
    ["digit", "Another-Horse-x?", "needs a digit"],
    ["symbol", "Another-Horse_2+", 'needs one of ! @ # $ % ^ & * ( ) , . ? " : { } | < >'],
    ["max_bytes", `Another-Horse-2?${"x".repeat(57)}`, "must not be longer than 72 bytes"],
  ])("says that %s is what is missing", async (rule, text, words) => {
    const reply = await set(text, strict);
    expect(outcome(reply)).toBe(`400 WEAK_PASSWORD ${field}`);
    expect(reply.envelope.message).toBe(`The password ${words}.`);
    expect(reply.envelope.details).toEqual({ field, rules: [rule] });
  });

  test("auth.password_complexity off: twelve characters are enough, eleven are not, nor are 73 bytes", async () => {
    expect(outcome(await set("x".repeat(12), plain))).toBe("200");
    expect(outcome(await set("x".repeat(72), plain))).toBe("200");
    expect(outcome(await set("x".repeat(11), plain))).toBe(`400 WEAK_PASSWORD ${field}`);
    expect(outcome(await set("x".repeat(73), plain))).toBe(`400 WEAK_PASSWORD ${field}`);
  });

  test("auth.refuse_common_passwords refuses common passwords, and changes nothing", async () => {
    const reply = await set("Password2026!", refusing);
    expect(reply.envelope.details).toEqual({ field, rules: ["common"] });
    expect(outcome(await set("Password2026!", strict))).toBe("200");
    expect(await refusing.query("SELECT id FROM users WHERE password <> $1", [known.password])).toEqual([]);
  });

  test("auth.refuse_common_passwords refuses names of the user and of the service", async () => {
    for (const text of [path === "register" ? "!newcomers7!!" : "1marguerite-1", "B00k$hop2026"]) {
      const reply = await set(text, refusing);
      expect([reply.status, reply.envelope.details]).toEqual([400, { field, rules: ["personal"] }]);
    }
    expect(
      await refusing.query("SELECT id FROM auth_tokens WHERE token_type = 'password_reset'"),
    ).toHaveLength(1);
    expect(outcome(await set("Another-Horse-2?", refusing))).toBe("200");
  });

  test("auth.bcrypt_cost is the cost of the hash", async () => {
    for (const [service, cost] of [
      [strict, "05"],
      [plain, "06"],
    ] as const) {
      expect(outcome(await set("Another-Horse-2?", service))).toBe("200");
      const rows = await service.query("SELECT password FROM users ORDER BY id DESC LIMIT 1");
      expect(rows).toEqual([{ password: expect.stringMatching(`^\\$2b\\$${cost}\\$`) }]);
    }
  });
});

describe("what a password must have", () => {
  /** The rules that a password breaks. */
  async function broken(password: string, to = strict): Promise<unknown> {
    await to.store({});
    const body = { email: "new@example.com", password };
    const reply = await to.send({ method: "POST", path: "/auth/register", body });
    return reply.status === 200 ? [] : reply.envelope.details?.["rules"];
  }

  test.each([...'!@#$%^&*(),.?":{}|<>'])("%s is a symbol that counts", async (symbol) => {
    expect(await broken(`Abcdefghij1${symbol}`)).toEqual([]);
  });

  test.each([..."-_+=;'`~/\\[] §€£¡¿！．"])("%s is not a symbol", async (symbol) => {
    expect(await broken(`Abcdefghij1${symbol}`)).toEqual(["symbol"]);
  });

  test.each<[string, string[]]>([
    ["Abcdefghi1!", ["min_length"]],
    ["abcdefghij1!", ["uppercase"]],
    ["ABCDEFGHIJ1!", ["lowercase"]],
    ["Abcdefghijk!", ["digit"]],
    ["Äbcdefghij1!", []],
    ["ABCDEFGHIJä1!", []],
    ["Abcdefghijk٣!", ["digit"]],
    ["", ["min_length", "uppercase", "lowercase", "digit", "symbol"]],
    ["aaaaaaaaaaaa", ["uppercase", "digit", "symbol"]],
    [`Aa1!${"x".repeat(68)}`, []],
    [`Aa1!${"x".repeat(69)}`, ["max_bytes"]],
    [`Aa1!${"ü".repeat(34)}`, []],
    [`Aa1!${"ü".repeat(35)}`, ["max_bytes"]],
    // Eleven characters, though more code units.
    ["Aa1!😀😀😀😀😀😀😀", ["min_length"]],
    ["Aa1!😀😀😀😀😀😀😀😀", []],
  ])("%j breaks %j", async (password, rules) => {
    expect(await broken(password)).toEqual(rules);
  });

  // biome-ignore format: one case a line
  test.each<[string, string[]]>([
    // In the list after the change.
    ["P@$$w0rd2026", ["common"]],
    ["...QWERTYUIOP", ["common"]],
    ["Tru$7n01!?!?", []],
    ["!!1ngr1d-20$%", []],
    ["12345letm31n", ["common"]],
    // Fewer than four characters.
    ["123456789012", ["common"]],
    ["            ", ["common"]],
    ["1234567abc89", ["common"]],
    ["12345678äöü9", ["common"]],
    ["1234zqxj5678", []],
    // One piece, repeated.
    ["zqxjzqxjzqxj", ["common"]],
    ["1zzzzzzzzzzzz1", ["common"]],
    ["zq0zqozqozqo", ["common"]],
    ["zqxjkzqxjkzqxjk", []],
    ["zqxjzqxjzqxjz", []],
    // Names: the local part without its digits, first and last name, the service.
    ["Sam.Fuller7!!", ["personal"]],
    ["zebulonia-----", ["personal"]],
    ["-2026-M4rch3tti", ["personal"]],
    ["marchetti-zebulonia", []],
    ["bookshop!!!!", ["personal"]],
    ["my bookshop!", []],
    // Other rules first.
    ["password", ["min_length"]],
  ])("%j is judged as %j", async (text, rules) => {
    await refusing.store({});
    const body = { email: "sam.fuller99@example.com", first_name: "Zebulonia", last_name: "Marchetti", password: text };
    const reply = await refusing.send({ method: "POST", path: "/auth/register", body });
    expect(reply.status === 200 ? [] : reply.envelope.details?.["rules"]).toEqual(rules);
  });

  test("a password of the before_register hook is judged too, with its names", async () => {
    Object.assign(stage, {
      hooks: {
        before_register: (sent: object) => ({
          ...sent,
          first_name: "Zebulonia",
          password: "Zebulonia-2026!",
        }),
      },
    });
    await refusing.store({});
    const body = { email: "new@example.com", password: "Another-Horse-2?" };
    const reply = await refusing.send({ method: "POST", path: "/auth/register", body });
    expect(reply.envelope.details).toEqual({ field: "password", rules: ["personal"] });
    Object.assign(stage, { hooks: {}, fired: [] });
  });

  test("the messages say why", async () => {
    const send = async (password: string) => {
      const body = { email: "new@example.com", password };
      return (await refusing.send({ method: "POST", path: "/auth/register", body })).envelope.message;
    };
    expect(await send("Password2026!")).toBe(
      "The password is easy to guess: many people use it, with other digits and symbols.",
    );
    expect(await send("Bookshop2026!")).toBe(
      "The password is easy to guess: it is a name, with other digits and symbols.",
    );
  });

  test("without auth.password_complexity blanks will do", async () => {
    expect(await broken(" ".repeat(12), plain)).toEqual([]);
  });

  test("the message says every rule that is broken", async () => {
    const body = { email: "new@example.com", password: "abc" };
    const { envelope } = await strict.send({ method: "POST", path: "/auth/register", body });
    expect(envelope.message).toBe(
      'The password must have at least 12 characters; it needs an uppercase letter; it needs a digit; it needs one of ! @ # $ % ^ & * ( ) , . ? " : { } | < >.',
    );
  });
});

const service = await testService(signing);

const next = "Another-Horse-2!";

const confirmed = { new_password: next, confirm_password: next };

const given = { ...accounts([account(1), account(2)], [storedReset(1, link)]), things: [{ id: 1 }] };

const user = { role: "admin", sub: "1" };

const other = { role: "admin", sub: "2" };

const post = (path: string, body: Sent["body"]): Sent => ({ method: "POST", path, body });

const login = (email: string) => post("/auth/login", { email, password });

const register = (email: string) => post("/auth/register", { email, password });

const change = (current_password: string) =>
  post("/auth/change-password", { current_password, ...confirmed });

const create = (count: number) =>
  post("/things/create", { data: Array.from({ length: count }, () => ({ password: "secret" })) });

const original = { compare: bcrypt.compare, hash: bcrypt.hash };

/** Lets bcrypt begin. */
let begin: (() => void) | null = null;

const answered: Reply[] = [];

async function send(sent: Sent, as: Caller = null, from?: string): Promise<Reply> {
  const reply = await service.send({ ...sent, from }, as);
  answered.push(reply);
  return reply;
}

let registered = 0;

const registerNext = () => send(register(`${registered++}@example.com`));

/** Has as many requests wait for bcrypt as one share may; the ninth is refused, which shows that the others have their places. */
async function fill(request: () => Promise<Reply>): Promise<{ readonly all: Promise<Reply[]> }> {
  answered.length = 0;
  const all = Promise.all(Array.from({ length: 9 }, request));
  await eventually(() => expect(answered.map(outcome)).toEqual(["503 HTTP_ERROR"]));
  expect(answered[0]?.headers["retry-after"]).toBe("1");
  return { all };
}

const unlimited = await limitedServices({ rateLimit: { enabled: false } });

describe("the work that passwords make", () => {
  beforeEach(async () => {
    await service.store(given);
    const opened = new Promise<void>((resolve) => {
      begin = resolve;
    });
    for (const name of ["compare", "hash"] as const) {
      vi.spyOn(bcrypt, name).mockImplementation(async (...given: unknown[]) => {
        await opened;
        return Reflect.apply(original[name], bcrypt, given);
      });
    }
  });

  afterEach(() => {
    begin?.();
    vi.restoreAllMocks();
  });

  describe("one share of the password queue has eight places", () => {
    // biome-ignore format: one case a line
    test.each<[string, () => Promise<Reply>, () => Promise<Reply>, string]>([
    ["a login's is that of its e-mail", () => send(login("user1@example.com")), () => send(login("user2@example.com")), "200"],
    ["unknown e-mails have one too", () => send(login("x@example.com")), () => send(login("user2@example.com")), "401 INVALID_CREDENTIALS"],
    ["a user's", () => send(create(1), user), () => send(create(1), other), "200"],
    ["a registration's is that of its address", registerNext, () => send(register("new@example.com"), null, "127.0.0.2"), "200"],
    ["that of the address is not the user's", registerNext, () => send(create(1), user), "200"],
  ])("%s", async (_, mine, ofAnother, expected) => {
    const { all } = await fill(mine);
    const another = ofAnother();
    begin?.();
    expect(outcome(await another)).toBe("200");
    const outcomes = (await all).map(outcome).sort();
    expect(outcomes).toEqual([...Array(8).fill(expected), "503 HTTP_ERROR"].sort());
  });

    // biome-ignore format: one case a line
    test.each<[string, Sent, Caller?]>([
    ["a change of the password", change(password), user],
    ["a reset", post("/auth/reset-password", { token: link, ...confirmed })],
    ["a row", create(1), user],
    ["several rows", create(3), user],
    ["an upsert", { ...post("/things/upsert", { data: { id: 1, password: "secret" } }), method: "PUT" }, user],
    ["GraphQL", post("/graphql", bodyOf('mutation { createThings(input: { password: "secret" }) { id } }')), user],
  ])("what is 503 has done nothing, and is done again: %s", async (_, sent, as) => {
    const rows = () =>
      service.query(
        "select (select count(*) from things) as things, (select count(*) from auth_tokens) as tokens, password from users where id = 1",
      );
    const before = await rows();
    const { all } = await fill(() => send(create(1), user));
    const refused = await send(sent, as);
    expect([outcome(refused), refused.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", "1"]);
    expect(await rows()).toEqual(before);
    begin?.();
    await all;
    expect(outcome(await send(sent, as))).toBe("200");
  });
  });

  describe.each(unlimited)("wrong current passwords, counted in $counters", (service) => {
    const wrong = "401 INVALID_CREDENTIALS current_password";
    const refused = "429 RATE_LIMIT_EXCEEDED";
    /** New ones for each test: Redis remembers those that were revoked. */
    let headers = new Map<Caller, { authorization: string }>();
    const ask = (current: string, as: Caller = user) =>
      service.send({ ...change(current), headers: headers.get(as) });
    const times = async (count: number) => {
      const outcomes: string[] = [];
      for (let at = 0; at < count; at++) outcomes.push(outcome(await ask("Wrong-Horse-1!")));
      return outcomes;
    };

    beforeEach(async () => {
      begin?.();
      headers = new Map(
        [user, other].map((one) => [one, { authorization: `Bearer ${signed(claimsOf(one))}` }]),
      );
      await service.forget();
      await service.store(given);
    });

    test("after ten of them every one is 429 for that user, until fifteen minutes are over", async () => {
      expect(await times(10)).toEqual(Array(10).fill(wrong));
      const reply = await ask(password);
      expect([outcome(reply), reply.headers["retry-after"]]).toEqual([refused, "900"]);
      expect(outcome(await ask(password, other))).toBe("200");
      expect(await service.counted()).toEqual({ "auth:change-password:user:1": 10 });
      service.clock.pass(899);
      expect(outcome(await ask(password))).toBe(refused);
      service.clock.pass(1);
      expect(outcome(await ask(password))).toBe("200");
    });

    test("many at a time get no more tries", async () => {
      const outcomes: string[] = [];
      for (let round = 0; round < 10; round++) {
        const replies = await Promise.all(Array.from({ length: 30 }, () => ask("Wrong-Horse-1!")));
        outcomes.push(...replies.map(outcome));
      }
      expect(outcomes.filter((one) => one === wrong)).toHaveLength(10);
    });

    test("a correct password resets the count", async () => {
      expect(await times(9)).toEqual(Array(9).fill(wrong));
      expect(outcome(await ask(password))).toBe("200");
      expect(await service.counted()).toEqual({});
    });

    test("what is refused for another reason does not count", async () => {
      const weak = post("/auth/change-password", {
        ...(change("Wrong-Horse-1!").body as object),
        new_password: "x",
        confirm_password: "x",
      });
      expect(outcome(await service.send({ ...weak, headers: headers.get(user) }))).toBe(
        "400 WEAK_PASSWORD new_password",
      );
      expect(await service.counted()).toEqual({});
    });
  });
});
