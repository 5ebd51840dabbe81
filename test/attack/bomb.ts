import type { DocumentKind } from '../../src/contracts/page-content.ts'

/** A small file that is expensive to read. `begins` contains its first words, if its beginning can be read. */
export type Bomb = { name: string; kind: DocumentKind; begins: string | undefined; make(): Uint8Array }

export const begins = 'The report begins'
export const bomb = (kind: DocumentKind, name: string, make: () => Uint8Array): Bomb => ({ name, kind, begins, make })
/** A bomb that may be refused, because its expensive part comes before its first text ends. */
export const dud = (kind: DocumentKind, name: string, make: () => Uint8Array): Bomb => ({
  ...bomb(kind, name, make),
  begins: undefined,
})
