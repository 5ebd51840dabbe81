import { isRecord } from '../../../../util/json.ts'
import type { JobCase, PageFacts, Parameters, Presumption } from '../case.ts'

/** Shorter text may be called empty. */
const minText = 200
const maxText = 10_000

const isSound = ({ status, isWall, isEmpty, matchesNothing }: PageFacts) =>
  status < 400 && !isWall && !isEmpty && !matchesNothing
const isGiven = (value: unknown) => Boolean(value) && !(Array.isArray(value) && value.length === 0)
const hasOption = (request: Parameters | null, names: readonly string[]) =>
  names.some((name) => isGiven(request?.[name]))

/** Assumptions; the most specific come first. */
export const presumptions: readonly Presumption[] = [
  {
    id: 'not-empty',
    asks: /\b(?:empty|blank|nothing|no (?:content|text|pages|markdown)|0 pages)\b/gi,
    disproves: ({ page, crawl }) => {
      const isFull = crawl ? crawl.counts.done > 1 : page && isSound(page) && (page.characters ?? 0) >= minText
      return isFull ? 'was not empty' : undefined
    },
  },
  {
    id: 'not-late',
    asks: /\b(?:time[ds]?[ -]?out|hangs?|hung|never (?:ends?|finish\w*))\b/gi,
    disproves: ({ code, page, crawl }) => (code === null && (page ?? crawl) ? 'did not time out' : undefined),
  },
  {
    id: 'not-blocked',
    asks: /\b(?:block(?:ed|s)?|captchas?|bot (?:check|wall)|forbidden|403|cloudflare|denied)\b/gi,
    disproves: ({ page }) => (page && isSound(page) ? 'was not blocked' : undefined),
  },
  {
    id: 'not-slowed',
    asks: /\b(?:slow(?:ly)?|(?:so |too )?long|forever|ages)\b/gi,
    disproves: ({ page, request }) =>
      page && !page.hasWaited && !hasOption(request, ['waitFor', 'actions', 'profile'])
        ? 'waited neither for a free slot nor by an option'
        : undefined,
  },
  {
    id: 'not-cut',
    asks: /\b(?:truncated|cut(?: (?:off|short))?|incomplete)\b/gi,
    disproves: ({ page, request }) =>
      page &&
      isSound(page) &&
      // Longer markdown is returned to agents in parts.
      (page.characters ?? Infinity) < maxText &&
      !hasOption(request, ['includeTags', 'excludeTags', 'onlyCleanContent'])
        ? 'was not cut short by any limit'
        : undefined,
  },
  {
    id: 'not-foreign',
    asks: /\b(?:wrong|another|other|foreign|different) language\b/gi,
    disproves: ({ page, request }) => {
      const { language } = page ?? {}
      return language !== undefined && languagesOf(request).includes(language)
        ? `came in the language that it was asked for (${language})`
        : undefined
    },
  },
  {
    id: 'not-failed',
    asks: /\b(?:fail(?:ed|s|ures?|ing)?|(?:went|is|was|goes) wrong|errors?|crash\w*|(?:does|did|is) ?n[o'’]?t work\w*)/gi,
    disproves: ({ code, page, crawl }) => {
      const isSo = page ? isSound(page) : !crawl || crawl.counts.failed === 0
      return code === null && isSo ? 'did not fail' : undefined
    },
  },
]

function languagesOf(request: Parameters | null): string[] {
  const location = request?.['location']
  const given = isRecord(location) ? location['languages'] : undefined
  const tags = Array.isArray(given) && given.length > 0 ? given.map(String) : ['en']
  return tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
}

/** Describes the result of a job in figures. */
export function broughtBy({ page, crawl }: JobCase): string {
  if (crawl) return `it brought ${crawl.counts.done} pages, and ${crawl.counts.failed} failed`
  if (!page) return 'it completed'
  const { status, characters } = page
  return `the page came with status ${status}${characters === undefined ? '' : ` and ${characters} characters of markdown`}`
}
