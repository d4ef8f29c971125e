import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/** `GET /auth/providers`: names, titles and login URLs of the declared providers, for sign-in pages. */
export function listProviders(_body: null, { services }: AccountRequest<null>): Promise<AuthAnswer> {
  const { baseUrl, authPrefix } = services.config;
  const data = [...services.social.conversations].map(([name, { provider }]) => ({
    provider: name,
    title: provider.title,
    login_url: `${baseUrl}${authPrefix}/${name}/login`,
  }));
  return Promise.resolve({ message: "found", data });
}
