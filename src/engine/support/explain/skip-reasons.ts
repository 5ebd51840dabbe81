import { counted } from '../../../util/amounts.ts'
import type { RobotsFacts, SkipReason } from '../../../contracts/crawl-ports.ts'
import type { CrawlOptions } from '../../crawl/crawl-options.ts'
import { maxUrlLength } from '../../crawl/scope/crawl-scope.ts'
import type { CrawlReasons, ExplainedSkip } from './explain-crawl.ts'

type Explained = Pick<CrawlReasons, 'skipped' | 'limits'> & {
  options: readonly { name: string; value: unknown }[]
}
type Detail = ExplainedSkip['detail']
type Reason = { reason: string; option?: keyof CrawlOptions }

/** URLs that a crawl skipped for one reason, and the option that decided it, if one did. */
export type SkipGroup = Reason & { urls: readonly string[] }

/** Returns the skipped URLs of a crawl by reason, the most frequent first. */
export function groupSkips(explanation: Explained): SkipGroup[] {
  const reasons = explanation.skipped.map((skip) => ({
    ...texts[skip.reason](skip.detail, explanation),
    url: skip.url,
  }))
  const groups = [...Map.groupBy(reasons, ({ reason }) => reason).values()]
  return groups
    .flatMap((group) => {
      const [first] = group
      return first ? [{ reason: first.reason, ...pick(first), urls: group.map(({ url }) => url) }] : []
    })
    .toSorted((one, other) => other.urls.length - one.urls.length)
}

const pick = ({ option }: Reason) => (option === undefined ? {} : { option })

const outside: Record<'folder' | 'subdomain' | 'site', Reason> = {
  folder: { reason: 'outside the folder of the start (crawlEntireDomain)', option: 'crawlEntireDomain' },
  subdomain: { reason: 'on a subdomain (allowSubdomains)', option: 'allowSubdomains' },
  site: { reason: 'on another site (allowExternalLinks)', option: 'allowExternalLinks' },
}

const isLate = (detail: Detail) => detail !== undefined && 'seen' in detail
const valueOf = ({ options }: Explained, wanted: string) => options.find(({ name }) => name === wanted)?.value

export const ruleText = ({ kind, pattern }: RobotsFacts['groups'][number]['rules'][number]): string =>
  `${kind === 'allow' ? 'Allow' : 'Disallow'}: ${pattern}`

const texts: Record<SkipReason, (detail: Detail, explained: Explained) => Reason> = {
  outOfScope: (detail) =>
    detail && 'outside' in detail ? outside[detail.outside] : { reason: 'redirected to where the crawl does not go' },
  excluded: (detail) =>
    detail && 'pattern' in detail
      ? { reason: `excluded by excludePaths[${detail.pattern.index}] ${detail.pattern.text}`, option: 'excludePaths' }
      : { reason: 'redirected to what excludePaths exclude', option: 'excludePaths' },
  notIncluded: (detail) =>
    isLate(detail)
      ? { reason: 'redirected to what no pattern of includePaths fits', option: 'includePaths' }
      : { reason: 'not included: no pattern of includePaths fits', option: 'includePaths' },
  robots: (detail) => {
    const rule = detail && 'rule' in detail ? `: ${ruleText(detail.rule)}` : ''
    return { reason: `forbidden by robots.txt${rule}${isLate(detail) ? ', after a redirect' : ''}` }
  },
  duplicate: () => ({ reason: 'duplicate: another URL of a page already taken' }),
  depth: (_, explained) => ({
    reason: `deeper than maxDiscoveryDepth ${String(valueOf(explained, 'maxDiscoveryDepth'))}`,
    option: 'maxDiscoveryDepth',
  }),
  limit: (_, { limits: { pages } }) => ({
    reason: `over the limit of ${counted(pages, 'page')}`,
    option: 'limit',
  }),
  type: (detail) => ({
    reason: `of a type that is not read, by ${isLate(detail) ? 'what the server sent' : 'its name'}`,
  }),
  trap: () => ({ reason: `in what looks like a crawler trap, or longer than ${maxUrlLength} characters` }),
  invalid: () => ({ reason: 'invalid: no http or https URL' }),
}
