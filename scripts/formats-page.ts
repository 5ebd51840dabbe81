import { scrapeCredits } from '../src/engine/billing/price.ts'
import { formatTraits, formatTypes } from '../src/schema/scrape/formats.ts'
import { code, table } from './markdown-table.ts'

const page = { lockdown: false, formats: [] } as const
const costs = {
  'a page or file': scrapeCredits(page),
  'a PDF of ten pages': scrapeCredits({ ...page, pdfPages: 10 }),
  'a page over the enhanced proxy': scrapeCredits({ ...page, enhancedProxy: true }),
  'a page from the cache with `lockdown`': scrapeCredits({ ...page, lockdown: true }),
}

/** Content of docs/reference/formats.md, derived from the tables of formats and prices. */
export function formatsPage(): string {
  const rows = formatTypes.map((type) => {
    const { options, source, credits, field } = formatTraits[type]
    return [code(type), code(field), options, source, credits === 0 ? '–' : `+${credits}`]
  })
  return `# Formats and their credits

What \`formats\` of [scrape](scrape.md), [parse](parse.md), [crawl](crawl.md) and [batch_scrape](batch-scrape.md) can hold.
A format without required options can be requested by its name alone. Credits come on top of those of the page.

${table(['Format', 'Field of the document', 'Options', 'Made from', 'Credits'], rows)}

${table(
  ['Page', 'Credits'],
  Object.entries(costs).map(([what, credits]) => [what, String(credits)]),
)}
`
}
