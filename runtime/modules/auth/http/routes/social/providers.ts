import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/** `GET /auth/providers`: what a sign-in page needs to know of the declared providers. */
export function listProviders(_body: null, { services }: AccountRequest<null>): Promise<AuthAnswer> {
  const { baseUrl, authPrefix } = services.config;
  const data = [...services.social.conversations].map(([name, { provider }]) => ({
    provider: name,
    title: provider.title,
    login_url: `${baseUrl}${authPrefix}/${name}/login`,
  }));
  return Promise.resolve({ message: "found", data });
}
