import { createHmac, createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { derivedKeys } from "#runtime/modules/auth/index";
import type { TestService } from "../../support/any-service.ts";
import { jwtSecret } from "../../support/service-token.ts";
import { accepted, answerOf, asked } from "./mcp-message.ts";
import { notebook, owner } from "./mcp-service.ts";

const first = createSecretKey(Buffer.from(jwtSecret));
const second = createSecretKey(Buffer.from("the next secret of the tests, 32 bytes"));
const service = await notebook();

/** The state of a form about a note. */
async function stateOf(from: TestService, id: number): Promise<string> {
  const { result } = await answerOf(from, asked({ ids: [id] }), owner);
  return result.requestState;
}

const confirm = (at: TestService, id: number, requestState: string) =>
  answerOf(at, asked({ ids: [id] }, { ...accepted, requestState }), owner);

/** The same state with another time, signed as the SDK signs it. */
function signedAgain(state: string, seconds: (exp: number) => number): string {
  const [version = "", body = ""] = state.split(".");
  const { exp, ...content } = JSON.parse(Buffer.from(body, "base64url").toString());
  const changed = Buffer.from(JSON.stringify({ ...content, exp: seconds(exp) })).toString("base64url");
  const [key] = derivedKeys([first], "mcp confirmations");
  const signature = createHmac("sha256", key).update(`${version}.${changed}`).digest("base64url");
  return `${version}.${changed}.${signature}`;
}

test("a state expires after ten minutes", async () => {
  const state = await stateOf(service, 2);
  const now = Math.floor(Date.now() / 1000);
  const times: number[] = [];
  const expired = signedAgain(state, (exp) => {
    times.push(exp);
    return now - 1;
  });
  expect(times[0]).toBeGreaterThanOrEqual(now + 590);
  expect(times[0]).toBeLessThanOrEqual(now + 600);
  expect((await confirm(service, 2, expired)).error).toMatchObject({ code: -32602 });
  const valid = signedAgain(state, (exp) => exp - 1);
  expect((await confirm(service, 2, valid)).result.structuredContent).toMatchObject({ deleted_count: 1 });
});

test("a form that is open while the secret is replaced still counts, as its token does", async () => {
  const state = await stateOf(service, 3);
  const rotated = await notebook({ secrets: { jwt: [second, first] } });
  expect((await confirm(rotated, 3, state)).result.structuredContent).toMatchObject({ deleted_count: 1 });
  const next = await stateOf(rotated, 2);
  expect((await confirm(service, 3, next)).error).toMatchObject({ code: -32602 });
});

test("a state does not count for another service with the same secret", async () => {
  const other = await notebook({ name: "other" });
  const state = await stateOf(other, 2);
  expect((await confirm(service, 2, state)).error).toMatchObject({ code: -32602 });
});
