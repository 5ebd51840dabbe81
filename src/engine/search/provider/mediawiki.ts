import { z } from 'zod'
import { SearchError } from '../../../contracts/search.ts'
import type { ApiRequest } from '../../net/http/api-client.ts'
import { type Api, askJson } from './ask.ts'

const Failed = z.object({ error: z.object({ code: z.string() }) })

/** Asks a MediaWiki, which tells failures in answers with status 200. */
export async function askMediaWiki(api: Api, request: ApiRequest): Promise<unknown> {
  const answer = await askJson(api, request)
  const failed = Failed.safeParse(answer)
  if (!failed.success) return answer
  const { code } = failed.data.error
  if (code === 'ratelimited') throw new SearchError('rate limited', 'It takes no more requests for now.')
  if (/^(?:maxlag|readonly|internal_api_error|cirrussearch-\w*(?:busy|timeout|backend))/.test(code))
    throw new SearchError('unreachable', 'It cannot answer at the moment.')
  throw new SearchError('refused', 'It does not take this request.', { pauseMs: 0 })
}

/** How its operators wish to be told whom to ask about a program. */
export const contactHeader = (email: string | undefined): Record<string, string> =>
  email === undefined ? {} : { 'api-user-agent': `gossamer (${email})` }
