import { declarableCode, errorCodes, isContractCode } from "../../vocabulary/error-codes.ts";
import type { CheckContext } from "./check-context.ts";

/** Codes of the app's own errors (decisions, part 13). */
export function checkErrors({ errors, report }: CheckContext): void {
  for (const { code } of errors) {
    const { value, at } = code;
    if (isContractCode(value)) {
      const message = `"${value}" is an error of the service itself, with status ${errorCodes[value].status}`;
      report("reserved-error-code", at, message, "throw that one, or choose another code");
    } else if (!declarableCode.test(value)) {
      const message = `"${value}" cannot be the code of an error`;
      report("invalid-error-code", at, message, hint(value));
    }
  }
}

function hint(value: string): string {
  const near = value
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
  return declarableCode.test(near) && !isContractCode(near)
    ? `did you mean "${near}"?`
    : "3 to 63 capital letters, digits and underscores, a letter first";
}
