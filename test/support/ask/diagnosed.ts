import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { SupportAnswer } from '../../../src/engine/support/ask/ask-support.ts'
import { rawPdf, stream } from '../../document/pdf/raw-pdf.ts'
import type { Site } from '../../helpers/site.ts'
import { service } from './kit.ts'

export type Input = Record<string, unknown>
export type Service = ReturnType<typeof service>

type Expected = {
  /** A correct answer contains all of these. */
  says: RegExp | readonly RegExp[]
  /**
   * Parameters that a correct answer sets: one of these, or null if no parameter helps. A value of null removes the
   * parameter; a function decides if a value helps.
   */
  fix?: Input | null | readonly (Input | null)[]
  result?: 'success' | 'failure' | 'skipped'
  confidence?: SupportAnswer['confidence']
}
/**
 * A user's question about past calls, in which SITE is the origin of the site; a function that makes these calls; and
 * the right diagnosis.
 */
export type Case = [asks: string, past: () => Promise<Service>, expected: Expected]

export const atLeast = (least: number) => (value: unknown) => typeof value === 'number' && value >= least

const words = 'Some words of the page, enough of them to be read as its content by whoever reads it. '.repeat(5)
export const page = (more = '') =>
  `<!doctype html><title>A page</title><main><h1>A page</h1><p>${words}</p>${more}</main>`
export const linksTo = (...urls: string[]) => urls.map((url) => `<a href="${url}">To ${url}</a>`).join(' ')

const sheet = '/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>'
const pageShowing = (text: string) => stream(`BT /F1 12 Tf 60 780 Td (${text}) Tj ET`)
/** A PDF of two pages. */
export const report = rawPdf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>',
  `<< ${sheet} /Contents 4 0 R >>`,
  pageShowing('The report of the harbour begins with the boats of the year.'),
  '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
  `<< ${sheet} /Contents 7 0 R >>`,
  pageShowing('On its second page it says what they brought.'),
])

/** Calls of a user before asking, on the site that `siteOf` returns. */
export function pastOn(siteOf: () => Site) {
  const inputAt = (path: string, options: Input) => ({
    url: URL.canParse(path) ? path : siteOf().url(path),
    ...options,
  })
  return {
    scraped:
      (path: string, options: Input = {}, env: Record<string, string> = {}) =>
      async (): Promise<Service> => {
        const made = service(env)
        await made.call('scrape', inputAt(path, options))
        return made
      },
    crawled:
      (path: string, options: Input = {}) =>
      async (): Promise<Service> => {
        const made = service()
        await made.crawl(inputAt(path, options))
        return made
      },
    /** A call that ends in this error. */
    failed: (code: string, operation: string, input: () => Input) => async (): Promise<Service> => {
      const made = service()
      expect((await made.call(operation, input())).code).toBe(code)
      return made
    },
  }
}

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
export function diagnosed(siteOf: () => Site, cases: readonly Case[]): void {
  test.each(cases)('%s', async (asks, past, { says, fix = null, result, confidence }) => {
    const { ask } = await past()
    const answered = await ask(asks.replaceAll('SITE', siteOf().origin))
    for (const part of [says].flat()) expect(answered?.answer).toMatch(part)
    const [ownWords = ''] = answered?.answer.split(' The documentation says:') ?? []
    expect([2, 3, 4, 5], answered?.answer).toContain(ownWords.split(/(?<=[.!?]) (?=[A-Z])/).length)
    const given = answered?.fixParameters ?? null
    expect(
      [fix].flat().some((wanted) => isFix(given, wanted)),
      JSON.stringify(answered),
    ).toBe(true)
    expect(answered?.feedback).toBeNull()
    if (result) expect(answered?.validation).toMatchObject({ result, tested: result !== 'skipped' })
    if (confidence) expect(answered).toMatchObject({ confidence })
  })
}
