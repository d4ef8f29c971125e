/** Ids of what one create made, a single row or several. */
export function createdIds<Id>(created: { id?: Id } | { inserted_ids: Id[] }): Id[] {
  if ("inserted_ids" in created) return created.inserted_ids;
  return created.id === undefined ? [] : [created.id];
}
