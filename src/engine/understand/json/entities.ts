import type { PageContent } from '../../../contracts/page-content.ts'
import { isRecord } from '../../../util/json.ts'
import { wordsOfName } from './names.ts'

export type Entity = Record<string, unknown>

/** They describe the site, list other pages, or are what somebody asks and answers on the page. */
const besides =
  /^(?:WebSite|Organization|Corporation|LocalBusiness|NewsMediaOrganization|BreadcrumbList|ItemList|FAQPage|Question|Answer|Comment|UserComments|ImageObject|SearchAction|Person|SiteNavigationElement|WPHeader|WPFooter)$/
const maxEntityDepth = 4

/** The entities that a page may be about, those within lists and graphs too. */
export function subjectsIn(data: readonly unknown[]): Entity[] {
  return nodesIn(data, 0).filter((node) => !typesOf(node).some((type) => besides.test(type)))
}

function nodesIn(data: unknown, depth: number): Entity[] {
  if (depth > maxEntityDepth) return []
  if (Array.isArray(data)) return data.slice(0, 200).flatMap((each) => nodesIn(each, depth + 1))
  if (!isRecord(data)) return []
  const { '@graph': graph, ...own } = data
  return graph === undefined ? [data] : [...nodesIn(own, depth + 1), ...nodesIn(graph, depth + 1)]
}

const typesOf = (node: Entity): string[] =>
  [node['@type']].flat().flatMap((type) => (typeof type === 'string' ? type.replace(/^.*[/#:]/, '') : []))

/**
 * Those of several entities of one type and different names that the page is not called like: it lists them, as a shop
 * does with similar products.
 */
export function listedAmong(subjects: readonly Entity[], page: PageContent): Set<Entity> {
  const titles = titlesOf(page)
  const byType = Map.groupBy(subjects, (node) => typesOf(node).join(' '))
  return new Set(
    [...byType.values()]
      .filter((alike) => new Set(alike.map(nameOf)).size > 1)
      .flatMap((alike) => alike.filter((node) => !titles.some((title) => isCalled(title, nameOf(node))))),
  )
}

function titlesOf({ metadata = {}, facts }: PageContent): string[] {
  const headlines = facts?.shown.flatMap(({ name, value }) => (name === 'headline' ? value : [])) ?? []
  return [metadata['title'], metadata['ogTitle'], ...headlines].flatMap((title) =>
    typeof title === 'string' ? wordsOfName(title) : [],
  )
}

const isCalled = (title: string, name: string) => name !== '' && ` ${title} `.includes(` ${name} `)
const nameOf = ({ name, headline }: Entity) => {
  const own = name ?? headline
  return typeof own === 'string' ? wordsOfName(own) : ''
}

/** What the page is about, as its structured data says it: an article, a product, an event. */
export const mainEntity = ({ structuredData = [] }: PageContent): object | undefined =>
  subjectsIn(structuredData).find((node) => typesOf(node).some((type) => type !== 'WebPage'))
