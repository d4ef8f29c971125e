import type { FoundModels } from "#generator/introspect/as-found/adopt-as-found";
import { adoptHasura } from "#generator/introspect/hasura/adopt-hasura";
import { readHasuraMetadata } from "#generator/introspect/hasura/hasura-metadata";
import type { CatalogSchema } from "#vocabulary/migrations/catalog";
import { readMetadataFolder } from "./metadata-folder.ts";

/** A Hasura project, and how it describes the tables of its database. */
export interface HasuraProject {
  /** The schemas of its tables, with commas; `public` is the first. */
  readonly schemas: string;
  adopt(guest: string | null): (schemas: readonly CatalogSchema[], options: Options) => FoundModels;
}

type Options = Parameters<typeof adoptHasura>[1];

/** Names of the role of callers without a credential, the likely one first. */
const usualGuests = ["anonymous", "public"];

/** Reads the metadata folder of a Hasura project. Throws `CommandError` for a folder that cannot be read. */
export async function readHasura(folder: string, root: string): Promise<HasuraProject> {
  const { databases, files } = await readMetadataFolder(folder, root);
  const metadata = readHasuraMetadata(databases, files);
  const found = metadata.tables.map(({ schema }) => schema);
  const roles = metadata.tables.flatMap(({ permissions }) => permissions.map(({ role }) => role));
  const usual = usualGuests.find((name) => roles.includes(name)) ?? null;
  return {
    schemas: [...new Set(["public", ...found.toSorted()])].join(","),
    adopt: (guest) => (schemas, options) =>
      adoptHasura(schemas, options, { metadata, guest: guest ?? usual }),
  };
}
