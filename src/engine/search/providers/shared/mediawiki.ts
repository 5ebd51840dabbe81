import { z } from 'zod'
import { ProviderError } from '../../../../contracts/search-port.ts'
import { parseJson } from './call-api.ts'

const ErrorResponse = z.object({ error: z.object({ code: z.string() }) })

/** The answer of a MediaWiki API, which reports errors with status 200. */
export function parseMediaWiki(answer: string): unknown {
  const response = parseJson(answer)
  const failed = ErrorResponse.safeParse(response)
  if (!failed.success) return response
  const { code } = failed.data.error
  if (code === 'ratelimited') throw new ProviderError('rate limited', 'It accepts no more requests for now.')
  if (/^(?:maxlag|readonly|internal_api_error|cirrussearch-\w*(?:busy|timeout|backend))/.test(code))
    throw new ProviderError('unreachable', 'It cannot answer at the moment.')
  throw new ProviderError('refused', 'It does not take this request.', { pauseMs: 0 })
}

/** Wikimedia asks API clients to name a contact. */
export const contactHeader = (email: string | undefined): Record<string, string> =>
  email === undefined ? {} : { 'api-user-agent': `gossamer (${email})` }
