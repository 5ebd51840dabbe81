import type { PageContent } from '../../../contracts/page-content.ts'

const ending = /^(.*\S)\s*(?:\s[-–—·•:»]{1,2}\s|\|)\s*([^|]+?)\s*$/su

/** A title of a page without the name of its site at its end, as in `Rope | The Shop` and `Rope - shop.example`. */
export function withoutSite(title: string, page: Pick<PageContent, 'metadata'>): string {
  const [, own, last = ''] = ending.exec(title.slice(0, maxTitle)) ?? []
  return own !== undefined && namesOfSite(page).includes(letters(last)) ? own : title
}

const maxTitle = 1000

/** What the page calls its site, and what its address does: the host, and each part of it but the last. */
function namesOfSite({ metadata = {} }: Pick<PageContent, 'metadata'>): string[] {
  const said = [metadata['ogSiteName'], metadata['application-name']].flatMap((name) => textOf(name) ?? [])
  const hosts = [metadata['canonical'], metadata['ogUrl']].flatMap(
    (url) => URL.parse(textOf(url) ?? '')?.hostname.replace(/^www\./, '') ?? [],
  )
  const labels = hosts.flatMap((host) => host.split('.').slice(0, -1))
  return [...said, ...hosts, ...labels].map(letters).filter((name) => name !== '')
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Names of sites are written together in addresses, and in any case. */
const letters = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
