type Call = { endpoint: string; target: string | null }

/** Where it is told why a job, or a page of it, failed. */
export const whyHref = ({ endpoint, id }: { endpoint: string; id: string }, page = '') =>
  `#/why/${endpoint}/${id}${page && `/${encodeURIComponent(page)}`}`

/** Fields that say what a call is about, by its kind. */
const subjects: Readonly<Record<string, string>> = {
  scrape: 'url',
  crawl: 'url',
  map: 'url',
  llmstxt: 'url',
  search: 'query',
}

/** The least input of such a call; undefined where more would be needed than is known. */
export function inputFor({ endpoint, target }: Call): Readonly<Record<string, unknown>> | undefined {
  const { [endpoint]: field } = subjects
  return field === undefined || target === null ? undefined : { [field]: target }
}

export const playgroundHref = (operation: string, input?: object) =>
  `#/playground/${operation}${input ? `/${encodeURIComponent(JSON.stringify(input))}` : ''}`
