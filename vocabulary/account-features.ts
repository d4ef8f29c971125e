/** Parts of a user's account that `auth.self_service` lists. */
export const selfServiceParts = [
  "profile",
  "email",
  "phone",
  "password",
  "sessions",
  "providers",
  "delete",
  "export",
] as const;

export type SelfServicePart = (typeof selfServiceParts)[number];

/** The default of `auth.self_service`. Deletion removes data of the app, and export shows all of it. */
export const defaultSelfService: readonly SelfServicePart[] = selfServiceParts.filter(
  (part) => part !== "delete" && part !== "export",
);

export function isSelfServicePart(text: string): text is SelfServicePart {
  return selfServiceParts.some((part) => part === text);
}

/** What an account route, or a key of its body, can need. Without it the route or key does not exist. */
export type AccountFeature =
  | SelfServicePart
  | "social"
  | "linking"
  | "development"
  | "emailCodes"
  | "passkeys"
  | "administration"
  | "refreshCookie";

/** The keys of the manifest's section `auth` that decide which account routes and keys of bodies exist. */
export interface AccountSwitches {
  readonly socialProviders: readonly string[];
  readonly selfService: readonly SelfServicePart[];
  readonly emailCodes: boolean;
  readonly passkeys: boolean;
  readonly administration: boolean;
  /** Null if no cookie has the refresh token. */
  readonly refreshCookieName: string | null;
}

/** The features of a service. `development` is for services outside production. */
export function accountFeatures(switches: AccountSwitches): Set<AccountFeature> {
  const features = new Set<AccountFeature>(switches.selfService);
  if (switches.socialProviders.length > 0) {
    features.add("social");
    if (features.has("providers")) features.add("linking");
  }
  if (switches.emailCodes) features.add("emailCodes");
  if (switches.passkeys) features.add("passkeys");
  if (switches.administration) features.add("administration");
  if (switches.refreshCookieName !== null) features.add("refreshCookie");
  return features;
}

/** Whether a route exists in a service with these features. */
export function isServed(
  { needs }: { readonly path: string; readonly needs?: AccountFeature },
  features: ReadonlySet<AccountFeature>,
): boolean {
  return needs === undefined || features.has(needs);
}
