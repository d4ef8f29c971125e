// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type {} from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type { ClassTypes } from "./models/class/model.ts";
import type { ConstructorTypes } from "./models/constructor/model.ts";
import type { JsonTypes } from "./models/json/model.ts";
import type { MigrationsTypes } from "./models/migrations/model.ts";
import type { OrderItemsTypes } from "./models/order_items/model.ts";
import type { OrderItems2Types } from "./models/orderItems/model.ts";
import type { ServiceTypes } from "./models/service/model.ts";

/** Names of this app's parts, which types of `kirak` use, such as `context.db`. */
declare module "kirak" {
  interface Register {
    models: {
      class: ClassTypes;
      constructor: ConstructorTypes;
      service: ServiceTypes;
      migrations: MigrationsTypes;
      order_items: OrderItemsTypes;
      orderItems: OrderItems2Types;
      json: JsonTypes;
      users: UsersTypes;
    };
  }
}
