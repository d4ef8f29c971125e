import type { DeclaredErrors } from "../../vocabulary/error-codes.ts";
import type { CustomRoute } from "../api/custom-routes/index.ts";
import type { ModelRoutes } from "../api/rest/index.ts";
import type { ModelEntry } from "../data/operations/index.ts";
import { builtInUsers, extendUsersValidators, type UsersPolicy, wholePolicy } from "../data/users/index.ts";
import type { AnyAuthHooks, AnyHooks, GraphqlHooks } from "../hooks/index.ts";
import type { Model, Validators } from "../models/index.ts";
import type { Accounts } from "../modules/auth/index.ts";
import type { DeclaredJobs } from "../modules/jobs/index.ts";

/** A model that no route leads to; joins, row conditions and code of one's own may reach it. Its hooks run for the latter. */
type InternalModel = Omit<ModelEntry, "hooks"> & { readonly hooks?: AnyHooks };

/** What the generator made of a models file: all that `createServer` needs to know of it. */
export interface Service {
  readonly name: string;
  /** Models with routes. */
  readonly models: readonly ModelRoutes[];
  readonly internalModels: readonly ModelEntry[];
  readonly accounts: Accounts;
  readonly graphql: { readonly hooks: GraphqlHooks };
  /** The app's own, below the same prefix as the models. */
  readonly routes: readonly CustomRoute[];
  /** Those that the app declares beside the contract's. */
  readonly errors: DeclaredErrors;
  /** By name. */
  readonly jobs: DeclaredJobs;
  /** Names of the templates of its own mails, in `models/mails/`. */
  readonly mails: readonly string[];
  /** Whether the service puts jobs, mails or text messages into the queue of jobs, so that it needs the schema of the queue. */
  readonly usesQueue: boolean;
  /** The folder of the migrations; null where the app has none. */
  readonly migrations: URL | null;
}

/** What an app adds to the built-in accounts. */
interface AddedToAccounts {
  readonly users?: Model;
  readonly policy?: UsersPolicy;
  readonly validators?: Validators;
  readonly hooks?: AnyAuthHooks;
}

/** A service as `generated/index.ts` declares it: of the accounts it has what the app adds, and nothing of what it does without. */
export interface ServiceDeclaration
  extends Omit<
    Service,
    "internalModels" | "accounts" | "errors" | "routes" | "jobs" | "mails" | "usesQueue"
  > {
  readonly internalModels: readonly InternalModel[];
  readonly accounts: AddedToAccounts;
  readonly errors?: DeclaredErrors;
  /** What the files in `models/routes/` have as their default exports. */
  readonly routes?: readonly (CustomRoute | readonly CustomRoute[])[];
  readonly jobs?: DeclaredJobs;
  readonly mails?: readonly string[];
  /** Says so where neither jobs nor mails do. */
  readonly usesQueue?: boolean;
}

/** Declares the generated service. */
export function defineService({
  accounts,
  internalModels,
  errors = {},
  routes = [],
  jobs = {},
  mails = [],
  usesQueue = false,
  ...declared
}: ServiceDeclaration): Service {
  const { users = builtInUsers, policy = { fields: {} }, hooks = {} } = accounts;
  const { validators = extendUsersValidators({ properties: {} }) } = accounts;
  const ownUsers = { model: users, policy: wholePolicy(users, policy), validators };
  return {
    ...declared,
    internalModels: [...internalModels, ownUsers].map((one) => ({ hooks: {}, ...one })),
    accounts: { users, validators, hooks },
    errors,
    routes: routes.flat(),
    jobs,
    mails,
    usesQueue: usesQueue || mails.length > 0 || Object.keys(jobs).length > 0,
  };
}
