import type { RequestRates } from '../../contracts/account-ports.ts'
import { endpoints } from '../../schema/team.ts'

/** The rates of entries such as `60`, for each endpoint, and `crawl=5`. Throws an Error that says what is wrong. */
export const ratesOf = (entries: readonly string[]): RequestRates => Object.fromEntries(entries.map(parseRate))

export function parseRate(entry: string): [endpoint: string, rate: number] {
  const [, endpoint = '*', digits = ''] = /^(?:([a-z_]+)=)?(\d{1,7})$/.exec(entry.trim()) ?? []
  const rate = Number(digits)
  if (rate < 1) throw new Error(`"${entry}" is no rate: it is a number of calls a minute, such as 60 or crawl=5`)
  if (endpoint !== '*' && !endpoints.some((name) => name === endpoint))
    throw new Error(`there is no endpoint "${endpoint}"; there are ${endpoints.join(', ')}`)
  return [endpoint, rate]
}
