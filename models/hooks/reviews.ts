import type { ReviewsHooks } from "../../generated/models/reviews/model.ts";
import { refreshRatings } from "../shop/totals.ts";

export const fills = { before_create: ["customer_id"], before_upsert: ["customer_id"] } as const;

/** A review is always the caller's own; only role `user` may write one. */
export const before_create: ReviewsHooks["before_create"] = (review, { principal }) => {
  review.customer_id = Number(principal.user_id);
};

export const before_upsert = before_create;

/** From the moment that staff decided, the customer may no longer change the review. */
export const before_update: ReviewsHooks["before_update"] = ({ data }) => {
  if (data.status !== undefined) data.moderated_at = new Date().toISOString();
};

export const before_restore = before_update;

export const after_update: ReviewsHooks["after_update"] = async (result, { transaction }) => {
  await refreshRatings(transaction, result.updated_ids);
};

export const after_delete: ReviewsHooks["after_delete"] = async (result, { transaction }) => {
  await refreshRatings(transaction, result.deleted_ids);
};

export const after_restore: ReviewsHooks["after_restore"] = async (result, { transaction }) => {
  await refreshRatings(transaction, result.restored_ids);
};
