import { readFile } from 'node:fs/promises'
import type { FetchPage } from '../core/fetch.ts'
import type { Log } from '../core/log.ts'

export const readLists = (places: readonly string[], fetchPage: FetchPage, log: Log): Promise<string[]> =>
  Promise.all(places.map((place) => listAt(place, fetchPage, log)))

/** A list that cannot be read blocks nothing; pages come all the same. */
async function listAt(place: string, fetchPage: FetchPage, log: Log): Promise<string> {
  try {
    return /^https?:/i.test(place) ? await listFrom(place, fetchPage) : await readFile(place, 'utf8')
  } catch (error) {
    log.warn('blockList', { place, error })
    return ''
  }
}

const listWaitMs = 10_000
const maxListBytes = 20_000_000

async function listFrom(url: string, fetchPage: FetchPage): Promise<string> {
  const signal = AbortSignal.timeout(listWaitMs)
  const { status, body } = await fetchPage({
    url,
    headers: {},
    skipTlsVerification: false,
    maxBytes: maxListBytes,
    signal,
  })
  if (status !== 200) throw new Error(`The list answered with status ${status}`)
  return Buffer.from(body).toString()
}
