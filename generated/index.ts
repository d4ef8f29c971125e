// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { defineAuthHooks } from "kirak/hooks";
import type { UsersAuthHooks } from "kirak/users";
import * as authHooks from "../models/hooks/auth.ts";
import askForReviewsJob from "../models/jobs/ask-for-reviews.ts";
import cancelUnpaidJob from "../models/jobs/cancel-unpaid.ts";
import paymentsRoutes from "../models/routes/payments.ts";
import { routes as announcements } from "./models/announcements/routes.ts";
import { routes as authors } from "./models/authors/routes.ts";
import { routes as books } from "./models/books/routes.ts";
import { routes as customers } from "./models/customers/routes.ts";
import { routes as giftCards } from "./models/gift_cards/routes.ts";
import { routes as orderItems } from "./models/order_items/routes.ts";
import { routes as orders } from "./models/orders/routes.ts";
import { routes as reviews } from "./models/reviews/routes.ts";
import { routes as shipments } from "./models/shipments/routes.ts";
import { model as stockMovements } from "./models/stock_movements/model.ts";
import { policy as stockMovementsPolicy } from "./models/stock_movements/policy.ts";
import { validators as stockMovementsValidators } from "./models/stock_movements/validators.ts";

/** The service, which `npm start` runs. */
export const service = defineService({
  name: "bookshop",
  models: [authors, books, customers, orders, orderItems, shipments, reviews, giftCards, announcements],
  internalModels: [
    { model: stockMovements, policy: stockMovementsPolicy, validators: stockMovementsValidators },
  ],
  accounts: { hooks: defineAuthHooks<UsersAuthHooks>()(authHooks) },
  graphql: { hooks: {} },
  routes: [paymentsRoutes],
  errors: {
    OUT_OF_STOCK: { status: 409, description: "There are fewer copies than this order takes." },
    ORDER_CANCELLED: { status: 409, description: "This order is cancelled, and stays so." },
  },
  jobs: {
    "ask-for-reviews": askForReviewsJob,
    "cancel-unpaid": cancelUnpaidJob,
  },
  mails: ["ask-for-reviews", "shipped"],
  migrations: new URL("./migrations/", import.meta.url),
  folder: new URL("./", import.meta.url),
});
