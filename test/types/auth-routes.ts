/** What the table of account routes compiles: a route is counted by nothing that its body lacks. */
import {
  anyText,
  body,
  emailAddress,
  noBody,
  optional,
  phoneNumber,
} from "../../runtime/auth/http/account-body.ts";
import { type AuthAnswer, route } from "../../runtime/auth/http/account-route.ts";
import { anybody } from "../../runtime/auth/http/guards.ts";
import { perAddress, perEmail, perPhone } from "../../runtime/auth/http/route-counters.ts";

const answer = async (): Promise<AuthAnswer> => ({ message: "", data: {} });
const byEmail = body({ email: emailAddress, password: anyText });
const byPhone = body({ phone_number: phoneNumber });

export const legal = [
  route.post("/login", anybody, byEmail, answer, perAddress, perEmail),
  route.post("/request-otp", anybody, byPhone, answer, perPhone),
  route.post("/setup-mfa", anybody, body({}), answer, perAddress),
  route.post("/logout", anybody, body({}), answer),
  route.page("/verify-email", () => {}, perAddress),
];

// @ts-expect-error no e-mail in the body
export const noEmail = route.post("/request-otp", anybody, byPhone, answer, perEmail);
// @ts-expect-error no phone number in the body
export const noPhone = route.post("/login", anybody, byEmail, answer, perAddress, perPhone);
// @ts-expect-error an e-mail that may be missing
export const perhaps = route.post("/login", anybody, body({ email: optional(anyText) }), answer, perEmail);
// @ts-expect-error no body
export const bodiless = route.get("/me", anybody, noBody, answer, perEmail);
// @ts-expect-error a page has no body
export const page = route.page("/verify-email", () => {}, perEmail);
