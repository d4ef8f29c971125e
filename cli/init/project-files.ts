import { join } from "node:path";
import { loadTemplate } from "#generator/emit/templates";
import { optionalPackages } from "#vocabulary/optional-packages";
import { appPackage, type Toolchain } from "./app-package.ts";
import { exampleFiles, type Files } from "./example-files.ts";
import type { PackageManager } from "./init-environment.ts";
import type { InitExample, Origin } from "./init-flags.ts";

/** A variable of the example, for its `.env.example`. */
interface AppVariable {
  readonly variable: string;
  readonly meaning: string;
}

const appVariables: Partial<Readonly<Record<InitExample, readonly AppVariable[]>>> = {
  bookshop: [
    {
      variable: "PAYMENT_WEBHOOK_SECRET",
      meaning:
        "For models/routes/payments.ts: the secret with which the payment provider signs its webhooks. Unset: every webhook is refused.",
    },
    {
      variable: "STOREFRONT_URL",
      meaning:
        "For models/shop/storefront.ts: the address of the shop's page builder. Unset: it gets no change notifications.",
    },
  ],
};

/** Files from templates, by path in the app. Templates have other names where npm treats a name specially. */
const printed: Readonly<Record<string, string>> = {
  ".devcontainer/devcontainer.json": "devcontainer.json",
  ".dockerignore": "dockerignore",
  ".editorconfig": "editorconfig",
  ".env.example": "env.example",
  ".gitattributes": "gitattributes",
  ".github/workflows/ci.yaml": "ci.yaml",
  ".gitignore": "gitignore",
  ".prettierignore": "prettierignore",
  "AGENTS.md": "AGENTS.md",
  Dockerfile: "Dockerfile",
  "README.md": "README.md",
  "compose.yaml": "compose.yaml",
  "tsconfig.build.json": "tsconfig.build.json",
  "tsconfig.json": "tsconfig.json",
  "vitest.config.ts": "vitest.config.ts",
};

/**
 * Files that only one package manager reads. pnpm runs no scripts of packages that it does not list, and yarn installs into
 * `node_modules` only on demand.
 */
const ofManagers: Partial<Record<PackageManager, (own: Toolchain) => [path: string, text: string]>> = {
  pnpm: ({ allowScripts }) => {
    const lines = Object.entries(allowScripts).map(([name, allowed]) => `  "${name}": ${allowed}\n`);
    return ["pnpm-workspace.yaml", `allowBuilds:\n${lines.join("")}`];
  },
  yarn: () => [".yarnrc.yml", "nodeLinker: node-modules\n"],
};

/** Settings of a new app. */
export interface AppPlan {
  readonly name: string;
  /** The kirak dependency. */
  readonly kirak: string;
  /** The source of the models: an example, or tables of a database, which are read later. */
  readonly origin: Origin;
  readonly own: Toolchain;
  readonly manager: PackageManager;
  /** The folder of the examples. */
  readonly examples: string;
}

/** View of the project templates. */
export interface ProjectView {
  readonly name: string;
  /** URL or path of the documentation, with a trailing slash. */
  readonly docs: string;
  readonly variables: readonly AppVariable[];
  /** The tour for the README. */
  readonly tour: string;
}

/** The view of the templates. */
export function projectView(
  name: string,
  example: InitExample | null,
  docs = "node_modules/kirak/docs/",
): ProjectView {
  const tour = loadTemplate(`project/tours/${example ?? "database"}.md`)({ name, docs });
  return { name, docs, variables: example === null ? [] : (appVariables[example] ?? []), tour };
}

/** All files of a new app. */
export function projectFiles({ name, kirak, origin, own, manager, examples }: AppPlan): Files {
  const example = "example" in origin ? origin.example : null;
  const view = projectView(name, example);
  const texts = Object.entries(printed).map(
    ([path, template]) => [path, loadTemplate(`project/${template}`)(view)] as const,
  );
  const models = exampleFiles(join(examples, example ?? "blank"), name);
  const manifest = models.get("models/manifest.json") ?? "";
  const packages = optionalPackages(JSON.parse(manifest));
  const ofManager = ofManagers[manager]?.(own);
  const files = new Map([
    ["package.json", appPackage(name, kirak, packages, own)],
    ...(ofManager === undefined ? [] : [ofManager]),
    ...texts,
  ]);
  if ("example" in origin) return new Map([...files, ...models]);
  return files
    .set(".env", databaseVariable(origin.database))
    .set("models/manifest.json", manifest)
    .set("test/service.test.ts", loadTemplate("project/service.test.ts")(view));
}

/** Only this file holds the URL, and git ignores it. A quote in the URL is percent-encoded. */
function databaseVariable(url: string): string {
  const isPlain = /^[\w:/@.,?=&%+~-]+$/.test(url);
  return `SERVICE_DATABASE_URL=${isPlain ? url : `'${url.replaceAll("'", "%27")}'`}\n`;
}
