import { sendPage, verificationPage } from "../pages/index.ts";
import type { Exchange } from "../route.ts";
import { foreseeVerification, verifyEmail as verify } from "../users/verify-email.ts";

/**
 * `GET /auth/verify-email?token=…`: a page that says what came of the link; status 400 where it is no good. HEAD, which
 * mail programs send to look at links, changes nothing (decisions, part 7).
 */
export async function verifyEmail({ request, response, services, query }: Exchange): Promise<void> {
  const [token = "", ...others] = query.getAll("token");
  const open = request.method === "HEAD" ? foreseeVerification : verify;
  const outcome = others.length > 0 ? "invalid" : await open(services, token);
  sendPage(response, outcome === "invalid" ? 400 : 200, verificationPage(outcome));
}
