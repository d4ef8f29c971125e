import type { Reply } from "../request.ts";
import type { TestService } from "../service.ts";

/** A sign-in that a page of the app has begun: it has a state, and its browser a cookie. */
export interface PageSignIn {
  readonly reply: Reply;
  readonly state: string;
  readonly cookie: string;
}

/** `GET /auth/{provider}/login` of a provider that a page starts. */
export async function beginOnPage(service: TestService, provider: string): Promise<PageSignIn> {
  const reply = await service.send({ method: "GET", path: `/auth/${provider}/login` });
  const [cookie = ""] = String(reply.headers["set-cookie"] ?? "").split(";");
  return { reply, state: stateIn(reply), cookie };
}

/** `POST /auth/{provider}/callback?state=…` with a form, as the script of a provider on a page sends it. */
export function postForm(
  service: TestService,
  provider: string,
  { state, cookie }: Pick<PageSignIn, "state" | "cookie">,
  form: Readonly<Record<string, string>>,
): Promise<Reply> {
  return service.send({
    method: "POST",
    path: `/auth/${provider}/callback?state=${encodeURIComponent(state)}`,
    headers: { "content-type": "application/x-www-form-urlencoded", cookie },
    body: Buffer.from(new URLSearchParams(form).toString()),
  });
}

function stateIn({ envelope }: Reply): string {
  const { data } = envelope;
  return typeof data === "object" && data !== null && "state" in data ? String(data.state) : "";
}
