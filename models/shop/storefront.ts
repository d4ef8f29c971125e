import type { CodeContext } from "kirak";

/** Asks the storefront to rebuild pages of books. It also rebuilds them each hour, so this needs no job. */
export async function refreshPages(
  slugs: readonly string[],
  { log }: Pick<CodeContext, "log">,
): Promise<void> {
  const storefront = process.env["STOREFRONT_URL"];
  if (storefront === undefined) return;
  const response = await fetch(new URL("/refresh", storefront), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ slugs }),
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) log.warn({ status: response.status }, "the storefront has not refreshed its pages");
}
