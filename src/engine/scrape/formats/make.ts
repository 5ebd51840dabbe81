import type { Format } from '../../../schema/scrape/formats.ts'
import type { ScrapeInput } from '../../../schema/scrape/scrape-options.ts'
import type { BotChallenge } from '../../net/http/bot-challenge.ts'
import { type FormatFields, joined, type MadeBy, type PageView, understand } from './format-maker.ts'
import { makerOf } from './format-table.ts'
import type { PageContent } from '../../../contracts/page-content.ts'
import { isMostlyKept, withoutBoilerplate } from '../../understand/clean.ts'
import { cleanByModel } from '../../model/page/ask-model.ts'

/**
 * Removes leftovers of the site around the content (onlyCleanContent); returns the original if the result cannot be
 * trusted.
 */
async function cleanMarkdown(markdown: string, page: Pick<PageView, 'model'>): Promise<FormatFields> {
  if (page.model === 'nothing may leave')
    return {
      markdown,
      warning: 'onlyCleanContent is not supported with zero data retention, so the markdown is as it was.',
    }
  const { value, ...how } = await understand(page, {
    what: 'cleaning',
    byModel: (model) => cleanByModel(model, markdown),
    builtIn: () => withoutBoilerplate(markdown),
  })
  if (isMostlyKept(value, markdown)) return { markdown: value, ...how }
  return { markdown, warning: 'onlyCleanContent was skipped: more than half of the page would have gone.' }
}

type FormatInput = Pick<ScrapeInput, 'formats'> & Partial<Pick<ScrapeInput, 'onlyCleanContent'>>

/**
 * Creates the fields of all formats. Merges warnings, and results of two formats of the same kind, such as two
 * attribute lists.
 */
export async function makeFields(
  { formats, onlyCleanContent = false }: FormatInput,
  page: PageView,
): Promise<FormatFields> {
  const { markdown } = page.content
  const cleaned = onlyCleanContent && markdown ? await cleanMarkdown(markdown, page) : {}
  const view = { ...page, content: { ...page.content, ...(cleaned.markdown && { markdown: cleaned.markdown }) } }
  const made: FormatFields[] = await Promise.all(formats.map((format) => makerOf(format).make(view, format)))
  return [notesOf(cleaned), ...made].reduce<FormatFields>(
    (all, fields) => ({
      ...all,
      ...fields,
      ...(all.warning !== undefined && { warning: joined(all.warning, fields.warning) }),
      ...(all.madeBy && { madeBy: madeByBoth(all.madeBy, fields.madeBy) }),
      ...(all.attributes && fields.attributes && { attributes: [...all.attributes, ...fields.attributes] }),
    }),
    {},
  )
}

/** If a model created one of them, it is named. */
const madeByBoth = (one: MadeBy, other: MadeBy | undefined): MadeBy =>
  one.llmMode === 'model' ? { ...other, ...one } : { ...one, ...other }

/** The cleaned text itself is returned only if markdown was requested. */
const notesOf = ({ warning, madeBy }: FormatFields): FormatFields => ({
  ...(warning !== undefined && { warning }),
  ...(madeBy && { madeBy }),
})

/** Prefixes of warnings about a page that is not what was requested. */
export const pageTrouble = {
  wall: 'The site answered with a bot challenge',
  empty: 'The page has no readable text in its HTML',
  unmatched: 'includeTags matched no element',
} as const

const challengeText = ({ by }: BotChallenge) =>
  `${pageTrouble.wall} (${by}) instead of the page; nothing is billed. The operator can add enhanced proxies (GOSSAMER_PROXIES); a logged-in profile may also help.`
const emptyText = `${pageTrouble.empty}; it may be built by scripts in a browser.`
const emptyFileText = 'The file holds no readable text.'
const unmatchedText = `${pageTrouble.unmatched} of this page, so its content is empty.`

/** Joins all warnings of a scrape. */
export function warningOf(
  formats: readonly Format[],
  status: number,
  content: PageContent,
  { challenge, warning }: { challenge?: BotChallenge | undefined; warning?: string | undefined } = {},
): { warning?: string } {
  const isEmpty = formats.some(({ type }) => type === 'markdown') && status < 400 && !content.markdown?.trim()
  const empty = isEmpty ? (content.kind ? emptyFileText : emptyText) : undefined
  const nothing = content.matchesNothing ? unmatchedText : empty
  const warnings = [challenge && challengeText(challenge), content.warning, nothing, warning]
  const texts = warnings.filter((each) => each !== undefined)
  return texts.length > 0 ? { warning: texts.join(' ') } : {}
}
