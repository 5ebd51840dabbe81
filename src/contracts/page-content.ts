import type { z } from 'zod'
import type { Menu, Product } from '../schema/scrape/document.ts'
import type { PdfParser } from '../schema/scrape/scrape-options.ts'
import type { LiveParts } from './render-port.ts'

/** Parts that can be extracted from an HTML page. */
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
  /** Omits pictures without information from the markdown of the main content. Default: true. */
  removeSmallImages?: boolean
  /** Omits cookie consent banners. */
  blockAds?: boolean
}

/** Plain data only, so the work can run in another thread. */
export type ReadRequest = ContentOptions & {
  html: string
  url: string
  /** Charset that the HTML was decoded from. Default: UTF-8. */
  charset?: string
  wanted: readonly PagePart[]
  attributes: readonly AttributeQuery[]
}

/** Everything extracted from a page: parts of its HTML, and parts that only a live page has. */
export type PageContent = LiveParts & {
  markdown?: string
  /** Address of the file that the markdown is from; absent if the markdown was made of the page. */
  markdownFrom?: string
  html?: string
  links?: string[]
  /**
   * Pages that the head of the page names, found with the links: the next page, the canonical page, the refresh
   * target.
   */
  leads?: string[]
  /** Links with their text, at most 200 characters; empty if they show none. */
  anchors?: { url: string; text: string }[]
  images?: string[]
  attributes?: (AttributeQuery & { values: string[] })[]
  metadata?: Record<string, unknown>
  /** Fields of the largest form, found with the metadata. */
  formFields?: number
  /** Empty if the page names no media. */
  media?: Media
  /** Null if the page describes no product. */
  product?: ProductProfile | null
  /** Menu data of the page's structured data. */
  menu?: MenuFacts
  /** The JSON-LD of the page, unchanged. */
  structuredData?: unknown[]
  /** All text of the page outside menus, one line per block; it contains the main content. */
  text?: string
  /** Facts that the page marks up, or displays in a recognisable way. */
  facts?: PageFacts
  /** True if the HTML is an empty shell filled by scripts, otherwise absent. Set when markdown or html is extracted. */
  needsBrowser?: boolean
  /** Parts that a page with text of its own leaves to scripts; absent if there are none. Set like `needsBrowser`. */
  unfilled?: UnfilledPart[]
  /** The time zone that a browser emulated for the page; absent if none was requested. */
  timezone?: string
  /** True if `includeTags` matched no element, otherwise absent. */
  matchesNothing?: boolean
  /** Kind of a file that is not an HTML page. */
  kind?: DocumentKind
  /** Pages, sheets or slides of such a file. */
  numPages?: number
  /** Pages of a PDF, if its options requested them. */
  pages?: PdfPage[]
  /** A warning to the reader about how the parts were extracted. */
  warning?: string
  /**
   * Build of the program that read the page without a browser and found no faults: it would read the same body with
   * the same result.
   */
  readBy?: string
}

/** The sign that scripts or frames load the content of a page later. */
export type UnfilledPart = 'loading message' | 'placeholders' | 'empty list' | 'template' | 'frames'

/** The team that the work counts for, if teams share a resource. */
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
  | 'notebook'
  | 'mail'

export type PdfOptions = Omit<z.output<typeof PdfParser>, 'type' | 'blocks'>

/** A page of a PDF; the first has number 1. */
export type PdfPage = { pageNumber: number; markdown: string }

/** Plain data only, so the work can run in another process. */
export type DocumentRequest = ContentOptions &
  OfTeam & {
    kind: DocumentKind
    bytes: Uint8Array
    /**
     * True if no one else needs the bytes, which are alone in their buffer: it is released once they have been read.
     */
    isGivenUp?: boolean | undefined
    /** Address of the file; relative links are resolved against it. */
    url: string
    /** Content type declared by the sender; its charset applies to text. */
    contentType: string | undefined
    wanted: readonly PagePart[]
    attributes: readonly AttributeQuery[]
    pdf: PdfOptions
    /** True if text in a picture is wanted, which takes OCR. */
    hasImageParser?: boolean | undefined
  }

/**
 * Fails with SCRAPE_UNSUPPORTED_FILE_ERROR for a file that is damaged, locked or too large, and
 * SCRAPE_PDF_OCR_REQUIRED for a scan.
 */
export type ReadDocument = (request: DocumentRequest, signal: AbortSignal) => Promise<PageContent>

export type PageFacts = {
  /** Microdata and RDFa, in the form of JSON-LD. */
  markup: unknown[]
  shown: ShownFact[]
  questions: ShownQuestion[]
}
/** A question that the page itself asks, with its answer. */
export type ShownQuestion = { question: string; answer: string }
/** `weight` (0 to 1) rates the reliability of the place; `where` is a selector of the element. */
export type ShownFact = { name: string; value: string; weight: number; where: string }

/** Addresses of the audio and the video file or stream that a page is about. */
export type Media = { audio?: string; video?: string }

/** Why media is missing: yt-dlp is not installed, exceeded its time limit, or found nothing at the address. */
export type MediaError = 'not installed' | 'too slow' | 'found none'

/** Searches for the media of a page whose HTML names none. Rejects only with the signal's reason. */
export type FindMedia = (
  /** `limitMs` is the time limit of the search. */
  request: OfTeam & { url: string; limitMs: number; signal: AbortSignal },
) => Promise<Media & { error?: MediaError }>

/** A product, as the API returns it. */
export type ProductProfile = z.output<typeof Product>
/** Without `text` of its availability, a variant with a price counts as in stock. */
export type ProductVariant = ProductProfile['variants'][number]
export type ProductPrice = NonNullable<ProductVariant['price']>
export type ProductAvailability = ProductVariant['availability']
export type ProductImage = NonNullable<ProductVariant['images']>[number]

/** The menu of a restaurant, as the API returns it. */
export type MenuProfile = z.output<typeof Menu>
export type MenuMerchant = MenuProfile['merchant']
export type MenuItem = MenuProfile['sections'][number]['items'][number]

/** An item before it is placed in a menu. */
export type MenuDish = Pick<MenuItem, 'name'> & Partial<Omit<MenuItem, 'id' | 'sourceUrl'>>
export type MenuCourse = { name?: string | undefined; description?: string | undefined; dishes: MenuDish[] }

/** A restaurant and its menu, as given by the structured data of a page. */
export type MenuFacts = { merchant?: MenuMerchant | undefined; courses: MenuCourse[] }
