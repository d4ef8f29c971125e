import { ServiceError } from "kirak";
import type { LoansHooks } from "../../generated/models/loans/model.ts";

export const before_fetch = () => {
  throw new ServiceError("OVERDUE");
};

export const before_create: LoansHooks["before_create"] = (loan) => ({
  ...loan,
  title: loan.title.trim(),
});

const given = { first: "1", second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8 };
const wanted: { first: number; second: number; third: number; fourth: number; fifth: number } = given;
export const after_fetch = (rows: readonly object[]) => [...rows, wanted].slice(0, -1);
