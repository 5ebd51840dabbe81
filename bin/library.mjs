/* An old Node reads what is imported before it runs anything, and may not understand it; the library is therefore loaded once the version is known. */
import { createRequire } from 'node:module'
import fault from './node-version.cjs'

if (fault) throw new Error(fault + '.')

export const { createGossamer, GossamerError, version } = createRequire(import.meta.url)('../dist/index.js')
