import semver from "semver";
import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { typescriptLibrary } from "../../packages/typescript-library.ts";
import { propertyName } from "../literal.ts";
import { modelsOf } from "./document-operations.ts";

/** Name and version of an npm package. */
interface PackageHead {
  readonly packageName: string;
  readonly packageVersion: string | null;
}

/** How the files of a client begin. */
interface Beginnings {
  readonly mark: string;
  readonly firstLine: string;
}

const npmName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** What is wrong with the name or the version of a package. Null if nothing is. */
export function packageProblem({
  packageName,
  packageVersion,
}: {
  readonly packageName: string | null;
  readonly packageVersion: string | null;
}): string | null {
  if (packageName !== null && (!npmName.test(packageName) || packageName.length > 214))
    return `"${packageName}" is not a name of an npm package, such as @acme/api`;
  if (packageVersion !== null && semver.valid(packageVersion) === null)
    return `"${packageVersion}" is not a version of an npm package, such as 1.4.0`;
  return null;
}

/** The files of an npm package without dependencies. `source` is the TypeScript of the client. */
export function packageFiles(
  document: OpenApiDocument,
  source: string,
  head: PackageHead,
  { mark, firstLine }: Beginnings,
): ReadonlyMap<string, string> {
  return new Map([
    ["index.js", firstLine + javascriptOf(source)],
    ["index.d.ts", firstLine + declarationsOf(source)],
    ["package.json", manifestText(document, head, mark)],
    ["README.md", readmeText(document, head.packageName, mark)],
  ]);
}

function javascriptOf(source: string): string {
  const ts = typescriptLibrary();
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      // The declarations have them.
      removeComments: true,
    },
  });
  return outputText;
}

/** Needs only the text: each exported function and class states its types. */
function declarationsOf(source: string): string {
  const ts = typescriptLibrary();
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: "index.ts",
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      isolatedDeclarations: true,
    },
  });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(ts.flattenDiagnosticMessageText(first.messageText, "\n"));
  return outputText;
}

function manifestText(
  { info }: OpenApiDocument,
  { packageName, packageVersion }: PackageHead,
  mark: string,
): string {
  const manifest = {
    "//": mark,
    name: packageName,
    // The version of a document can be any text.
    version: packageVersion ?? semver.valid(info.version) ?? "1.0.0",
    description: `Client of ${info.title}`,
    type: "module",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    sideEffects: false,
    files: ["index.js", "index.d.ts"],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function readmeText(document: OpenApiDocument, packageName: string, mark: string): string {
  const model = modelsOf(document).find(({ operations }) => operations.has("fetch"));
  const member = model === undefined ? "" : memberAccess(model.key);
  const call = model === undefined ? [] : [`const rows = await client${member}.fetch({ limit: 10 });`];
  return `<!-- ${mark} -->

# ${packageName}

A client of ${oneLine(document.info.title)}.

\`\`\`ts
${[
  `import { createClient } from ${JSON.stringify(packageName)};`,
  "",
  'const client = createClient({ url: "https://api.example.com" });',
  ...call,
].join("\n")}
\`\`\`
`;
}

/** The models are all in `models`, also those of whose names the client needs. */
function memberAccess(key: string): string {
  const name = propertyName(key);
  return name === key ? `.models.${key}` : `.models[${name}]`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
