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

/** A method for a provider that takes a body, such as a token that an app has of the provider. */
export function socialTokenMethod(printer: MethodPrinter, placed: PlacedOperation, name: string): string {
  const { params, body } = inputOf(printer.document, placed.operation);
  const type = printer.names.named(`${placed.operation.operationId} input`, body?.schema ?? {}, "sent");
  const input = { name: "input", type, required: name === "mobile" };
  const given = [...providerArgument(printer, params), input];
  return methodText(printer, placed, name, given, answerType(printer, placed));
}

/** The method that unlinks a provider. */
export function socialUnlinkMethod(printer: MethodPrinter, placed: PlacedOperation, name: string): string {
  const { params } = inputOf(printer.document, placed.operation);
  return methodText(printer, placed, name, providerArgument(printer, params), answerType(printer, placed));
}

function providerArgument(
  { names }: Pick<MethodPrinter, "names">,
  params: ReturnType<typeof inputOf>["params"],
): MethodArgument[] {
  const { provider } = propertiesIn(params ?? {});
  const type = isDocumentSchema(provider) ? names.typeOf(provider, "sent") : "string";
  return [{ name: "provider", type, required: true }];
}
