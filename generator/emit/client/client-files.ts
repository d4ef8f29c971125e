import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { clientText } from "./client.ts";
import { packageFiles } from "./package-files.ts";
import { validatorsText } from "./validators/validators-text.ts";

/** The form of a client. */
export interface ClientForm {
  /** Whether records have validators. Not in a package. */
  readonly validators: boolean;
  /** The name of the npm package; null for TypeScript. */
  readonly packageName: string | null;
  /** Default: the version of the document. */
  readonly packageVersion: string | null;
}

/** Names of all files that a client can have. */
export const clientFileNames: readonly string[] = [
  ...["index.ts", "validators.ts"],
  ...["index.js", "index.d.ts", "package.json", "README.md"],
];

/** How each file begins. JSON has it in a key, Markdown in a comment. */
const mark = "Made by `kirak client`";

/** The first line of TypeScript and JavaScript. */
const firstLine = `// ${mark} from the models of the service. Edit those, not this file.\n`;

/** Whether a text is of a file of a client. */
export function isClientFile(text: string): boolean {
  return text.slice(0, 200).includes(mark);
}

/** The files of a client, by name. */
export function clientFiles(document: OpenApiDocument, form: ClientForm): ReadonlyMap<string, string> {
  const source = clientText(document);
  if (form.packageName !== null)
    return packageFiles(document, source, { ...form, packageName: form.packageName }, { mark, firstLine });
  return new Map([
    ["index.ts", firstLine + source],
    ...(form.validators ? [["validators.ts", firstLine + validatorsText(document)] as const] : []),
  ]);
}
