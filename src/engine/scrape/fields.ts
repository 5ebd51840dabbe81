import type { PageParts } from '../../contracts/ports.ts'
import { fail } from '../../kernel/error.ts'
import type { Format, FormatType } from '../../schema/scrape/formats.ts'
import type { ScrapeInput } from '../../schema/scrape/options.ts'
import type { Wall } from '../net/http/bot-challenge.ts'
import type { Made, PageView } from './formats/maker.ts'
import { makerOf, makers } from './formats/table.ts'

/** What the formats of a call make of the parts of a page. Warnings, and two formats of one kind, such as two attribute lists, are joined. */
export async function fieldsOf(formats: readonly Format[], view: PageView): Promise<Made> {
  const made = await Promise.all(formats.map((format) => makerOf(format)?.make(view, format) ?? {}))
  return made.reduce<Made>(
    (all, fields) => ({
      ...all,
      ...fields,
      ...(all.warning !== undefined && { warning: joined(all.warning, fields.warning) }),
      ...(all.attributes && fields.attributes && { attributes: [...all.attributes, ...fields.attributes] }),
    }),
    {},
  )
}

/** Two formats may have the same to say. */
const joined = (one: string, other = '') => (one.includes(other) ? one : `${one} ${other}`)

const wallText = ({ by }: Wall) =>
  `The site answered with a bot check (${by}) instead of the page; nothing is billed. The operator can add proxies of the enhanced pool, or a profile that is logged in.`
const emptyText = 'The page has no readable text in its HTML; it may be built by scripts in a browser.'
const emptyFileText = 'The file holds no text that could be read.'

/** What the reader should know of the parts, as one text. */
export function warningOf(
  formats: readonly Format[],
  status: number,
  parts: PageParts,
  { wall, warning }: { wall?: Wall | undefined; warning?: string | undefined } = {},
): { warning?: string } {
  const isEmpty = formats.some(({ type }) => type === 'markdown') && status < 400 && !parts.markdown?.trim()
  const empty = isEmpty ? (parts.kind ? emptyFileText : emptyText) : undefined
  const said = [wall && wallText(wall), parts.warning, empty, warning].filter((each) => each !== undefined)
  return said.length > 0 ? { warning: said.join(' ') } : {}
}

/** Options of the contract that this version does not carry out: asked for, they are refused rather than ignored. */
export function refuseUnavailable(input: Pick<ScrapeInput, 'formats' | 'onlyCleanContent'>): void {
  const asked = [
    ...input.formats.flatMap(({ type }) => (isAvailable(type) ? [] : [`formats: ${type}`])),
    ...(input.onlyCleanContent ? ['onlyCleanContent'] : []),
  ]
  refuse(asked)
}

/** The same for calls that know formats and none of the other options. */
export function refuseFormats(formats: readonly Format[]): void {
  refuse(formats.flatMap(({ type }) => (isAvailable(type) ? [] : [`formats: ${type}`])))
}

function refuse(asked: readonly string[]): void {
  if (asked.length > 0)
    fail('FEATURE_UNAVAILABLE', {
      message: `This version of Gossamer does not do that yet: ${asked.join(', ')}.`,
      details: { options: asked },
    })
}

const isAvailable = (type: FormatType) => makers[type] !== 'later'
