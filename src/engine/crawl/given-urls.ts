import { fail } from '../../kernel/error.ts'
import { WebUrl } from '../../schema/url.ts'

/** The URLs of a call that are URLs, and the others. Fails with BAD_REQUEST where there are others and they are not to be skipped, or nothing else. */
export function checkUrls(
  urls: readonly string[],
  { ignoreInvalidURLs }: { ignoreInvalidURLs: boolean },
): { valid: string[]; invalidURLs: string[] } {
  const checked = urls.map((url) => ({ url, page: WebUrl.safeParse(url).data }))
  const invalidURLs = checked.filter(({ page }) => page === undefined).map(({ url }) => url)
  const valid = checked.flatMap(({ page }) => (page === undefined ? [] : [page]))
  if (valid.length === 0 || (invalidURLs.length > 0 && !ignoreInvalidURLs)) refuse(checked)
  return { valid, invalidURLs }
}

const maxListed = 20

function refuse(checked: readonly { page: string | undefined }[]): never {
  const faults = checked.flatMap(({ page }, index) =>
    page === undefined ? [{ path: ['urls', index], message: 'Not an http or https URL.', code: 'custom' }] : [],
  )
  return fail('BAD_REQUEST', { details: faults.slice(0, maxListed) })
}
