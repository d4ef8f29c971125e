import { methodNotAllowed, readFormBody } from "../../../../../core/http/index.ts";
import { answersByPost, type Conversation, callbackMethods, signInCookie } from "../../../social/index.ts";
import { singleValues } from "../../account-body.ts";
import { deviceOf, identifies, type RouteContext, sendAuthAnswer, traced } from "../../account-route.ts";
import { sentCookies } from "../../authenticate.ts";
import { setSignInCookie } from "../../sign-in-cookie.ts";
import { recordLink } from "./record-link.ts";

type ProviderCallback = RouteContext & { readonly conversation: Conversation };

/** `GET /auth/{provider}/callback`: the provider redirects the browser here. */
export async function socialCallback(context: ProviderCallback): Promise<void> {
  requireMethod("GET", context);
  return finish(context, context.query);
}

/** `POST /auth/{provider}/callback`, for the providers that send a form. The state can be in the query. */
export async function socialFormCallback(context: ProviderCallback): Promise<void> {
  requireMethod("POST", context);
  const { request, services, query } = context;
  const form = await readFormBody(request, services.config.server.bodyLimitBytes);
  return finish(context, new URLSearchParams([...form, ...query]));
}

function requireMethod(method: "GET" | "POST", { conversation }: ProviderCallback): void {
  const taken = callbackMethods(conversation.provider);
  if (!taken.includes(method)) throw methodNotAllowed(taken);
}

async function finish(
  { request, response, services, conversation }: ProviderCallback,
  parameters: URLSearchParams,
): Promise<void> {
  const { config, social } = services;
  const form = singleValues(parameters);
  const cookies = sentCookies(request);
  const { id, trace, later } = request.context;
  const log = services.log.child({ request_id: id, ...trace.logFields });
  const identify = identifies(request.context);
  const address = services.limits.addressOf(request);
  const device = deviceOf(request, address);
  const origin = { requestId: id, address, device, log, modules: services.modules, trace, later, identify };
  // A state is valid for one attempt in this browser, even if the attempt fails.
  setSignInCookie(response, config, conversation, null);
  const outcome = await social.finish(
    conversation,
    {
      form,
      cookies,
      cookie: cookies.get(signInCookie) ?? null,
      crossSite: request.method === "POST" && answersByPost(conversation.provider),
    },
    origin,
  );
  if (outcome.made != null) {
    const own = { services: traced(services, trace), address, device, log };
    recordLink(own, conversation, outcome.made);
  }
  if (outcome.kind === "answer") return sendAuthAnswer(response, outcome, config);
  response.statusCode = 303;
  response.setHeader("Location", outcome.location);
  response.end();
}
