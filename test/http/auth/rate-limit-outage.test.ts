import { describe, expect, test } from "vitest";
import { createDatabase } from "#runtime/database/index";
import { account, accounts, password } from "../../support/accounts.ts";
import { serviceDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { limit, limited, limitedServices } from "../../support/limited-service.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import { service as fixture } from "../fixture/generated/index.ts";

const given = accounts([account(1)]);
const body = { email: "user1@example.com", password };
const refused = "429 RATE_LIMIT_EXCEEDED";

const login = async (service: TestService) =>
  outcome(await service.send({ method: "POST", path: "/auth/login", body }));
const lines = ({ log }: TestService, message: string) => log.filter(({ msg }) => msg === message);

/** Uses the limit up. */
async function useUp(service: TestService): Promise<void> {
  await service.store(given);
  for (let count = 0; count < limit; count++) expect(await login(service)).toBe("200");
  expect(await login(service)).toBe(refused);
}

/** Everybody passes, and the log says so once, without saying who. */
async function expectOpen(service: TestService): Promise<void> {
  for (let count = 0; count < limit * 2; count++) expect(await login(service)).toBe("200");
  const path = "/auth/verify-email?token=x";
  for (let count = 0; count < limit * 2; count++)
    expect((await service.send({ method: "GET", path })).status).toBe(400);
  const warnings = lines(service, "rate limits cannot be counted: requests pass unlimited");
  expect(warnings).toHaveLength(1);
  expect(JSON.stringify(warnings)).not.toContain("user1");
}

test("PostgreSQL is gone for the counters: requests pass", async () => {
  const { url } = await serviceDatabase(fixture);
  const counting = createDatabase({ url, log: silent });
  const service = await testService(limited({}), { counting });
  try {
    await useUp(service);
  } finally {
    await counting.close();
  }
  await expectOpen(service);
});

const inRedis = (await limitedServices()).flatMap((service) =>
  service.redis === null ? [] : [{ service, redis: service.redis }],
);

describe.each(inRedis)("Redis", ({ service, redis }) => {
  test("is killed: requests pass; is back: they are counted again", async () => {
    await useUp(service);
    await redis.kill();
    await expectOpen(service);
    await redis.start();
    // A request finds out, once a second.
    await eventually(async () => expect(await login(service)).toBe(refused));
    expect(lines(service, "rate limits are counted again")).toHaveLength(1);
  });
});
