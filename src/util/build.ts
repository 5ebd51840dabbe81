/** Set by `scripts/build.ts`; there is none where the program runs from its sources. */
declare const bundledSources: string | undefined

/** Differs for each state of the program. One that runs from its sources is like no other as long as it runs: they may change. */
export const build = typeof bundledSources === 'string' ? bundledSources : `sources ${process.pid}`
