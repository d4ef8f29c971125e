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

/** What an account route can need. Without it the route does not exist. */
export type AccountFeature = SelfServicePart | "social" | "development" | "administration";

/** The keys of the manifest's section `auth` that decide which account routes exist. */
export interface AccountSwitches {
  readonly socialProviders: readonly string[];
  readonly selfService: readonly SelfServicePart[];
  readonly administration: boolean;
}

/** The features of a service. `development` is for services outside production. */
export function accountFeatures({
  socialProviders,
  selfService,
  administration,
}: AccountSwitches): Set<AccountFeature> {
  return new Set<AccountFeature>([
    ...selfService,
    ...(socialProviders.length > 0 ? (["social"] as const) : []),
    ...(administration ? (["administration"] as const) : []),
  ]);
}

/** Whether a route exists in a service with these features. */
export function isServed(
  { needs }: { readonly path: string; readonly needs?: AccountFeature },
  features: ReadonlySet<AccountFeature>,
): boolean {
  return needs === undefined || features.has(needs);
}
