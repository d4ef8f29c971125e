// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { routes as classModel } from "./models/class/routes.ts";
import { routes as constructorModel } from "./models/constructor/routes.ts";
import { routes as json } from "./models/json/routes.ts";
import { routes as migrations } from "./models/migrations/routes.ts";
import { routes as orderItems } from "./models/order_items/routes.ts";
import { routes as orderItems2 } from "./models/orderItems/routes.ts";
import { routes as serviceModel } from "./models/service/routes.ts";

/** The service, which `npm start` runs. */
export const service = defineService({
  name: "reserved-words",
  models: [classModel, constructorModel, serviceModel, migrations, orderItems, orderItems2, json],
  internalModels: [],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
  folder: new URL("./", import.meta.url),
});
