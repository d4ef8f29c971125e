import { invalid } from "../../../errors/index.ts";
import { SocialFailure } from "../social-failure.ts";

/** The code that the provider gave to the browser. Errors: 400 `VALIDATION_ERROR` where it is missing, `SocialFailure`. */
export function requireCode(form: ReadonlyMap<string, string>): string {
  refuseRefusal(form);
  const code = form.get("code") ?? "";
  if (code === "") throw invalid([{ field: "code", message: "is required" }]);
  return code;
}

/** The person, or the provider, said no. Errors: `SocialFailure`. */
export function refuseRefusal(form: ReadonlyMap<string, string>): void {
  const error = form.get("error");
  if (error !== undefined) throw new SocialFailure(`the provider came back with ${known(error)}`);
}

/** What a stranger puts there goes into no log. */
function known(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : "an error";
}
