import type { ModelDefinition, ServiceDefinition } from "../definition/definition.ts";
import type { CustomLink, MigrationPlan, PlannedMigration } from "../migrations/plan.ts";
import {
  accountDeletionPath,
  appPath,
  databasePath,
  graphqlSchemaPath,
  matrixPath,
  migrationPath,
} from "../output/output-files.ts";
import type { Import } from "./file.ts";
import { accessMatrixView } from "./views/access-matrix-view.ts";
import { accountDeletionView, refersToAccounts } from "./views/account-deletion-view.ts";
import { appView } from "./views/app-view.ts";
import { conditionsView, hasConditions } from "./views/conditions-view.ts";
import { databaseView } from "./views/database-view.ts";
import { scalarsView } from "./views/graphql/scalars.ts";
import { hasMutations, schemaView } from "./views/graphql/schema-view.ts";
import { indexView } from "./views/index-view.ts";
import { migrationLinkView, migrationView } from "./views/migration-view.ts";
import { modelView } from "./views/model-view.ts";
import { hasRoutes } from "./views/operations-view.ts";
import { policyView } from "./views/policy-view.ts";
import { rateLimitsView } from "./views/rate-limits-view.ts";
import { routesView } from "./views/routes-view.ts";
import { addsColumns, extendsUsers } from "./views/users-extension.ts";
import { opensUsers, usersModelView, usersPolicyView, usersValidatorsView } from "./views/users-view.ts";
import { validatorsView } from "./views/validators-view.ts";

/** The view of a file. A text file has neither imports nor a header. */
export interface View {
  readonly imports: readonly Import[] | null;
}

/** One kind of file: its template, its path relative to `generated/`, its view, and when it exists. */
export interface OutputFile<Subject> {
  readonly template: string;
  readonly path: (subject: Subject) => string;
  readonly view: (subject: Subject) => View;
  readonly when: (subject: Subject) => boolean;
}

const always = () => true;

/** Files of each model of the app. `models` are all models, because rules can go over relations. */
export function modelOutputs(models: readonly ModelDefinition[]): readonly OutputFile<ModelDefinition>[] {
  const policy = (model: ModelDefinition) => policyView(model, models);
  return [
    { template: "model", path: inModel("model.ts"), view: modelView, when: always },
    { template: "policy", path: inModel("policy.ts"), view: policy, when: always },
    { template: "validators", path: inModel("validators.ts"), view: validatorsView, when: always },
    { template: "routes", path: inModel("routes.ts"), view: routesView, when: hasRoutes },
  ];
}

/** Files for the app's extension of the built-in `users`. */
export const usersOutputs: readonly OutputFile<ModelDefinition>[] = [
  { template: "users-model", path: inModel("model.ts"), view: usersModelView, when: extendsUsers },
  { template: "users-policy", path: inModel("policy.ts"), view: usersPolicyView, when: opensUsers },
  {
    template: "users-validators",
    path: inModel("validators.ts"),
    view: usersValidatorsView,
    when: addsColumns,
  },
];

function inModel(file: string) {
  return ({ key }: ModelDefinition) => `models/${key}/${file}`;
}

/** The access matrix. */
export const accessMatrixOutput: OutputFile<ServiceDefinition> = {
  template: "access-matrix",
  path: () => matrixPath,
  view: accessMatrixView,
  when: always,
};

/** Files of the whole service. Entries with the same path are joined in this order. */
export const serviceOutputs = (
  plan: Pick<MigrationPlan, "history" | "customLinks">,
): readonly OutputFile<ServiceDefinition>[] => [
  {
    template: "index",
    path: () => "index.ts",
    view: (definition) => indexView(definition, plan),
    when: always,
  },
  { template: "conditions", path: () => "conditions.ts", view: conditionsView, when: hasConditions },
  { template: "app", path: () => appPath, view: appView, when: always },
  { template: "database", path: () => databasePath, view: databaseView, when: ({ kysely }) => kysely },
  { template: "graphql-head", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-filters", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-queries", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-mutations", path: () => graphqlSchemaPath, view: schemaView, when: hasMutations },
  { template: "graphql-types", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-aggregates", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-inputs", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-scalars", path: () => "graphql/scalars.json", view: scalarsView, when: always },
  accessMatrixOutput,
  {
    template: "account-deletion",
    path: () => accountDeletionPath,
    view: accountDeletionView,
    when: refersToAccounts,
  },
  { template: "rate-limits", path: () => "rate-limits.txt", view: rateLimitsView, when: always },
];

/** Files of a migration that this run adds. */
export const migrationOutputs: readonly OutputFile<PlannedMigration>[] = [
  { template: "migration", path: ({ name }) => migrationPath(name), view: migrationView, when: always },
];

/** Files that link to custom SQL. Each run writes them. */
export const migrationLinkOutputs: readonly OutputFile<CustomLink>[] = [
  {
    template: "migration-link",
    path: ({ name }) => migrationPath(name),
    view: migrationLinkView,
    when: always,
  },
];
