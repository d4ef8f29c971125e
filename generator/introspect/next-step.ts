import { renderDiagnostics } from "../diagnostics/index.ts";
import { generate } from "../pipeline/generate.ts";
import type { IntrospectOptions } from "./introspect-options.ts";

/** What `npm run generate` will say of the models of an introspected database, and the command to go on with; 2 where it refuses them. */
export async function nextStep(
  options: Pick<IntrospectOptions, "root" | "models" | "manifest" | "out">,
): Promise<{ readonly text: string; readonly exitCode: 0 | 2 }> {
  const result = await generate({
    ...options,
    ...{ mode: "preview", force: false, accepted: [], rebase: [], base: null, compile: false },
  });
  const { sources, problems, exitCode } = result;
  // Those are listed by then.
  const diagnostics = result.diagnostics.filter(({ code }) => code !== "orphan-hook");
  const shown = diagnostics.length === 0 ? "" : `${renderDiagnostics(diagnostics, sources)}\n`;
  if (exitCode === 2) return { text: shown, exitCode };
  const reasons = problems.map(({ message, details }) => `${message}\n${details}`).join("");
  const next = problems.at(-1)?.fix ?? "npm run generate";
  const text = `${shown}${reasons}next${reasons === "" ? "" : ", once you have read that"}: ${next}\n`;
  return { text, exitCode: 0 };
}
