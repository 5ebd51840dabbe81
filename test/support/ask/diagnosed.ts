import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { rawPdf, stream } from '../../document/pdf/raw-pdf.ts'
import type { Site } from '../../helpers/site.ts'
import { service } from './kit.ts'

export type Input = Record<string, unknown>
export type Service = ReturnType<typeof service>

/** A user's question about a past call, and the parts of a right diagnosis. */
export type Unseen = {
  name: string
  asks: string
  /** A correct answer contains all of these. */
  says: RegExp[]
  /**
   * Parameters that a right answer sets, any of these; null where no parameter of the caller helps. A value of null: leave it
   * out; a function says of a value whether it helps.
   */
  fixes: (Input | null)[]
}
export const atLeast = (least: number) => (value: unknown) => typeof value === 'number' && value >= least

const words = 'Some words of the page, enough of them to be read as its content by whoever reads it. '.repeat(5)
export const page = (more = '') =>
  `<!doctype html><title>A page</title><main><h1>A page</h1><p>${words}</p>${more}</main>`
export const linksTo = (...urls: string[]) => urls.map((url) => `<a href="${url}">To ${url}</a>`).join(' ')

const sheet = '/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>'
const said = (text: string) => stream(`BT /F1 12 Tf 60 780 Td (${text}) Tj ET`)
/** A PDF of two pages. */
export const report = rawPdf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>',
  `<< ${sheet} /Contents 4 0 R >>`,
  said('The report of the harbour begins with the boats of the year.'),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
  `<< ${sheet} /Contents 7 0 R >>`,
  said('On its second page it says what they brought.'),
])

type Call = [operation: string, input: () => Input, code?: string]

/** The calls of a user before asking, each with the error that it ends in. */
export const did =
  (...calls: Call[]) =>
  async (): Promise<Service> => {
    const made = service()
    for (const [operation, input, expected] of calls) expect((await made.call(operation, input())).code).toBe(expected)
    return made
  }

/** The user's calls before the question, on the site that `siteOf` returns. */
export const doing = (siteOf: () => Site) => ({
  scraped: (path: string, options: Input = {}, code?: string) => {
    const input = () => ({ url: siteOf().url(path), ...options })
    return did(code === undefined ? ['scrape', input] : ['scrape', input, code])
  },
  crawled:
    (path: string, options: () => Input = () => ({})) =>
    async (): Promise<Service> => {
      const made = service()
      await made.crawl({ url: siteOf().url(path), ...options() })
      return made
    },
})

const isNeutral = (value: unknown) =>
  value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0)
const isRight = (given: unknown, wanted: unknown): boolean =>
  typeof wanted === 'function'
    ? wanted(given) === true
    : wanted === null
      ? isNeutral(given)
      : isDeepStrictEqual(given, wanted)
const isFix = (given: Input | null, wanted: Input | null): boolean =>
  given === null || wanted === null
    ? given === wanted
    : Object.keys(given).length === Object.keys(wanted).length &&
      Object.entries(wanted).every(([name, value]) => name in given && isRight(given[name], value))

/** Each situation is created for real, its question asked, and the answer compared with a correct one. */
export function diagnosed(
  title: string,
  situations: readonly Unseen[],
  done: Readonly<Record<string, () => Promise<Service>>>,
): void {
  describe(`a situation ${title}`, () => {
    for (const { name, asks, says, fixes } of situations)
      test(name, async () => {
        const made = await done[name]?.()
        const answered = await made?.ask(asks)
        for (const part of says) expect(answered?.answer).toMatch(part)
        expect(
          fixes.some((fix) => isFix(answered?.fixParameters ?? null, fix)),
          JSON.stringify(answered),
        ).toBe(true)
        expect(answered?.feedback).toBeNull()
      })
  })
}
