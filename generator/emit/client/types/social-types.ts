import type { PlacedOperation } from "../document-operations.ts";
import { isDocumentSchema, propertiesIn } from "../json-parts.ts";
import { commented } from "./declarations.ts";
import { inputOf } from "./inputs.ts";
import { answerType, type MethodArgument, type MethodPrinter, methodText } from "./method-types.ts";

/** The method that makes the address at which a browser begins a sign-in. */
export function socialUrlMethod({ document, names }: MethodPrinter, { operation }: PlacedOperation): string {
  const { params, query } = inputOf(document, operation);
  const [provider] = providerArgument({ names }, params);
  const options = names.named(`${operation.operationId} options`, query ?? {}, "sent");
  const about = "The address at which a browser begins a sign-in.";
  return commented(about, `url(provider: ${provider?.type ?? "string"}, options?: ${options}): string;`);
}

/** The method for apps that have a token of the provider. */
export function socialMobileMethod(printer: MethodPrinter, placed: PlacedOperation): string {
  const { params, body } = inputOf(printer.document, placed.operation);
  const type = printer.names.named(`${placed.operation.operationId} input`, body?.schema ?? {}, "sent");
  const given = [...providerArgument(printer, params), { name: "input", type, required: true }];
  return methodText(printer, placed, "mobile", given, answerType(printer, placed));
}

function providerArgument(
  { names }: Pick<MethodPrinter, "names">,
  params: ReturnType<typeof inputOf>["params"],
): MethodArgument[] {
  const { provider } = propertiesIn(params ?? {});
  const type = isDocumentSchema(provider) ? names.typeOf(provider, "sent") : "string";
  return [{ name: "provider", type, required: true }];
}
