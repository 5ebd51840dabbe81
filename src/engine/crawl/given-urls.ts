import { fail } from '../../kernel/error.ts'
import { webUrlIn } from '../../schema/common-fields.ts'
import { inTurns } from '../../util/async.ts'

/** Looked at in one turn of the event loop: of wrong ones, which take longest, a few milliseconds. */
const aTurn = 500
const maxListed = 20

/** The URLs of a call that are URLs, and the others. Fails with BAD_REQUEST where there are others and they are not to be skipped, or nothing else. */
export async function checkUrls(
  urls: readonly string[],
  { ignoreInvalidURLs }: { ignoreInvalidURLs: boolean },
): Promise<{ valid: string[]; invalidURLs: string[] }> {
  const valid: string[] = []
  const invalidAt: number[] = []
  let index = 0
  for await (const some of inTurns(urls, aTurn))
    for (const url of some) {
      const page = webUrlIn(url)
      if (page === undefined) invalidAt.push(index)
      else valid.push(page)
      index += 1
    }
  const invalidURLs = invalidAt.map((at) => urls[at] ?? '')
  if (valid.length === 0 || (invalidURLs.length > 0 && !ignoreInvalidURLs)) refuse(invalidAt)
  return { valid, invalidURLs }
}

const faultAt = (index: number) => ({ path: ['urls', index], message: 'Not an http or https URL.', code: 'custom' })

const refuse = (invalidAt: readonly number[]): never =>
  fail('BAD_REQUEST', { details: invalidAt.slice(0, maxListed).map(faultAt) })
