import type { PagesHooks } from "../../generated/models/pages/model.ts";

export const fills = { before_create: ["slug"] } as const satisfies PagesHooks["fills"];

export const before_create: PagesHooks["before_create"] = (page) => {
  page.slug ??= page.title.toLowerCase();
};

export const before_upsert: PagesHooks["before_upsert"] = (page) => {
  if (page.id === undefined) page.slug = page.slug.toLowerCase();
};
