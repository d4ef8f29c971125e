/** What the table of account routes compiles: each route that is listed, and no other; counted as listed, by what its body has. */

import type { AuthAnswer } from "#runtime/auth/http/account-answer";
import { anyText, body, emailAddress, noBody, optional, phoneNumber } from "#runtime/auth/http/account-body";
import { type RoutesOf, route } from "#runtime/auth/http/account-route";
import { anybody } from "#runtime/auth/http/guards";
import { perAddress, perEmail, perPhone } from "#runtime/auth/http/route-counters";

const answer = async (): Promise<AuthAnswer> => ({ message: "", data: {} });
const byEmail = body({ email: emailAddress, password: anyText });
const byPhone = body({ phone_number: phoneNumber });

type Listed = readonly [
  { method: "POST"; path: "/login"; counters: readonly ["ip", "email"] },
  { method: "POST"; path: "/request-otp"; counters: readonly ["phone"] },
  { method: "POST"; path: "/setup-mfa"; counters: readonly ["ip"] },
  { method: "POST"; path: "/logout"; counters: readonly [] },
  { method: "GET"; path: "/verify-email"; counters: readonly ["ip"] },
];

export const legal: RoutesOf<Listed> = [
  route.post("/login", [anybody, perAddress], [byEmail, perEmail], answer),
  route.post("/request-otp", anybody, [byPhone, perPhone], answer),
  route.post("/setup-mfa", [anybody, perAddress], body({}), answer),
  route.post("/logout", anybody, body({}), answer),
  route.page("/verify-email", [anybody, perAddress], () => {}),
];

export const differing: RoutesOf<Listed> = [
  // @ts-expect-error a counter that is missing
  route.post("/login", anybody, [byEmail, perEmail], answer),
  // @ts-expect-error a counter too many
  route.post("/request-otp", [anybody, perAddress], [byPhone, perPhone], answer),
  // @ts-expect-error another method
  route.get("/setup-mfa", [anybody, perAddress], noBody, answer),
  // @ts-expect-error a route that is not listed
  route.post("/logouts", anybody, body({}), answer),
  // @ts-expect-error a page without its counter
  route.page("/verify-email", anybody, () => {}),
];

// @ts-expect-error a route that is missing
export const short: RoutesOf<Listed> = [legal[0], legal[1], legal[2], legal[3]];
// @ts-expect-error a route too many
export const long: RoutesOf<Listed> = [...legal, route.get("/me", anybody, noBody, answer)];
// @ts-expect-error a route twice, in place of another
export const twice: RoutesOf<Listed> = [legal[0], legal[1], legal[2], legal[3], legal[3]];

// @ts-expect-error no e-mail in the body
export const noEmail = route.post("/request-otp", anybody, [byPhone, perEmail], answer);
// @ts-expect-error no phone number in the body
export const noPhone = route.post("/login", [anybody, perAddress], [byEmail, perPhone], answer);
// @ts-expect-error an e-mail that may be missing
export const perhaps = route.post("/login", anybody, [body({ email: optional(anyText) }), perEmail], answer);
// @ts-expect-error no body
export const bodiless = route.get("/me", anybody, [noBody, perEmail], answer);
// @ts-expect-error what counts by a body, before there is one
export const early = route.post("/login", [anybody, perEmail], byEmail, answer);
// @ts-expect-error a page has no body
export const page = route.page("/verify-email", [anybody, perEmail], () => {});
