// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { MailValue } from "kirak";
import type { BuiltInUsersTypes as UsersTypes } from "kirak/users";
import type askForReviewsJob from "../models/jobs/ask-for-reviews.ts";
import type cancelUnpaidJob from "../models/jobs/cancel-unpaid.ts";
import type { AnnouncementsTypes } from "./models/announcements/model.ts";
import type { AuthorsTypes } from "./models/authors/model.ts";
import type { BooksTypes } from "./models/books/model.ts";
import type { CustomersTypes } from "./models/customers/model.ts";
import type { GiftCardsTypes } from "./models/gift_cards/model.ts";
import type { OrderItemsTypes } from "./models/order_items/model.ts";
import type { OrdersTypes } from "./models/orders/model.ts";
import type { ReviewsTypes } from "./models/reviews/model.ts";
import type { ShipmentsTypes } from "./models/shipments/model.ts";
import type { StockMovementsTypes } from "./models/stock_movements/model.ts";

/** Names of this app's parts, which types of `kirak` use, such as `context.db`. */
declare module "kirak" {
  interface Register {
    models: {
      authors: AuthorsTypes;
      books: BooksTypes;
      customers: CustomersTypes;
      orders: OrdersTypes;
      order_items: OrderItemsTypes;
      shipments: ShipmentsTypes;
      reviews: ReviewsTypes;
      gift_cards: GiftCardsTypes;
      announcements: AnnouncementsTypes;
      stock_movements: StockMovementsTypes;
      users: UsersTypes;
    };
    errors: "OUT_OF_STOCK" | "ORDER_CANCELLED";
    jobs: {
      "ask-for-reviews": typeof askForReviewsJob;
      "cancel-unpaid": typeof cancelUnpaidJob;
    };
    mails: {
      "ask-for-reviews": { name: MailValue; titles: MailValue };
      shipped: {
        carrier: MailValue;
        name: MailValue;
        reference: MailValue;
        tracking_code?: MailValue | null;
      };
    };
  }
}
