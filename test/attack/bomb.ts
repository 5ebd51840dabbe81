import type { DocumentKind } from '../../src/contracts/page-content.ts'

/** A small file that costs much to read. `begins` are its first words, where its beginning can be read. */
export type Bomb = { name: string; kind: DocumentKind; begins: string | undefined; make(): Uint8Array }

export const begins = 'The report begins'
export const bomb = (kind: DocumentKind, name: string, make: () => Uint8Array): Bomb => ({ name, kind, begins, make })
/** One of which nothing need be read: what costs much comes before the first text ends. */
export const dud = (kind: DocumentKind, name: string, make: () => Uint8Array): Bomb => ({
  ...bomb(kind, name, make),
  begins: undefined,
})
