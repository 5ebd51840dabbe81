/** The package as a library: its entry is what others import by the name of the package. */
export { createGossamer, type Gossamer, type GossamerOptions } from './gossamer.ts'
export { GossamerError } from './error.ts'
export { version } from '../version.ts'
export type * from './api.ts'
export type { CallOptions, EachOptions, PageHandler, PagesOptions } from './options.ts'
