import type { ReviewsHooks } from "../../generated/models/reviews/model.ts";
import { refreshRatings } from "../shop/totals.ts";

export const fills = { before_create: ["customer_id"], before_upsert: ["customer_id"] } as const;

/** The caller is always the author; only role `user` can write reviews. */
export const before_create: ReviewsHooks["before_create"] = (review, { principal }) => {
  review.customer_id = Number(principal.user_id);
};

export const before_upsert = before_create;

/** After `moderated_at` is set, the customer cannot change the review. */
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
