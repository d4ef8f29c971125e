// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as authors } from "./models/authors/routes.ts";
import { routes as books } from "./models/books/routes.ts";
import { routes as closets } from "./models/closets/routes.ts";
import { model as desks } from "./models/desks/model.ts";
import { policy as desksPolicy } from "./models/desks/policy.ts";
import { validators as desksValidators } from "./models/desks/validators.ts";
import { model as drawers } from "./models/drawers/model.ts";
import { policy as drawersPolicy } from "./models/drawers/policy.ts";
import { validators as drawersValidators } from "./models/drawers/validators.ts";
import { routes as figures } from "./models/figures/routes.ts";
import { routes as lineItems2 } from "./models/LineItems/routes.ts";
import { routes as lineItems } from "./models/line_items/routes.ts";
import { routes as notes } from "./models/notes/routes.ts";
import { model as safes } from "./models/safes/model.ts";
import { policy as safesPolicy } from "./models/safes/policy.ts";
import { validators as safesValidators } from "./models/safes/validators.ts";
import { routes as tickets } from "./models/tickets/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "minimal",
  models: [authors, books, notes, closets, figures, lineItems, lineItems2, tickets],
  internalModels: [
    { model: desks, policy: desksPolicy, validators: desksValidators },
    { model: drawers, policy: drawersPolicy, validators: drawersValidators },
    { model: safes, policy: safesPolicy, validators: safesValidators },
  ],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});
