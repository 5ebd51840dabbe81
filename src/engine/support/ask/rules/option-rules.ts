import type { Diagnosis, JobRule, Parameters, Trial } from '../case.ts'
import { isRecord } from '../../../../util/json.ts'
import { either, lacking, slow } from '../question.ts'
import { page, type Read } from './read.ts'

type Helps = NonNullable<Extract<Trial, { kind: 'scrape' }>['helps']>

const isFuller: Helps = ({ characters = 0 }, before) => characters > (before.characters ?? 0)
const differs: Helps = ({ digest }, before) => digest !== before.digest
/** A few words change with every visit. */
const isAsFull: Helps = ({ characters = 0 }, before) => characters >= 0.9 * (before.characters ?? 0)
const hasItsPictures: Helps = ({ hasPlaceholders }) => !hasPlaceholders

type Suspect = Pick<Diagnosis, 'says'> & { parameters: Parameters; helps: Helps }

/**
 * Creates a rule about an option that affects the result of a scrape. An option that is set proves nothing, so the
 * question must match too.
 */
const option = (id: string, asks: RegExp, suspects: (request: Parameters, job: Read) => Suspect | undefined): JobRule =>
  page(
    id,
    asks,
    (job) => {
      const suspect = job.request && job.page.status < 400 ? suspects(job.request, job) : undefined
      return suspect && toDiagnosis(suspect)
    },
    { onlyIfAsked: true },
  )

/** Creates a rule about an option that takes something from the page while it is on. */
const switchedOn = (id: string, asks: RegExp, name: string, suspect: Omit<Suspect, 'parameters'>) =>
  option(id, asks, (request) =>
    (request[name] ?? areUsual.has(name)) === true ? { ...suspect, parameters: { [name]: false } } : undefined,
  )
const areUsual = new Set(['onlyMainContent'])

const toDiagnosis = ({ helps, ...diagnosis }: Suspect): Diagnosis => ({
  ...diagnosis,
  trial: { kind: 'scrape', helps },
})

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const named = (list: readonly string[]) =>
  list
    .slice(0, 3)
    .map((each) => `"${each}"`)
    .join(', ')

const parsersOf = ({ parsers }: Parameters) => (Array.isArray(parsers) ? parsers : undefined)
const pdfText = { parsers: ['pdf'] }

/** Accepts any page that could be read. */
const anyPage: Helps = () => true

/** Rules about options, set or default, that remove or change parts of a page or cost time. */
export const scrapeOptions: readonly JobRule[] = [
  option('exclude-tags', lacking, ({ excludeTags }) => {
    const tags = listOf(excludeTags)
    return tags.length === 0
      ? undefined
      : {
          says: `The request drops from the page what matches excludeTags (${named(tags)}). Leave excludeTags out, or name less in it.`,
          parameters: { excludeTags: [] },
          helps: isFuller,
        }
  }),
  option(
    'include-tags-only',
    either(lacking, /where|whole|rest of|all of/),
    ({ includeTags }, { page: { matchesNothing } }) => {
      const tags = listOf(includeTags)
      return tags.length === 0 || matchesNothing
        ? undefined
        : {
            says: `The request keeps only what matches includeTags (${named(tags)}). Leave includeTags out for the whole page, or name more in it.`,
            parameters: { includeTags: [] },
            helps: isFuller,
          }
    },
  ),
  option('pdf-parser', /pdf|base64/i, (request) =>
    parsersOf(request)?.length === 0
      ? {
          says: 'The request turned the PDF parser off, so PDFs come back as base64. Set parsers to ["pdf"] for their text.',
          parameters: pdfText,
          helps: anyPage,
        }
      : undefined,
  ),
  option('pdf-pages', either(lacking, /pdf|pages|cut|rest of/), (request) => {
    const most = parsersOf(request)?.find(isRecord)?.['maxPages']
    return typeof most === 'number'
      ? {
          says: `The request reads a PDF up to maxPages ${most} of its parser. Leave maxPages out, or raise it; each page costs a credit.`,
          parameters: pdfText,
          helps: isFuller,
        }
      : undefined
  }),
  option(
    'placeholders',
    /image|picture|photo|icon|logo|figure|placeholder|base64|inline/i,
    ({ removeBase64Images }, job) =>
      removeBase64Images !== false && job.page.hasPlaceholders
        ? {
            says: 'Pictures that stand in the HTML itself are replaced by a placeholder in markdown. Set removeBase64Images to false to keep them; they make the markdown long.',
            parameters: { removeBase64Images: false },
            helps: hasItsPictures,
          }
        : undefined,
  ),
  switchedOn('phone', /phone|mobile|small|narrow|tablet|desktop|layout|version|menu|wide/i, 'mobile', {
    says: 'The request asks for the page as a phone gets it, by mobile. Set mobile to false for the page of large screens.',
    helps: differs,
  }),
  option('waited-for', slow, ({ waitFor }) =>
    typeof waitFor === 'number' && waitFor > 0
      ? {
          says: `The request waits ${waitFor} ms before it reads the page, by waitFor, on top of the time that the page takes itself. Leave waitFor out.`,
          parameters: { waitFor: 0 },
          helps: isAsFull,
        }
      : undefined,
  ),
  switchedOn('clean-content', lacking, 'onlyCleanContent', {
    says: 'The request has boilerplate removed from the text by onlyCleanContent, which may take too much. Set onlyCleanContent to false.',
    helps: isFuller,
  }),
  switchedOn(
    'main-content',
    /missing|incomplete|cut|lost|dropped|left out|only part|header|footer|nav|sidebar|menu/i,
    'onlyMainContent',
    {
      says: 'Only the main content of the page was kept, which drops headers, menus, footers and sometimes more. Set onlyMainContent to false for the whole page.',
      helps: isFuller,
    },
  ),
  page(
    'place',
    /language|countr|region|visitor|people|currenc|price|version|text|shown|see[ns]?\b|comes?\b|local|translat|abroad/i,
    (job, _, { places }) => placeOf(job, places),
    { onlyIfAsked: true },
  ),
]

/** Returns a diagnosis for the first place in the question that differs from the requested location. */
function placeOf(
  { request, page: { status } }: Read,
  places: readonly { country: string; languages: string[] }[],
): Diagnosis | undefined {
  const given = isRecord(request?.['location']) ? request['location'] : {}
  const current = listOf(given['languages'])[0] ?? 'en'
  const place = places.find(({ country, languages }) => !(languages[0] === current || country === given['country']))
  if (!request || !place || status >= 400) return undefined
  return {
    says: `Sites choose language and prices by where a visitor seems to come from, and the request was made ${given['country'] ? `from ${String(given['country'])}` : 'without location, as from the US in English'}. Set location to ${place.country} with the language ${place.languages[0]}; prices that depend on the IP address also need a proxy there.`,
    parameters: { location: place },
    trial: { kind: 'scrape', helps: differs },
  }
}
