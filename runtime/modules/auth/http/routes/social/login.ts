import type { Conversation } from "../../../social/index.ts";
import { singleValues } from "../../account-body.ts";
import { type RouteContext, sendAuthAnswer } from "../../account-route.ts";
import { setSignInCookie } from "../../sign-in-cookie.ts";

/**
 * `GET /auth/{provider}/login`: redirects to the provider, with a state and a cookie that binds it to the
 * browser. If a page of the app begins the sign-in, the answer has the state instead.
 */
export async function socialLogin(
  context: RouteContext & { readonly conversation: Conversation },
): Promise<void> {
  const { request, response, services, query, conversation } = context;
  singleValues(query);
  const { id, trace } = request.context;
  const log = services.log.child({ request_id: id, ...trace.logFields });
  const { location, state, cookie } = await services.social.begin(conversation, query, { log, trace });
  setSignInCookie(response, services.config, conversation, cookie);
  if (location === null)
    return sendAuthAnswer(response, { message: "begun", data: { state } }, services.config);
  response.statusCode = 302;
  response.setHeader("Location", location.href);
  response.end();
}
