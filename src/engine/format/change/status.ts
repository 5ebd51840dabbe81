import type { Snapshot } from '../../../core/crawl.ts'

/** What a scrape saw of a page. `at`: when its content was fetched, ms since the epoch. */
export type Sight = {
  status: number
  at: number
  /** Whether the content comes from the cache. */
  origin: 'site' | 'cache'
  /** What came in place of the page; a shell is filled by scripts. */
  standIn: 'bot check' | 'shell without text' | undefined
}
type ChangeStatus = 'new' | 'same' | 'changed' | 'removed'

/** Whether a page came, is gone, or says nothing about either; half a page (206) and no content (204, 205) say nothing. */
export function stateOf({ status, standIn }: Sight, text: string): 'here' | 'gone' | 'unknown' {
  if (standIn) return 'unknown'
  if (status === 404 || status === 410) return 'gone'
  return status >= 200 && status < 300 && ![204, 205, 206].includes(status) && text !== '' ? 'here' : 'unknown'
}

/** `text` is null for a page that is gone. */
export function changeStatus(previous: Snapshot | undefined, text: string | null, sight: Sight): ChangeStatus {
  if (text === null) return 'removed'
  if (!previous) return 'new'
  // The page the snapshot was made of, though perhaps read with other options.
  const isItself = sight.origin === 'cache' && sight.at === previous.at
  return isItself || previous.markdown === text ? 'same' : 'changed'
}
