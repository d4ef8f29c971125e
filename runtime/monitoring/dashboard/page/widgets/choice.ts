import { element } from "../dom.ts";

/** Offers `any` and these values in a list; what is chosen stays, whether it is still one of them or not. */
export function offer(list: HTMLSelectElement, values: readonly string[]): void {
  const chosen = list.value;
  const offered = [...new Set(["", chosen, ...values])].sort();
  if (offered.join("\n") === [...list.options].map(({ value }) => value).join("\n")) return;
  list.replaceChildren(...offered.map((value) => element("option", { value }, value === "" ? "any" : value)));
  list.value = chosen;
}
