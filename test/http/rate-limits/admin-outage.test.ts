import { describe, expect, test } from "vitest";
import { account, accounts, apiKey } from "../../support/accounts.ts";
import { fill, limitedServices } from "../../support/limited-service.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import type { TestService } from "../../support/service.ts";

const services = await limitedServices();
const path = "/admin/rate-limits";
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
  test("what is no counter is not taken for one", async () => {
    await service.store(given);
    await redis.run("SET", `kirak:rl:${key}`, secret);
    expect(await outcomes(service)).toEqual(["503 HTTP_ERROR", "503 HTTP_ERROR", "200"]);
    expect(failures(service)).toEqual(
      Array(2).fill(
        expect.objectContaining({
          err: expect.objectContaining({ message: expect.stringMatching(/^Redis: .*WRONGTYPE/) }),
        }),
      ),
    );
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
