import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { runtimeModels } from "#cli/conditions/index";
import { defaultPlaces } from "#generator/diagnostics/command";
import { readDefinition } from "#generator/pipeline/generate";
import { columnsOf, presetsOf } from "#runtime/models/index";
import type { Service } from "#runtime/server/service";

const root = resolve(import.meta.dirname, "..", "..", "..");
const apps = [".", "examples/tracker", "examples/clinic"];

describe("runtimeModels", () => {
  it.each(apps)("makes the models of generated/ in %s", async (app) => {
    const { definition } = await readDefinition({ root: join(root, app), ...defaultPlaces });
    if (definition === null) throw new Error("the models are invalid");
    const { service }: { service: Service } = await import(join(root, app, "generated", "index.ts"));
    const generated = [...service.models, ...service.internalModels].map(({ model }) => model);
    const made = runtimeModels(definition);
    expect([...made.keys()].sort()).toEqual(generated.map(({ key }) => key).sort());
    for (const model of generated) {
      const one = made.get(model.key);
      if (one === undefined) throw new Error(`there is no model ${model.key}`);
      // The built-in accounts have descriptions in addition.
      expect(model).toMatchObject(one);
      expect(columnsOf(one)).toEqual(columnsOf(model));
      expect(presetsOf(one)).toEqual(presetsOf(model));
    }
  });
});
