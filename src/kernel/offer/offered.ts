/** The tools that a reader was offered, by their names: no text for it names another. */
export type Offered = Pick<ReadonlySet<string>, 'has'>

/** For readers who choose among all of them. */
export const allOffered: Offered = { has: () => true }
