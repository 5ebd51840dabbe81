import type { LiveParts } from './render-port.ts'

/** What can be made of an HTML page. */
export type PagePart =
  | 'markdown'
  | 'html'
  | 'links'
  | 'anchors'
  | 'images'
  | 'attributes'
  | 'metadata'
  | 'media'
  | 'product'
  | 'menu'
  | 'structuredData'
  | 'facts'
  | 'text'

export type AttributeQuery = { selector: string; attribute: string }

export type ContentOptions = {
  onlyMainContent: boolean
  includeTags: readonly string[]
  excludeTags: readonly string[]
  removeBase64Images: boolean
  /** Leaves pictures that say nothing out of the markdown of the main content; true unless it says false. */
  removeSmallImages?: boolean
  /** Leaves out banners that ask for consent. */
  blockAds?: boolean
}

/** Plain data in, plain data out, so that the work can move to another thread. */
export type ReadRequest = ContentOptions & {
  html: string
  url: string
  /** Charset that the HTML was decoded from. Default: UTF-8. */
  charset?: string
  wanted: readonly PagePart[]
  attributes: readonly AttributeQuery[]
}

/** All that is made of a page: what is read from its HTML, and what only a live page gives. */
export type PageContent = LiveParts & {
  markdown?: string
  html?: string
  links?: string[]
  /** Pages that the head of the page names, found with the links: the next one, the canonical one, where it refreshes to. */
  leads?: string[]
  /** Links with what they show, at most 200 characters; empty where they show nothing. */
  anchors?: { url: string; text: string }[]
  images?: string[]
  attributes?: (AttributeQuery & { values: string[] })[]
  metadata?: Record<string, unknown>
  /** Fields of the largest form, found with the metadata. */
  formFields?: number
  /** Empty where the page names none. */
  media?: Media
  /** Null where the page describes none. */
  product?: ProductProfile | null
  /** What its structured data says of a menu. */
  menu?: MenuFacts
  /** The JSON-LD of the page, as it stands there. */
  structuredData?: unknown[]
  /** All text of the page outside of its menus, a line for each block: the main content is a part of it. */
  text?: string
  /** What the page marks up or shows in a way that tells what it is. */
  facts?: PageFacts
  /** True when the HTML is an empty shell that scripts fill, absent otherwise. Found where markdown or html is made of a page. */
  needsBrowser?: boolean
  /** What a page with text of its own leaves to its scripts, absent where nothing. Found like `needsBrowser`. */
  unfilled?: UnfilledPart[]
  /** The time zone that a browser emulated for the page, absent where none was asked for. */
  timezone?: string
  /** True when `includeTags` matched no element, absent otherwise. */
  matchesNothing?: boolean
  /** What a file that is no HTML page was read as. */
  kind?: DocumentKind
  /** Pages, sheets or slides of such a file. */
  numPages?: number
  /** What the reader should know about how the parts were made. */
  warning?: string
  /** The build of the program that read the page by itself and found nothing amiss: of the same body it reads the same again. */
  readBy?: string
}

/** What stands in a page for content that scripts bring later. */
export type UnfilledPart = 'loading message' | 'placeholders' | 'empty list' | 'template'

/** The team whose turn the work takes, where teams share what does it. */
export type OfTeam = { teamId: string }

export type ReadHtml = (request: ReadRequest & OfTeam, signal: AbortSignal) => Promise<PageContent>

/** Files that are not HTML but can be turned into text. */
export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'rtf'
  | 'epub'
  | 'csv'
  | 'json'
  | 'ndjson'
  | 'xml'
  | 'feed'
  | 'text'
  | 'markdown'
  | 'code'
  | 'image'

export type PdfOptions = { mode: 'fast' | 'auto' | 'ocr'; maxPages?: number | undefined }

/** Plain data in, plain data out, so that the work can move to another process. */
export type DocumentRequest = ContentOptions &
  OfTeam & {
    kind: DocumentKind
    bytes: Uint8Array
    /** Nobody else needs the bytes, which are alone in their buffer: they are let go as soon as they have been read. */
    isGivenUp?: boolean | undefined
    /** Address of the file; relative links are resolved against it. */
    url: string
    /** As the sender declared it; its charset counts for text. */
    contentType: string | undefined
    wanted: readonly PagePart[]
    attributes: readonly AttributeQuery[]
    pdf: PdfOptions
  }

/** Fails with SCRAPE_UNSUPPORTED_FILE_ERROR for a file that is broken, locked or too large, and SCRAPE_PDF_OCR_REQUIRED for a scan. */
export type ReadDocument = (request: DocumentRequest, signal: AbortSignal) => Promise<PageContent>

export type PageFacts = {
  /** Microdata and RDFa, in the form of JSON-LD. */
  markup: unknown[]
  shown: ShownFact[]
  questions: ShownQuestion[]
}
/** A question that the page asks itself, and its answer there. */
export type ShownQuestion = { question: string; answer: string }
/** `weight`, from 0 to 1, tells how much such a place is worth; `where` is a selector of the element. */
export type ShownFact = { name: string; value: string; weight: number; where: string }

/** Addresses of a file or stream with the sound, and of one with the film, that a page is about. */
export type Media = { audio?: string; video?: string }

/** Why there is no more in an answer: the program is not there, did not end in time, or could make nothing of the address. */
export type MediaError = 'not installed' | 'too slow' | 'found none'

/** Looks behind a page whose HTML names no media. Never fails but with the signal's reason. */
export type FindMedia = (
  /** `limitMs` is how long the search may take. */
  request: OfTeam & { url: string; limitMs: number; signal: AbortSignal },
) => Promise<Media & { error?: MediaError }>

/** A product, in the words of the contract. */
export type ProductProfile = {
  title: string
  brand?: string | undefined
  /** From the widest to the narrowest, joined with " > ". */
  category?: string | undefined
  url: string
  description?: string | undefined
  variants: ProductVariant[]
}

export type ProductVariant = {
  /** Number of the variant in its shop, or its GTIN or MPN. */
  id?: string | undefined
  sku?: string | undefined
  title?: string | undefined
  /** What makes the variant: size, color and the like. */
  values?: Record<string, string> | undefined
  price?: ProductPrice | undefined
  sale?: { originalPrice: ProductPrice } | undefined
  availability: ProductAvailability
  images?: ProductImage[] | undefined
}

/** `currency` is an ISO 4217 code; `formatted` is the price as the page shows it. */
export type ProductPrice = { amount: number; currency?: string | undefined; formatted?: string | undefined }
/** `text` is the name schema.org has for it, or what the page says; without it, what has a price counts as in stock. */
export type ProductAvailability = { inStock: boolean; text?: string | undefined }
export type ProductImage = { url: string; alt?: string | undefined }

/** The menu of a restaurant, in the words of the contract. */
export type MenuProfile = {
  isMenu: boolean
  /** How sure `isMenu` is, from 0 to 1. */
  confidence: number
  merchant: MenuMerchant
  /** ISO 4217 code; null where prices name none, or several. */
  currency: string | null
  sections: MenuSection[]
  sourceUrl: string
}

export type MenuMerchant = { name: string; type?: string | undefined; location?: Record<string, string> | undefined }

type MenuSection = { id: string; name: string; description?: string | undefined; items: MenuItem[] }

export type MenuItem = {
  id: string
  name: string
  description?: string | undefined
  images: ProductImage[]
  /** Of the first size, where there are several. */
  price?: ProductPrice | undefined
  availability: ProductAvailability
  /** Such as `vegan` and `gluten-free`, as the page says it. */
  dietary: string[]
  calories?: number | undefined
  optionGroups: { options: MenuOption[] }[]
  identifiers: { merchantItemId?: string | undefined }
  url?: string | undefined
  sourceUrl: string
}
/** A size or kind of an item, with a price of its own. */
type MenuOption = { name?: string | undefined; price?: ProductPrice | undefined }

/** An item before it has its place in a menu. */
export type MenuDish = Pick<MenuItem, 'name'> & Partial<Omit<MenuItem, 'id' | 'sourceUrl'>>
export type MenuCourse = { name?: string | undefined; description?: string | undefined; dishes: MenuDish[] }

/** What the structured data of a page says of a restaurant and its menu. */
export type MenuFacts = { merchant?: MenuMerchant | undefined; courses: MenuCourse[] }
