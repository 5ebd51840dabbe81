import { canonicalResult } from '../search/query/fuse.ts'
import { ownWords, type PageText } from './read-page.ts'

/** The file llms.txt (llmstxt.org): title and description of the site, and its pages by the first part of their path. */
export function listOf(pages: readonly PageText[], startUrl: string): string {
  const home = pages.find(({ url }) => canonicalResult(url) === canonicalResult(startUrl)) ?? pages[0]
  if (!home) return ''
  const suffix = commonSuffix(pages.map(({ title }) => title))
  const descriptions = Map.groupBy(pages, ({ description }) => description)
  const lineOf = (page: PageText): string => {
    // A description that several pages have is one of the site.
    const isShared = page !== home && (descriptions.get(page.description)?.length ?? 0) > 1
    const description = shortened(isShared ? ownWords(page) : page.description)
    const title = inLink(page.title.endsWith(suffix) ? page.title.slice(0, -suffix.length || undefined) : page.title)
    return `- [${title || inLink(new URL(page.url).pathname)}](${address(page.url)})${description && `: ${description}`}`
  }
  const head = [
    `# ${oneLine(home.title) || new URL(home.url).host}`,
    ...(home.description ? [`> ${shortened(home.description)}`] : []),
  ]
  const sections = [...sectionsOf(pages, startUrl)].map(
    ([name, inIt]) => `## ${name}\n\n${inIt.map(lineOf).join('\n')}`,
  )
  return `${[...head, ...sections].join('\n\n')}\n`
}

/** The file llms-full.txt: the text of each page below its title and address. */
export const fullText = (pages: readonly PageText[]): string =>
  `${pages.map(({ url, title, markdown }) => `Title: ${oneLine(title)}\nURL: ${url}\n\n${markdown.trim()}`).join('\n\n---\n\n')}\n`

const others = 'Pages'

/** A folder with one page is no section. */
function sectionsOf(pages: readonly PageText[], startUrl: string): Map<string, PageText[]> {
  const depth = new URL('.', startUrl).pathname.split('/').length - 1
  const folders = Map.groupBy(pages, ({ url }) => folderOf(url, depth))
  const sections = Map.groupBy(pages, ({ url }) => {
    const folder = folderOf(url, depth)
    return folder !== '' && (folders.get(folder)?.length ?? 0) > 1 ? folder : others
  })
  const loose = sections.get(others)
  sections.delete(others)
  return new Map([...(loose ? [[others, loose] as const] : []), ...sections])
}

/** The part of the path below the start, as a heading; empty for a page right below it. */
function folderOf(url: string, depth: number): string {
  const parts = new URL(url).pathname.split('/').slice(depth)
  const name = parts.length > 1 ? oneLine(decoded(parts[0] ?? '').replace(/[-_]+/g, ' ')) : ''
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Characters of a title; a longer end is no name of a site. */
const maxSuffix = 200

/** What most titles end with, such as ` | Acme`; empty where there is no such thing. */
function commonSuffix(titles: readonly string[]): string {
  const suffixes = Map.groupBy(titles, (title) => /\s[|–—·•-]\s[^|–—·•]+$/u.exec(title.slice(-maxSuffix))?.[0] ?? '')
  suffixes.delete('')
  const [best] = [...suffixes].toSorted(([, one], [, other]) => other.length - one.length)
  return best && best[1].length > 1 && best[1].length > titles.length / 2 ? best[0] : ''
}

const longest = 300

function shortened(text: string): string {
  const line = oneLine(text)
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const inLink = (text: string) => oneLine(text).replace(/[[\]]/g, (bracket) => `\\${bracket}`)
const address = (url: string) => url.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))
