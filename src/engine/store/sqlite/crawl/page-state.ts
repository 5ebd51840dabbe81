/**
 * The numbers in `crawl_page.state`. Statements take them from here by name. The partial indexes and triggers of the
 * schema contain the same numbers, so that none of them can ever be given to another state.
 */
export const pageState = {
  waiting: 0,
  active: 1,
  done: 2,
  failed: 3,
  dropped: 4,
  /** Not a page to visit: the URL that a redirected page ended at, so that no other page is stored for it. */
  redirectTarget: 5,
} as const
