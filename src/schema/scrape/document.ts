import { z } from 'zod'
import { Branding } from './branding-schema.ts'

const Price = z.object({
  amount: z.number(),
  currency: z.string().optional().describe('ISO 4217 code.'),
  formatted: z.string().optional().describe('As shown on the page.'),
})

const Item = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  images: z.array(z.object({ url: z.string(), alt: z.string().optional() })),
  price: Price.optional().describe('Price of the first size. Absent if the page has none.'),
  availability: z.object({ inStock: z.boolean(), text: z.string().optional() }),
  dietary: z.array(z.string()).describe('Such as vegan and gluten-free, where the page says so.'),
  calories: z.number().optional(),
  optionGroups: z
    .array(z.object({ options: z.array(z.object({ name: z.string().optional(), price: Price.optional() })) }))
    .describe('Sizes with prices of their own.'),
  identifiers: z.object({ merchantItemId: z.string().optional() }),
  url: z.string().optional(),
  sourceUrl: z.string(),
})

/** Restaurant menu in the shape that the SDK of Firecrawl expects. */
export const Menu = z
  .object({
    isMenu: z.boolean(),
    confidence: z.number().describe('Certainty of isMenu, from 0 to 1.'),
    merchant: z.object({
      name: z.string(),
      type: z.string().optional().describe('schema.org type, such as Restaurant.'),
      location: z.record(z.string(), z.string()).optional().describe('Parts of the address.'),
    }),
    currency: z.string().nullable().describe('ISO 4217 code, if all prices share one.'),
    sections: z.array(
      z.object({ id: z.string(), name: z.string(), description: z.string().optional(), items: z.array(Item) }),
    ),
    sourceUrl: z.string(),
  })
  .describe('The menu of a restaurant; isMenu is false if the page is not a menu.')

const Variant = z.object({
  id: z.string().optional().describe('Shop number, GTIN or MPN.'),
  sku: z.string().optional(),
  title: z.string().optional(),
  values: z
    .record(z.string(), z.string())
    .optional()
    .describe('What distinguishes the variant, such as size and color.'),
  price: Price.optional(),
  sale: z.object({ originalPrice: Price }).optional(),
  availability: z.object({
    inStock: z.boolean(),
    text: z.string().optional().describe('schema.org name, such as InStock, or the wording of the page, if any.'),
  }),
  images: z.array(z.object({ url: z.string(), alt: z.string().optional() })).optional(),
})

/** A product from the structured data of its page. */
export const Product = z
  .object({
    title: z.string(),
    brand: z.string().optional(),
    category: z.string().optional().describe('Broadest to narrowest, joined with " > ".'),
    url: z.string(),
    description: z.string().optional(),
    variants: z.array(Variant),
  })
  .describe('The product on the page, with its variants, prices and availability.')

export const Metadata = z
  .looseObject({
    title: z.string().optional(),
    description: z.string().optional(),
    language: z.string().optional(),
    keywords: z.union([z.string(), z.array(z.string())]).optional(),
    ogLocaleAlternate: z.array(z.string()).optional(),
    favicon: z.string().optional(),
    sourceURL: z.string().describe('The URL as requested.'),
    url: z.string().describe('The final URL, after redirects.'),
    statusCode: z.int().optional().describe('HTTP status of the page.'),
    contentType: z.string().optional(),
    error: z.string().optional().describe('What is wrong with the page, such as its HTTP status text.'),
    scrapeId: z.string().describe('Id for scrape_result and interact.'),
    proxyUsed: z.enum(['basic', 'stealth']).optional().describe('stealth: the enhanced proxy.'),
    cacheState: z.enum(['hit', 'miss']).optional().describe('Absent if the cache was neither read nor written.'),
    cachedAt: z.string().optional().describe('When the cached copy was fetched.'),
    creditsUsed: z.number(),
    concurrencyLimited: z.boolean(),
    concurrencyQueueDurationMs: z.int().optional().describe('Milliseconds spent waiting for a free slot.'),
    markdownFrom: z
      .string()
      .optional()
      .describe('URL of the markdown file that the page declares, if it was read instead of the HTML.'),
    numPages: z.int().optional(),
    formFields: z.int().optional().describe('Number of fields in the largest form on the page.'),
    timezone: z.string().optional(),
    llmMode: z
      .enum(['model', 'builtin'])
      .optional()
      .describe(
        'Whether a language model or a built-in method made summary, answer, highlights, json, menu or branding.',
      ),
    llmModel: z.string().optional().describe('Name of that language model.'),
    evidence: z
      .record(
        z.string(),
        z.object({
          quote: z.string(),
          source: z.enum(['json-ld', 'microdata', 'meta', 'product data', 'html', 'text', 'table']),
          where: z.string().optional().describe('Property, meta tag, selector, or heading above.'),
        }),
      )
      .optional()
      .describe('By path of a value in json: the words of the page that state it.'),
  })
  .describe('Facts about the page, including every meta tag.')
export type Metadata = z.output<typeof Metadata>

const Attribute = z.object({ selector: z.string(), attribute: z.string(), values: z.array(z.string()) })
const ActionResults = z.object({
  screenshots: z.array(z.string()),
  scrapes: z.array(z.object({ url: z.string(), html: z.string() })),
  javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })),
  pdfs: z.array(z.string()),
})
const ChangeTracking = z.object({
  previousScrapeAt: z.string().nullable(),
  changeStatus: z.enum(['new', 'same', 'changed', 'removed']),
  visibility: z.enum(['visible', 'hidden']),
  diff: z.unknown().optional(),
  json: z.record(z.string(), z.unknown()).optional(),
})

const PdfPage = z.object({ pageNumber: z.int(), markdown: z.string() })

/** The result of a scrape; each format fills its own field. */
export const Document = z.object({
  markdown: z.string().optional(),
  summary: z.string().optional(),
  html: z.string().optional(),
  rawHtml: z.string().optional(),
  screenshot: z.string().optional(),
  audio: z.string().optional(),
  video: z.string().optional(),
  answer: z.string().optional(),
  highlights: z.string().optional(),
  links: z.array(z.string()).optional(),
  images: z.array(z.string()).optional(),
  attributes: z.array(Attribute).optional(),
  json: z.unknown().optional(),
  product: Product.optional(),
  menu: Menu.optional(),
  branding: Branding.optional(),
  actions: ActionResults.optional(),
  pages: z.array(PdfPage).optional().describe('Pages of a PDF; only with pages: true of its parser.'),
  changeTracking: ChangeTracking.optional(),
  metadata: Metadata,
  warning: z.string().optional(),
})
export type Document = z.output<typeof Document>
/** Fields filled by formats. */
export type DocumentFields = Omit<Document, 'metadata' | 'warning'>
