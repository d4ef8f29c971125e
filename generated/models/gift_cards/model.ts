// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "gift_cards",
  typeName: "GiftCards",
  table: "gift_cards",
  slug: "gift_cards",
  id: "uuid",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    code: { kind: "string" },
    amount: {
      kind: "decimal",
      enum: ["10.00", "25.00", "50.00", "100.00"],
      decimal: { precision: 5, scale: 2 },
    },
    recipient_email: { kind: "email", searchable: true },
    message: { kind: "text", nullable: true },
    expires_on: { kind: "date" },
    redeemed_at: { kind: "datetime", nullable: true },
  },
  relations: {},
  uniqueKeys: [{ name: "gift_cards_code_key", fields: ["code"] }],
  foreignKeys: [],
});

/** Gift cards. The user with a card's e-mail address can read the card. */
export interface GiftCardsRow {
  id: string;
  code: string;
  amount: "10.00" | "25.00" | "50.00" | "100.00";
  recipient_email: string;
  message: string | null;
  expires_on: string;
  redeemed_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface GiftCardsCreate {
  id?: string;
  code: string;
  amount: "10.00" | "25.00" | "50.00" | "100.00";
  recipient_email: string;
  message?: string | null;
  expires_on: string;
  redeemed_at?: string | null;
}

export type GiftCardsUpdate = Partial<Omit<GiftCardsCreate, "id">>;
export type GiftCardsUpsert = GiftCardsCreate;
export type GiftCardsWhere = Where<typeof model>;
export type GiftCardsOrder = OrderBy<typeof model>;
export type GiftCardsSelection = Selection<typeof model>;

export interface GiftCardsTypes {
  row: GiftCardsRow;
  create: GiftCardsCreate;
  update: GiftCardsUpdate;
  upsert: GiftCardsUpsert;
  where: GiftCardsWhere;
  order: GiftCardsOrder;
  selection: GiftCardsSelection;
}

export type GiftCardsHooks = Hooks<GiftCardsTypes>;
