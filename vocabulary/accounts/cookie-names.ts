/** The names of the cookies of a service; null for no cookie. */
interface CookieNames {
  readonly cookieName: string | null;
  readonly refreshCookieName: string | null;
}

/** The problem of `auth.refresh_cookie_name`, as the end of a sentence about the key, or null. */
export function refreshCookieProblem({ cookieName, refreshCookieName }: CookieNames): string | null {
  if (refreshCookieName === null) return null;
  if (/^__host-/i.test(refreshCookieName))
    return "must not begin with __Host-: browsers refuse such a cookie, because its path is not /";
  if (cookieName === null) return "needs auth.cookie_name: browsers get both cookies together";
  return cookieName === refreshCookieName ? "must not be the name of auth.cookie_name" : null;
}
