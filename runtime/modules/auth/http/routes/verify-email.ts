import { sendPage } from "../../../../core/pages/index.ts";
import { verifyEmail as verify } from "../../registration/verify-email.ts";
import type { RouteContext } from "../account-route.ts";
import { type ShownOutcome, verificationPage } from "../pages/account-pages.ts";

const statuses: Readonly<Partial<Record<ShownOutcome, number>>> = { invalid: 400, unavailable: 503 };

/**
 * `GET /auth/verify-email?token=…`: a page that shows the result of the link. Status 400 for an invalid link,
 * 503 if the link cannot be checked now. HEAD, which mail programs send to check links, changes nothing.
 */
export async function verifyEmail({ request, response, services, query }: RouteContext): Promise<void> {
  const [token = "", ...others] = query.getAll("token");
  const opening = others.length > 0 ? "invalid" : verify(services, token, request.method === "HEAD");
  const outcome = await outcomeOf(opening, request);
  sendPage(response, statuses[outcome] ?? 200, verificationPage(outcome));
}

/** A user who opens a link in a mail gets a page even after an error; the log has the cause. */
async function outcomeOf(
  opening: Promise<ShownOutcome> | ShownOutcome,
  { context }: RouteContext["request"],
): Promise<ShownOutcome> {
  try {
    return await opening;
  } catch (error) {
    context.failure = error;
    return "unavailable";
  }
}
