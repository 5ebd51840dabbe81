import type { PageContent } from '../page-content.ts'

/** What earlier visits have shown of hosts. */
export type Hosts = {
  /** Whether pages of this host recently came empty without a browser. */
  needsBrowser(host: string): Promise<boolean>
  /** Whether browsers recently brought nothing more to pages of this host that seemed to lack a part. */
  isFilledInVain(host: string): Promise<boolean>
  /** Notes how a page of the host came out. */
  note(host: string, came: PageArrival): Promise<void>
}

/** Whole or empty without a browser; or, lacking a part, filled by a browser or not. */
export type PageArrival = 'whole' | 'empty' | 'filled' | 'not filled'

export type CachedPage = {
  fetchedAt: number
  url: string
  status: number
  headers: Readonly<Record<string, string>>
  /** Parts made earlier, by the options they were made with. */
  made: Readonly<Record<string, PageContent>>
}

/** Pages by key. The body is apart, so that a hit whose parts are already made never reads it. */
export type PageCache = {
  find(key: string): Promise<CachedPage | undefined>
  body(key: string): Promise<Uint8Array | undefined>
  /** The parts made of this very body at this address earlier, as those of a page; undefined where there is none such, however old. */
  madeOfSame(
    key: string,
    page: Pick<CachedPage, 'url' | 'headers'>,
    body: Uint8Array,
  ): Promise<CachedPage['made'] | undefined>
  keep(key: string, page: CachedPage, body: Uint8Array): Promise<void>
  /** Adds parts to a page that is still the one fetched at `fetchedAt`. */
  addMade(key: string, fetchedAt: number, variant: string, parts: PageContent): Promise<void>
}
