const marks = /^<{7} [\s\S]*^={7}$[\s\S]*^>{7} /m;

/** Whether a text has the marks of a merge that nobody resolved. */
export function hasMergeMarks(text: string): boolean {
  return marks.test(text);
}
