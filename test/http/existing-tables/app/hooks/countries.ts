import type { CountriesHooks } from "../generated/models/countries/model.ts";

/** Copies a sample by its answered values, to show that code reads and writes each type. */
export const before_create: CountriesHooks["before_create"] = async ({ name }, { db }) => {
  if (name !== "copy of 1") return;
  const [row] = await db.samples.fetch({ where: { id: 1 } });
  if (row === undefined) throw new Error("the sample is missing");
  const { id: _, created_at: __, updated_at: ___, tsvector_any: ____, ...fields } = row;
  await db.samples.create(fields);
};

export const fills = { before_create: [] } as const;
