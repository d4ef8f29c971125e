import { TOTP } from "otpauth";
import type { TestClock } from "./clock.ts";
import { outcome } from "./scenarios.ts";
import type { TestService } from "./service.ts";
import type { Caller } from "./service-token.ts";

/** What an authenticator app and a sheet of paper hold. */
export interface Enrolment {
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** The code that an authenticator shows, now or some steps of 30 seconds away. */
export function totp(secret: string, clock: TestClock, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: clock.now() + steps * 30_000 });
}

/** Another code than those of the present moment. */
export function wrongTotp(secret: string, clock: TestClock): string {
  const right = [-1, 0, 1].map((steps) => totp(secret, clock, steps));
  return ["111111", "222222", "333333", "444444"].find((code) => !right.includes(code)) ?? "";
}

/** Sets MFA up, and does not activate it. */
export async function setUp(service: TestService, as: Caller): Promise<Enrolment> {
  const reply = await service.send({ method: "POST", path: "/auth/setup-mfa", body: {} }, as);
  if (outcome(reply) !== "200") throw new Error(reply.text);
  const data = reply.envelope.data as { provisioning_uri: string; backup_codes: string[] };
  const secret = new URL(data.provisioning_uri).searchParams.get("secret") ?? "";
  return { secret, backupCodes: data.backup_codes };
}

/** Sets MFA up and activates it; by the clock the next step begins, since that of the activation is used up. */
export async function enrol(service: TestService, clock: TestClock, as: Caller): Promise<Enrolment> {
  const enrolment = await setUp(service, as);
  const body = { code: totp(enrolment.secret, clock), action: "activate" };
  const reply = await service.send({ method: "POST", path: "/auth/verify-mfa", body }, as);
  if (outcome(reply) !== "200") throw new Error(reply.text);
  clock.pass(30);
  return enrolment;
}
