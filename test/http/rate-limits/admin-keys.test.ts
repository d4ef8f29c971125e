import { describe, expect, test } from "vitest";
import { account, accounts, apiKey } from "../../support/accounts.ts";
import { fill, limitedServices } from "../../support/limited-service.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import type { TestService } from "../../support/service.ts";

const services = await limitedServices();
const path = "/admin/rate-limits";

/** Characters that e-mail addresses and other parts of a key can contain. */
// biome-ignore format: many a line
const keys = [
  "crud:things:fetch:ip:2001:db8::1", "auth:login:email:a/b@example.com", "auth:login:email:a%b@example.com", "auth:login:email:a%2Fb@example.com",
  "auth:login:email:%25@example.com", "auth:login:email:a?b=c@example.com", "auth:login:email:a#b@example.com", "auth:login:email:a+b@example.com",
  "auth:login:email:a b@example.com", "auth:login:email:a&limit=1@example.com", "auth:login:email:*@example.com",
  "auth:login:email:[a-z]@example.com", "auth:login:email:a?@example.com", "auth:login:email:^a@example.com", "auth:login:email:a\\b@example.com",
  "auth:login:email:a\\", "auth:login:email:o'hara@example.com", "auth:login:email:'; DROP TABLE kirak_rate_limits; --",
  'auth:login:email:"a"@example.com', "auth:login:email:{a}$1@example.com", "auth:login:email:jörg@bücher.example", "auth:login:email:李@例子.example",
  "auth:login:email:😀@example.com", "auth:login:email:e\u0301@example.com", "auth:login:email:\u00e9@example.com",
  "auth:login:email:\u202e@example.com", "auth:login:email:a\r\nb\t@example.com", "auth:login:phone:+4915112345678",
  "auth:login:email:../../admin@example.com", "..", ".", "/", "//a//", " ", "%", "+", "*", "kirak:rl:crud:things:fetch", "__proto__",
  `auth:login:email:${"x".repeat(300)}@example.com`, `auth:login:email:${"😀".repeat(150)}`,
];

/** A path in which the key stands as it is, where a client may send that. */
function raw(key: string): string | null {
  return /[^\x21-\x7e]|[?%]/.test(key) ? null : `${path}/${key}`;
}

/** In it all but letters and digits is encoded, in small letters. */
function wholly(key: string): string {
  const bytes = [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
  return `${path}/${bytes.join("")}`;
}

/** What browsers and `curl` make of a link, where a key is only a part of one. */
function linked(key: string): string | null {
  return /[?#%\\]|(^|\/)\.\.?(\/|$)|^\s|\s$|[\r\n\t]/.test(key)
    ? null
    : new URL(`${path}/${key}`, "http://localhost").pathname;
}

const ways: Readonly<Record<string, (key: string) => string | null>> = {
  raw,
  wholly,
  linked,
  component: (key) => `${path}/${encodeURIComponent(key)}`,
  uri: (key) => (key.includes("?") ? null : encodeURI(`${path}/${key}`)),
};

describe.each(services)("$counters", (service) => {
  const { window } = service;
  const send = (method: string, to: string) => service.send({ method, path: to }, "admin");

  test.each(keys.map((key) => [JSON.stringify(key).slice(0, 60).replaceAll("%", "%%"), key]))(
    "%s is found, shown and reset",
    async (_, key) => {
      for (const [way, pathOf] of Object.entries(ways)) {
        const to = pathOf(key);
        if (to === null) continue;
        await fill(window, keys);
        const shown = await send("GET", to);
        expect([way, outcome(shown), shown.envelope.data]).toEqual([
          way,
          "200",
          expect.objectContaining({ key, count: expect.any(Number) }),
        ]);
        expect((await send("DELETE", to)).envelope.data).toEqual({ key, reset: true });
        // That one, and no other.
        const left = (await window.list("", 1000)).map((counter) => counter.key);
        expect(keys.filter((one) => !left.includes(one))).toEqual([key]);
      }
    },
  );

  test.each(keys.map((key) => [JSON.stringify(key).slice(0, 60).replaceAll("%", "%%"), key]))(
    "%s as a prefix is taken literally",
    async (_, prefix) => {
      await fill(window, keys);
      const reply = await send("GET", `${path}?prefix=${encodeURIComponent(prefix)}`);
      const { counters } = reply.envelope.data as { counters: { key: string }[] };
      expect(counters.map(({ key }) => key).sort()).toEqual(
        keys.filter((key) => key.startsWith(prefix)).sort(),
      );
    },
  );

  // biome-ignore format: many a line
  test.each([
    "auth:login:%", "auth:login:_mail", "auth:login:*", "auth:*:email", "auth:login:emai?", "auth:login:[a-z]mail", "auth\\:login", "[^x]uth:",
    "' OR 1=1 --", "' UNION SELECT email, 1, 1, 1, 1 FROM users --", "$1", "*\\", "kirak:rl:auth:", "AUTH:",
    "auth:login:email:\ud83d\ude00@example.com ",
  ])("%j matches no other key", async (prefix) => {
    await fill(window, keys);
    const reply = await send("GET", `${path}?prefix=${encodeURIComponent(prefix)}`);
    expect(reply.envelope.data).toEqual({ counters: [] });
  });

  test.each(["%", "%z", "%zz", "a%2", "%ff", "%c0%80", "%ed%a0%80", "a%00b", "%00"])(
    "no key at all: %j",
    async (rest) => {
      for (const method of ["GET", "DELETE"])
        expect(outcome(await send(method, `${path}/${rest}`))).toBe("400 VALIDATION_ERROR");
    },
  );

  test("a key is decoded once", async () => {
    await fill(window, ["a%2Fb", "a/b"]);
    expect((await send("GET", `${path}/a%252Fb`)).envelope.data).toMatchObject({ key: "a%2Fb" });
    expect((await send("GET", `${path}/a%2Fb`)).envelope.data).toMatchObject({ key: "a/b" });
  });

  test("no key is in the log, in whichever way it was asked for", async () => {
    const secret = "someone@private.example";
    await fill(window, [`auth:login:email:${secret}`]);
    const begin = service.log.length;
    // biome-ignore format: many a line
    for (const rest of [
      `/auth:login:email:${secret}`, `/auth:login:email:${encodeURIComponent(secret)}x`, `/auth:login:email:${secret}%zz`,
      `/auth:login:email:${secret}?${secret}`, `?prefix=auth:login:email:${secret}`, `?${secret}`,
    ])
      for (const method of ["GET", "DELETE", "POST"]) await send(method, path + rest);
    const lines = service.log.slice(begin);
    expect(JSON.stringify(lines)).not.toContain("private");
    expect(new Set(lines.map((line) => line["path"]))).toEqual(new Set([path, `${path}/{key}`]));
  });
});

const secret = "someone@private.example";
const key = `auth:login:email:${secret}`;
const boss = apiKey(1);
const given = accounts([account(1, { role: "admin" })], [boss.row]);

/** What list, one counter and reset answer to an API key, for which PostgreSQL is enough. */
async function outcomes(service: TestService): Promise<string[]> {
  const found: string[] = [];
  for (const [method, to] of [
    ["GET", path],
    ["GET", `${path}/${key}`],
    ["DELETE", `${path}/${key}`],
  ] as const) {
    const reply = await service.send({ method, path: to, headers: { "x-api-key": boss.key } });
    expectEnvelope(reply);
    found.push(outcome(reply));
  }
  return found;
}

/** The lines of the requests that failed. */
const failures = ({ log }: TestService) => log.filter((line) => Number(line["status"]) >= 500);

describe.each(services.filter(({ redis }) => redis === null))("$counters", (service) => {
  test("without the table it is an error of the database", async () => {
    await service.store(given);
    await fill(service.window, [key]);
    await service.query("ALTER TABLE kirak_rate_limits RENAME TO gone");
    try {
      expect(await outcomes(service)).toEqual(Array(3).fill("500 DATABASE_ERROR"));
    } finally {
      await service.query("ALTER TABLE gone RENAME TO kirak_rate_limits");
    }
    expect(failures(service)).toEqual(
      Array(3).fill(
        expect.objectContaining({
          err: expect.objectContaining({ message: expect.stringContaining("kirak_rate_limits") }),
        }),
      ),
    );
    expect(JSON.stringify(service.log)).not.toContain("private");
    expect(await outcomes(service)).toEqual(["200", "200", "200"]);
  });
});

const withRedis = services.flatMap(({ redis, ...service }) =>
  redis === null ? [] : [{ ...service, redis }],
);

describe.each(withRedis)("$counters", ({ redis, ...service }) => {
  test.each([
    ["a string", "SET", [secret]],
    ["a list", "RPUSH", [secret, "1:2"]],
  ])("a value that is not a counter is skipped: %s", async (_kind, command, values) => {
    await service.store(given);
    await fill(service.window, ["counter"]);
    await redis.run(command, `kirak:rl:${key}`, ...values);
    const keys = (await service.window.list("", 1000)).map((counter) => counter.key);
    expect(keys).toContain("counter");
    expect(keys).not.toContain(key);
    expect(await outcomes(service)).toEqual(["200", "404 NOT_FOUND", "200"]);
    expect(JSON.stringify(service.log)).not.toContain("private");
  });

  test("Redis is gone: 503 until it is back, with the cause in the log", async () => {
    await service.store(given);
    const before = failures(service).length;
    await redis.kill();
    try {
      expect(await outcomes(service)).toEqual(Array(3).fill("503 HTTP_ERROR"));
    } finally {
      await redis.start();
    }
    const failed = failures(service).slice(before);
    expect(failed).toHaveLength(3);
    for (const line of failed)
      expect(line).toMatchObject({ error: "HTTP_ERROR", err: { message: expect.stringMatching(/./) } });
    expect(JSON.stringify(service.log)).not.toContain("private");
    await expect.poll(() => outcomes(service), { timeout: 15_000, interval: 100 }).toContain("200");
  }, 30_000);
});
