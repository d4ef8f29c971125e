import { expect } from "vitest";
import { password } from "./accounts.ts";
import type { Reply, Sent } from "./request.ts";
import { outcome } from "./scenarios.ts";
import type { TestService } from "./service.ts";

/** The `data` of an answer that must be a success. */
export function dataOf(reply: Reply) {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
}

/** Sends `DELETE /auth/me` and the like, with an access token if one is given. */
export function sendAs(service: TestService, line: string, token?: string, body?: Sent["body"]) {
  const [method = "", path = ""] = line.split(" ");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return service.send({ method, path, headers, ...(body !== undefined && { body }) });
}

/** The access token of a new session of `user<id>@example.com`, which is recent. */
export async function signIn(service: TestService, id: number): Promise<string> {
  const body = { email: `user${id}@example.com`, password };
  return dataOf(await sendAs(service, "POST /auth/login", undefined, body)).accessToken;
}
