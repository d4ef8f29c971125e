import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { documentedMethods, type OpenApiDocument } from "#vocabulary/openapi/document";
import { account, accounts, apiKey } from "../support/accounts.ts";
import { describedBy, takenBy } from "../support/openapi.ts";
import { requestsOf } from "../support/openapi-requests.ts";
import type { Sent } from "../support/request.ts";
import { runs } from "../support/seeded.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";
import { testSms } from "../support/sms.ts";

const file = new URL("fixture/generated/openapi.json", import.meta.url);
const document: OpenApiDocument = JSON.parse(readFileSync(file, "utf8"));
const expectDescribed = describedBy(document);
const expectTaken = takenBy(document);

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  documentedMethods.filter((method) => item[method]).map((method) => ({ path, method })),
);

const key = apiKey(1);
const credentials = fc.constantFrom<NonNullable<Sent["headers"]>>(
  {},
  { authorization: `Bearer ${tokenOf({ role: "user", sub: "1" })}` },
  { authorization: `Bearer ${tokenOf({ role: "admin", sub: "2" })}` },
  { "x-api-key": key.key },
);

const { settings: sms } = await testSms();
const service = await testService({ sms });
await service.store(accounts([account(1), account(2, { role: "admin" })], [key.row]));

// Most valid requests break rules that a schema cannot express: rows that do not exist, roles.
test("random requests get answers that the document describes, and it allows all that the service takes", {
  timeout: 60_000,
}, async () => {
  const counts = { valid: 0, done: 0 };
  const { seed, ...options } = runs(6);
  for (const [at, { path, method }] of operations.entries())
    await fc.assert(
      fc.asyncProperty(requestsOf(document, path, method), credentials, async (request, credential) => {
        const { isValid, ...sent } = request;
        const reply = await service.send({ ...sent, headers: { ...sent.headers, ...credential } });
        expect(reply.status, reply.text).toBeLessThan(500);
        expectDescribed(method, path, reply);
        if (reply.status === 200) expectTaken(method, path, sent, reply);
        counts.valid += Number(isValid);
        counts.done += Number(isValid && reply.status === 200);
      }),
      { ...options, seed: seed + at },
    );
  expect(counts.done).toBeGreaterThan(counts.valid / 8);
});
