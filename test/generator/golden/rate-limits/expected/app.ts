// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type {} from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type { EachTypes } from "./models/each/model.ts";
import type { FlatTypes } from "./models/flat/model.ts";
import type { PlainTypes } from "./models/plain/model.ts";
import type { SomeTypes } from "./models/some/model.ts";
import type { UnlimitedTypes } from "./models/unlimited/model.ts";

/** What this app has, by name: so the types of `kirak` know it, those of `context.db` for one. */
declare module "kirak" {
  interface Register {
    models: {
      flat: FlatTypes;
      each: EachTypes;
      some: SomeTypes;
      unlimited: UnlimitedTypes;
      plain: PlainTypes;
      users: UsersTypes;
    };
  }
}
