import type { Policy } from "./access/index.ts";
import type { Accounts } from "./auth/index.ts";
import type { GraphqlHooks } from "./hooks/index.ts";
import type { Model } from "./model/index.ts";
import type { ModelRoutes } from "./rest/index.ts";

/** What the generator made of a models file: all that `createServer` needs to know of it. */
export interface Service {
  readonly name: string;
  /** Models with routes. */
  readonly models: readonly ModelRoutes[];
  /** Models that no route leads to; joins and row conditions may reach them. */
  readonly internalModels: readonly { readonly model: Model; readonly policy: Policy }[];
  readonly accounts: Accounts;
  readonly graphql: { readonly hooks: GraphqlHooks };
  /** The folder of the migrations. */
  readonly migrations: URL;
}

/** Declares the generated service. */
export function defineService(service: Service): Service {
  return service;
}
