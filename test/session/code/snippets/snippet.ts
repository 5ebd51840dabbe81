/** A use of Playwright's API as its documentation shows it: what it is about, the code, and its value. */
export type Snippet = readonly [about: string, code: string, value: unknown]
