import { fixedPaths, pathsCollide } from "../../vocabulary/built-in-routes.ts";
import { defaults } from "../definition/defaults.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { RawManifest } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";

/** A mounted path that is not a model. */
interface Mount {
  readonly path: string;
  readonly what: string;
  /** The manifest's key for the path; null without one. */
  readonly at: SourceSpan | null;
}

/** Slugs and prefixes that block another route. Modules count even when switched off, except `mcp`, which is younger than apps. */
export function checkRoutes({ models, manifest, report }: CheckContext): void {
  const mounts = mountsOf(manifest);
  for (const [index, mount] of mounts.entries()) {
    const other = mounts.slice(0, index).find((earlier) => pathsCollide(earlier.path, mount.path));
    const at = mount.at ?? other?.at ?? null;
    if (other !== undefined && at !== null) {
      report(
        "route-collision",
        at,
        `${mount.what} at ${mount.path} and ${other.what} at ${other.path} have conflicting paths`,
      );
    }
  }
  const prefix = manifest?.servicePrefix?.value ?? "";
  const outer = mounts.find(
    (mount) => !mount.path.startsWith(`${prefix}/`) && pathsCollide(mount.path, prefix),
  );
  if (outer !== undefined && manifest?.servicePrefix) {
    report(
      "route-collision",
      manifest.servicePrefix.at,
      `the model routes under ${prefix} and ${outer.what} at ${outer.path} have conflicting paths`,
    );
    return;
  }
  for (const model of models.filter(({ builtIn }) => !builtIn)) {
    const slug = model.slug?.value ?? model.key;
    const other = mounts.find((mount) => pathsCollide(mount.path, `${prefix}/${slug}`));
    if (other === undefined) continue;
    const hint = model.slug === null ? 'give the model another "slug"' : "choose another slug";
    report(
      "route-collision",
      model.slug?.at ?? model.at,
      `slug "${slug}" of model "${model.key}" conflicts with ${other.what} at ${other.path}`,
      hint,
    );
  }
}

/** All mounted paths except those of models. Without a manifest, the default paths. */
export function mountsOf(manifest: RawManifest | null): Mount[] {
  const { servicePrefix = null, authPrefix = null } = manifest ?? {};
  const storageSlug = manifest?.storage.slug ?? null;
  return [
    { path: fixedPaths.health, what: "the health check", at: null },
    { path: fixedPaths.ready, what: "the readiness check", at: null },
    { path: fixedPaths.admin, what: "the admin routes", at: null },
    { path: fixedPaths.monitoring, what: "monitoring", at: null },
    { path: `${servicePrefix?.value ?? ""}/graphql`, what: "GraphQL", at: servicePrefix?.at ?? null },
    ...(manifest === null || manifest.mcp === null
      ? []
      : [{ path: `${servicePrefix?.value ?? ""}/mcp`, what: "the module mcp", at: manifest.mcp.at }]),
    {
      path: authPrefix?.value ?? defaults.authPrefix,
      what: "the account routes",
      at: authPrefix?.at ?? null,
    },
    { path: `/${storageSlug?.value ?? defaults.storageSlug}`, what: "storage", at: storageSlug?.at ?? null },
  ];
}
