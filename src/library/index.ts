export { createGossamer, GossamerError, type Gossamer, type GossamerOptions } from './gossamer.ts'
export { version } from '../version.ts'
export type * from './api.ts'
export type { CallOptions, EachOptions, PageHandler, PagesOptions } from './options.ts'
