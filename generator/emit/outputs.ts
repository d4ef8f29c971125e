import type { ModelDefinition, ServiceDefinition } from "../definition/definition.ts";
import type { PlannedMigration } from "../migrations/plan.ts";
import { graphqlSchemaPath, matrixPath, migrationPath } from "../output/output-paths.ts";
import type { Import } from "./file.ts";
import { accessMatrixView } from "./views/access-matrix-view.ts";
import { scalarsView } from "./views/graphql/scalars.ts";
import { hasMutations, schemaView } from "./views/graphql/schema-view.ts";
import { hasRoutes, indexView, isEmitted } from "./views/index-view.ts";
import { migrationView } from "./views/migration-view.ts";
import { modelView } from "./views/model-view.ts";
import { policyView } from "./views/policy-view.ts";
import { rateLimitsView } from "./views/rate-limits-view.ts";
import { routesView } from "./views/routes-view.ts";
import { takesRecords, validatorsView } from "./views/validators-view.ts";

/** A view of a TypeScript file brings its imports; a text file has neither those nor a header. */
export interface View {
  readonly imports: readonly Import[] | null;
}

/** One kind of file: the template, where it goes (relative to `generated/`), what it shows, and when it exists. */
export interface Output<Subject> {
  readonly template: string;
  readonly path: (subject: Subject) => string;
  readonly view: (subject: Subject) => View;
  readonly when: (subject: Subject) => boolean;
}

const always = () => true;

/** Files of each model. */
export const modelOutputs: readonly Output<ModelDefinition>[] = [
  { template: "model", path: ({ key }) => `models/${key}/model.ts`, view: modelView, when: isEmitted },
  { template: "policy", path: ({ key }) => `models/${key}/policy.ts`, view: policyView, when: isEmitted },
  {
    template: "validators",
    path: ({ key }) => `models/${key}/validators.ts`,
    view: validatorsView,
    when: takesRecords,
  },
  { template: "routes", path: ({ key }) => `models/${key}/routes.ts`, view: routesView, when: hasRoutes },
];

/** Who may do what, in one list. */
export const accessMatrixOutput: Output<ServiceDefinition> = {
  template: "access-matrix",
  path: () => matrixPath,
  view: accessMatrixView,
  when: always,
};

/** Files of the whole service. What has one path is one file, in this order. */
export const serviceOutputs: readonly Output<ServiceDefinition>[] = [
  { template: "index", path: () => "index.ts", view: indexView, when: always },
  { template: "graphql-head", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-queries", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-mutations", path: () => graphqlSchemaPath, view: schemaView, when: hasMutations },
  { template: "graphql-types", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-aggregates", path: () => graphqlSchemaPath, view: schemaView, when: always },
  { template: "graphql-inputs", path: () => graphqlSchemaPath, view: schemaView, when: hasMutations },
  { template: "graphql-scalars", path: () => "graphql/scalars.json", view: scalarsView, when: always },
  accessMatrixOutput,
  { template: "rate-limits", path: () => "rate-limits.txt", view: rateLimitsView, when: always },
];

/** Files of a migration that this run adds. */
export const migrationOutputs: readonly Output<PlannedMigration>[] = [
  { template: "migration", path: ({ name }) => migrationPath(name), view: migrationView, when: always },
];
